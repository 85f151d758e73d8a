/** Builds the command tree, runs it, and turns whatever is thrown into words and an exit code. */
import { planted } from "./commands/nouns.ts";
import { asksJson, asksVerbose } from "./output/asked.ts";
import { write } from "./output/gathering.ts";
import { Program, Said } from "./shell/program.ts";
import { Shell } from "./shell/shell.ts";
import type { World } from "./world.ts";

const asksColor = (argv: readonly string[]) =>
  (argv.join(" ").match(/(?:^| )--color[= ](always|never)(?: |$)/)?.[1] ?? "auto") as "auto" | "always" | "never";

/** Runs one command line (without node and script) and resolves with the exit code. Never rejects. */
export async function main(argv: readonly string[], world: World): Promise<number> {
  const shell = new Shell(world, main);
  try {
    await new Program(world.version, planted(shell)).run(argv).catch((error) => {
      if (error instanceof Said) return write(world.stdout, error.text);
      throw error;
    });
    return shell.exitCode;
  } catch (error) {
    const { printError } = await import("./output/error.ts");
    return await printError(error, { form: asksJson(argv) ? "json" : "table", color: asksColor(argv) }, world, {
      verbose: asksVerbose(argv),
    });
  } finally {
    await shell.close();
  }
}
