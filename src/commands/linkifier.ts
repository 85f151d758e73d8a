import type { Command } from "commander";
import { examples } from "../shell/help.ts";
import type { Shell } from "../shell/shell.ts";
import { repeatable } from "../shell/strict.ts";

export function linkifier(program: Command, shell: Shell): void {
  const noun = program.command("linkifier").description("Linkifiers: patterns whose matches in messages become links");

  noun
    .command("add")
    .description("Add a linkifier")
    .argument("<pattern>", "RE2 regular expression; named groups may be used")
    .argument("<url-template>", "RFC 6570 URL template; {group} inserts a named group")
    .addOption(repeatable("--sample <text>", "show what would become of the text; refuse where nothing matches"))
    .option("--skip-check", "send it unexamined")
    .addHelpText(
      "after",
      examples("zulipctl linkifier add 'T(?P<id>[0-9]+)' 'https://tracker.example.com/{id}' --sample 'see T123'"),
    )
    .action(shell.changes(async () => (await import("./linkifier/add.ts")).add));

  noun
    .command("list")
    .description("Linkifiers in the order in which they apply")
    .addHelpText("after", examples("zulipctl linkifier list"))
    .action(shell.reads(async () => (await import("./linkifier/list.ts")).list));
}
