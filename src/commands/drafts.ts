import type { Command } from "commander";
import { readable } from "../shell/given.ts";
import { examples } from "../shell/help.ts";
import type { Shell } from "../shell/shell.ts";

export function drafts(program: Command, shell: Shell): void {
  const noun = program.command("drafts").description("Drafts that the server keeps for the account");

  noun
    .command("add")
    .description("Create drafts, all of them or none")
    .option("--channel <channel>", "for this channel; with --topic")
    .option("--topic <text>", "the topic in the channel")
    .addOption(readable("--to <user,...>", "for a direct conversation with these people"))
    .addOption(readable("--content <text>", "Markdown; @file reads a file, - reads stdin"))
    .option("--timestamp <time>", "when it was last edited: Unix seconds or ISO 8601")
    .addOption(readable("--from <file>", "many: a JSON array, or a JSON draft a line; - reads stdin"))
    .addHelpText(
      "after",
      examples(
        "zulipctl drafts add --channel design --topic logo --content 'What about blue?'",
        "zulipctl drafts add --to cora@sandbox.example --content 'See you tomorrow'",
      ),
    )
    .action(shell.changes(async () => (await import("./drafts/add.ts")).add));

  noun
    .command("list")
    .description("Drafts of the account, the oldest edit first")
    .addHelpText("after", examples("zulipctl drafts list -o ndjson"))
    .action(shell.reads(async () => (await import("./drafts/list.ts")).list));
}
