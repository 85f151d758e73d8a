import { type Command, Option } from "commander";
import { examples } from "../shell/help.ts";
import type { Shell } from "../shell/shell.ts";

export function dataExport(program: Command, shell: Shell): void {
  const noun = program.command("export").description("Exports of the organization's data");

  noun
    .command("create")
    .description("Ask for an export of the organization's data")
    .addOption(
      new Option("--type <type>", "public data only, or the private data of people who consented too").choices([
        "public",
        "standard",
      ]),
    )
    .addHelpText("after", examples("zulipctl export create --type public"))
    .action(shell.changes(async () => (await import("./export/create.ts")).create));

  noun
    .command("list")
    .description("Data exports that were asked for")
    .addHelpText("after", examples("zulipctl export list -o json"))
    .action(shell.reads(async () => (await import("./export/list.ts")).list));
}
