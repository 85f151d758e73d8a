/** Starts the program in the real world. The launcher calls it. */
import { makeCommandLine } from "../main.ts";
import type { World } from "../world/world.ts";
import { realWorld } from "./real-world.ts";
import { writeNow } from "./signals.ts";

declare const ZULIPCTL_VERSION: string;

/**
 * Runs the command line and sets the exit code. It never ends the process, so output is complete. Uncaught errors and
 * waits that never end are bugs (70). Node would end with 1 or 0.
 */
export async function start(): Promise<void> {
  const argv = process.argv.slice(2);
  const realParts = realWorld(ZULIPCTL_VERSION, () => command.errorStyle().form === "json");
  const world: World = {
    ...realParts,
    embed: async (setup) => {
      const { embed } = await import("../sandbox/index.ts");
      return embed(setup, realParts.clock, (error) => {
        void realParts.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      });
    },
  };
  const command = makeCommandLine(argv, world);
  /** The exit code of the command. */
  let exitCode: number | undefined;
  const report = async (error: unknown): Promise<number> => {
    try {
      const { printError } = await import("../output/error.ts");
      return await printError(error, command.errorStyle(), world);
    } catch {
      writeNow(`zulipctl: This is a bug in zulipctl: ${error instanceof Error ? error.message : error}\n`);
      return 70;
    }
  };
  let reported: Promise<number> | undefined;
  /** Reports the first error and returns the exit code. Never rejects. */
  const reportOnce = (error: unknown): Promise<number> => (reported ??= report(error));
  process.on("uncaughtException", (error) => {
    void reportOnce(error).then((code) => process.exit(exitCode ?? code));
  });
  process.on("exit", (code) => {
    if (code !== 70 || reported || exitCode === 70) return;
    const message = "This is a bug in zulipctl: it ended before it was done";
    const { outcome } = world.signals;
    const error = { exit_code: 70, kind: "bug", message, outcome };
    writeNow(`${command.errorStyle().form === "json" ? JSON.stringify({ error }) : `zulipctl: ${message}`}\n`);
  });
  process.exitCode = 70;
  const run = async () => {
    // Node replaces bytes that are not UTF-8 by U+FFFD.
    const invalidWord = argv.findIndex((word) => word.includes("\uFFFD"));
    return command.run(invalidWord < 0 ? undefined : invalidWord);
  };
  exitCode = await run().catch(reportOnce);
  process.exitCode = exitCode;
}
