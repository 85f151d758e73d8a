import type { Command } from "commander";
import type { Shell } from "../shell/shell.ts";

export function attachment(program: Command, shell: Shell): void {
  const noun = program.command("attachment").description("Uploaded files of one's own");

  noun
    .command("rm")
    .description("Delete uploaded files of one's own, for good")
    .argument("<id...>", "ids of attachments; - reads them from stdin")
    .action(shell.changes(async () => (await import("./attachment/rm.ts")).rm));

  noun
    .command("list")
    .description("One's own uploads")
    .action(shell.reads(async () => (await import("./attachment/list.ts")).list));
}
