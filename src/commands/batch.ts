import { type Command, Option } from "commander";
import { wholeNumber } from "../shell/flags.ts";
import { examples } from "../shell/help.ts";
import type { Plants } from "../shell/program.ts";
import type { Shell } from "../shell/shell.ts";

export function batch(program: Command, shell: Shell, every: () => Plants): void {
  program
    .command("batch")
    .description("Make a change for every row of a file: everything is examined before anything is sent")
    .usage("[options] <file>")
    .argument("<file>", "rows; - reads stdin")
    .argument("[words...]", "after --, the command for each row: {column} is the row's value, {column?} may be missing")
    .addOption(
      new Option("--format <format>", "of the file (default: what its name ends with)").choices([
        "csv",
        "tsv",
        "ndjson",
        "lines",
      ]),
    )
    .option("--skip-invalid", "leave bad rows out instead of sending nothing")
    .option("--concurrency <n>", "how many requests may be on their way at once (default: 4)", wholeNumber(1))
    .option("--no-merge", "send every row in a request of its own")
    .option(
      "--settle <seconds>",
      "how long a membership change without an answer is looked for (default: 60)",
      wholeNumber(),
    )
    .option("--journal <file>", "record each request here; a new file")
    .option("--resume <run>", "go on with an earlier run: its name, last, or its journal")
    .option("--retry-unknown", "send again what an earlier run left unknown")
    .option("--failed <file>", "write the rows that are known not to be done here")
    .addOption(
      new Option("--on-error <what>", "what a refused or unknown row means for the rest (default: continue)").choices([
        "stop",
        "continue",
      ]),
    )
    .option("--max-failures <n>", "send nothing new after so many refused or unknown rows", wholeNumber(1))
    .addHelpText(
      "after",
      examples(
        "printf 'group,email\\ndesigners,otis@sandbox.example\\n' | zulipctl batch - --format csv -- group members {group} --add {email}",
        "echo 'channel update design --folder Projects' | zulipctl batch - --format lines --dry-run",
      ),
    )
    .action(shell.acts(async () => (await import("./batch/run.ts")).batch(shell, every()), { many: true }));
}
