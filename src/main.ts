/** Builds the command tree, runs it, and turns errors into messages and exit codes. */

import { type Flags, outputOptions } from "./argv/global-flags.ts";
import { CatalogueShown, HelpShown, Program } from "./cli/program.ts";
import { registry } from "./commands/nouns.ts";
import { Usage } from "./errors.ts";
import { write } from "./output/buffered-writer.ts";
import type { ErrorStyle } from "./output/error.ts";
import { Shell } from "./run/shell.ts";
import type { World } from "./world/world.ts";

/** A command line without node and script. */
interface CommandLine {
  /** Resolves with the exit code. Never rejects. `invalidWord`: the index of a word with bytes that are not UTF-8. */
  run(invalidWord?: number): Promise<number>;
  /** Returns how to print errors. */
  errorStyle(): ErrorStyle;
}

export function makeCommandLine(argv: readonly string[], world: World): CommandLine {
  const shell = new Shell(world, main, argv);
  const program = new Program(
    world.version,
    registry(shell),
    () => world.stdout.columns,
    (flags) => overviewAt(world, flags),
  );
  const errorStyle = () => program.errorStyle(argv, world.stderr);
  const reported = async (error: unknown) => {
    const { printError } = await import("./output/error.ts");
    return printError(error, errorStyle(), world);
  };
  const perform = async (invalidWord?: number) => {
    if (invalidWord !== undefined)
      throw new Usage(`${await program.nameOfWord(argv, invalidWord)} is not UTF-8 text`, {
        outcome: "not_sent",
        hint: "The terminal or script uses another encoding; zulipctl accepts UTF-8 only.",
      });
    await program.run(argv).catch((error) => {
      if (error instanceof HelpShown) return write(world.stdout, error.text);
      if (error instanceof CatalogueShown) return printCatalogue(error, world);
      throw error;
    });
    return shell.exitCode;
  };
  return {
    errorStyle,
    async run(invalidWord) {
      const code = await perform(invalidWord).catch(async (error) => {
        if (!shell.hasBegun && error instanceof Usage && (await program.mayChange(argv).catch(() => false))) {
          const { recordMistyped } = await import("./run/mistyped.ts");
          await recordMistyped(world, argv);
        }
        return reported(error);
      });
      // The command has ended by now.
      await shell.close().catch(reported);
      return code;
    },
  };
}

/** The first screen at a terminal, if there is an account or a profile. */
async function overviewAt(world: World, flags: Flags): Promise<string | undefined> {
  if (!world.stdout.isTerminal) return undefined;
  const { overview } = await import("./commands/overview.ts");
  return overview(world, flags);
}

async function printCatalogue({ catalogue, flags }: CatalogueShown, world: World): Promise<void> {
  const { checkOutputOptions, print } = await import("./output/printer.ts");
  const choice = outputOptions(flags);
  await checkOutputOptions(choice, Object.keys(catalogue));
  await print({ kind: "single", record: { ...catalogue }, columns: [] }, choice, world);
}

/** Runs one command line and resolves with the exit code. Never rejects. */
export const main = (argv: readonly string[], world: World): Promise<number> => makeCommandLine(argv, world).run();
