import { type Command, InvalidArgumentError } from "commander";
import { wholeNumber } from "../shell/flags.ts";
import { examples } from "../shell/help.ts";
import type { Shell } from "../shell/shell.ts";
import { repeatable } from "../shell/strict.ts";

/** What the server is to be, for `sandbox` and `tour` alike; `--feature-level` is a global flag. */
export const withSetup = (command: Command): Command =>
  command
    .option("--world <file>", "start with the organization described in this JSON file")
    .option("--users <n>", "add n generated people", wholeNumber())
    .option("--export-size <MiB>", "make the files of exports this large", wholeNumber(1))
    .option("--no-rate-limits", "lift the rate limits")
    .addOption(repeatable("--fault <spec>", "break it on demand: 502:op=drafts.add,p=0.5"));

const port = (text: string): number => {
  const number = wholeNumber(1)(text);
  if (number > 65535) throw new InvalidArgumentError("It must be at most 65535.");
  return number;
};

export function sandbox(program: Command, shell: Shell): void {
  const noun = program.command("sandbox").description("An embedded server with a small organization, to try things on");

  withSetup(noun.command("start"))
    .description("Serve it on loopback until Ctrl-C; --json prints one line when it is ready")
    .option("--port <n>", "on this port; a free one otherwise", port)
    .addHelpText(
      "after",
      examples("zulipctl sandbox start --json", "zulipctl sandbox start --users 1000 --no-rate-limits"),
    )
    .action(shell.acts(async () => (await import("./sandbox/start.ts")).start));

  withSetup(noun.command("exec"))
    .description("Run a program against a fresh one, with the environment set, and end with its exit code")
    .argument("<command...>", "after --")
    .addHelpText(
      "after",
      examples(
        "zulipctl sandbox exec -- zulipctl users list",
        "zulipctl sandbox exec --fault 502:op=users.list,times=1 -- zulipctl users list",
      ),
    )
    .action(
      shell.acts(async () => {
        const { exec } = await import("./sandbox/exec.ts");
        return async (context: Parameters<typeof exec>[0], options: Parameters<typeof exec>[1], words: string[]) => {
          shell.exitCode = await exec(context, options, words);
          return undefined;
        };
      }),
    );
}
