import type { Command } from "commander";
import { examples } from "../shell/help.ts";
import type { Shell } from "../shell/shell.ts";
import { repeatableList } from "../shell/strict.ts";

export function messages(program: Command, shell: Shell): void {
  program
    .command("messages")
    .description("Messages")
    .command("match")
    .description("Tell which messages match a search or filter expression")
    .addOption(repeatableList("--ids <id,...>", "ids of messages; - reads them from stdin").makeOptionMandatory())
    .option("--narrow <expression>", "as in the search box: channel:general topic:x -is:resolved has:link words")
    .option("--narrow-json <json>", "the terms as the API has them")
    .addHelpText("after", examples("zulipctl messages match --ids 1,2,3 --narrow 'channel:design has:link'"))
    .action(shell.reads(async () => (await import("./messages/match.ts")).match));
}
