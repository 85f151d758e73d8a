import type { Command } from "commander";
import { readable } from "../shell/given.ts";
import { examples } from "../shell/help.ts";
import type { Shell } from "../shell/shell.ts";

export function folder(program: Command, shell: Shell): void {
  const noun = program.command("folder").description("Channel folders");

  noun
    .command("create")
    .description("Create a channel folder")
    .argument("<name>", "stored as given")
    .addOption(readable("--description <text>", "Markdown; @file reads a file, - reads stdin"))
    .addHelpText("after", examples("zulipctl folder create Teams --description 'One channel a team'"))
    .action(shell.changes(async () => (await import("./folder/create.ts")).create));

  noun
    .command("list")
    .description("Channel folders in their order")
    .option("--archived", "archived ones too")
    .addHelpText("after", examples("zulipctl folder list --archived"))
    .action(shell.reads(async () => (await import("./folder/list.ts")).list));
}
