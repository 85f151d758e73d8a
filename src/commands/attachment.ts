import { Argument, type Command } from "commander";
import { givens } from "../shell/given.ts";
import { examples } from "../shell/help.ts";
import type { Shell } from "../shell/shell.ts";

export function attachment(program: Command, shell: Shell): void {
  const noun = program.command("attachment").description("Uploaded files of one's own");

  noun
    .command("rm")
    .description("Delete uploaded files of one's own, for good")
    .addArgument(new Argument("<id...>", "ids of attachments; - reads them from stdin").argParser(givens))
    .addHelpText(
      "after",
      examples(
        "zulipctl attachment rm 2 --yes",
        "zulipctl attachment list --jq '.[] | select(.size > 5000) | .id' | zulipctl attachment rm - --yes",
      ),
    )
    .action(shell.changes(async () => (await import("./attachment/rm.ts")).rm));

  noun
    .command("list")
    .description("One's own uploads")
    .addHelpText("after", examples("zulipctl attachment list"))
    .action(shell.reads(async () => (await import("./attachment/list.ts")).list));
}
