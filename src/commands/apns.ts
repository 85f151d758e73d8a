import type { Command } from "commander";
import { examples } from "../shell/help.ts";
import type { Shell } from "../shell/shell.ts";

export function apns(program: Command, shell: Shell): void {
  program
    .command("apns")
    .description("Push notifications of iOS devices")
    .command("register")
    .description("Register an iOS device for push notifications (deprecated by newer servers)")
    .option("--token <token>", "the device token")
    .option("--token-stdin", "read the device token from stdin")
    .requiredOption("--appid <id>", "the app's id, such as org.zulip.Zulip")
    .addHelpText("after", examples("zulipctl apns register --appid org.zulip.Zulip --token 740f4707bebcf74f"))
    .action(shell.changes(async () => (await import("./apns/register.ts")).register));
}
