import type { Command } from "commander";
import { examples } from "../shell/help.ts";
import type { Shell } from "../shell/shell.ts";

export function profile(program: Command, shell: Shell): void {
  const noun = program.command("profile").description("Accounts whose credentials zulipctl keeps");

  noun
    .command("list")
    .description("Every profile, and which is current")
    .addHelpText("after", examples("zulipctl profile list"))
    .action(shell.acts(async () => (await import("./profile/list.ts")).list));

  noun
    .command("use")
    .description("Make a profile the current one")
    .argument("<name>")
    .addHelpText("after", examples("zulipctl profile use work"))
    .action(shell.acts(async () => (await import("./profile/edit.ts")).use));

  noun
    .command("rename")
    .description("Give a profile another name")
    .argument("<old>")
    .argument("<new>")
    .addHelpText("after", examples("zulipctl profile rename chat.example.com chat"))
    .action(shell.acts(async () => (await import("./profile/edit.ts")).rename));

  noun
    .command("rm")
    .description("Remove a profile, and its key from where it is kept")
    .argument("<name>")
    .addHelpText("after", examples("zulipctl profile rm work"))
    .action(shell.acts(async () => (await import("./profile/edit.ts")).rm));
}
