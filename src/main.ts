/** Builds the command tree, runs it, and turns whatever is thrown into words and an exit code. */
import { planted } from "./commands/nouns.ts";
import { Usage } from "./errors.ts";
import type { Telling } from "./output/error.ts";
import { write } from "./output/gathering.ts";
import { Program, Said } from "./shell/program.ts";
import { Shell } from "./shell/shell.ts";
import type { World } from "./world.ts";

const programOf = (world: World, shell: Shell) =>
  new Program(world.version, planted(shell), () => world.stdout.columns);

/** How a command line (without node and script) wants errors told, also one that cannot be run. */
export const tellingOf = (argv: readonly string[], world: World): Telling =>
  programOf(world, new Shell(world, main, argv)).telling(argv, world.stderr);

/**
 * Runs one command line (without node and script) and resolves with the exit code. Never rejects. `garbled` is the place
 * of a word that has lost bytes which are not UTF-8.
 */
export async function main(argv: readonly string[], world: World, garbled?: number): Promise<number> {
  const shell = new Shell(world, main, argv);
  const program = programOf(world, shell);
  try {
    if (garbled !== undefined)
      throw new Usage(`${program.nameOfWord(argv, garbled)} is not UTF-8 text`, {
        outcome: "not_sent",
        hint: "The terminal or script that wrote it uses another encoding; zulipctl takes UTF-8 alone.",
      });
    await program.run(argv).catch((error) => {
      if (error instanceof Said) return write(world.stdout, error.text);
      throw error;
    });
    return shell.exitCode;
  } catch (error) {
    const { printError } = await import("./output/error.ts");
    return await printError(error, program.telling(argv, world.stderr), world);
  } finally {
    await shell.close();
  }
}
