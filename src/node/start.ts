/** Starts the program in the real world. The launcher calls it. */
import { commandLine } from "../main.ts";
import type { World } from "../world.ts";
import { atOnce } from "./signals.ts";
import { realWorld } from "./world.ts";

declare const ZULIPCTL_VERSION: string;

/**
 * Runs the process's command line and sets its exit code; never ends the process, so that output is whole. An error
 * that nothing caught, and a wait for what can no longer come, are defects of ours. Node would end with 1 for the one,
 * as if the server had refused, and with 0 for the other.
 */
export async function start(): Promise<void> {
  const argv = process.argv.slice(2);
  const outside = realWorld(ZULIPCTL_VERSION, () => command.telling().form === "json");
  const world: World = {
    ...outside,
    embed: async (setup) => {
      const { embed } = await import("../sandbox/index.ts");
      return embed(setup, outside.clock, (error) => {
        void outside.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      });
    },
  };
  const command = commandLine(argv, world);
  /** The exit code, once it is known. */
  let known: number | undefined;
  const report = async (error: unknown): Promise<number> => {
    try {
      const { printError } = await import("../output/error.ts");
      return await printError(error, command.telling(), world);
    } catch {
      atOnce(`zulipctl: This is a bug in zulipctl: ${error instanceof Error ? error.message : error}\n`);
      return 70;
    }
  };
  let telling: Promise<number> | undefined;
  /** Tells the first error, and gives the exit code once it is told. Never rejects; what goes wrong meanwhile is not told. */
  const tell = (error: unknown): Promise<number> => {
    telling ??= report(error);
    return telling;
  };
  process.on("uncaughtException", (error) => {
    void tell(error).then((code) => process.exit(known ?? code));
  });
  process.on("exit", (code) => {
    if (code !== 70 || telling || known === 70) return;
    const message = "This is a bug in zulipctl: it ended before it was done";
    const { outcome } = world.signals;
    const error = { exit_code: 70, kind: "bug", message, outcome };
    atOnce(`${command.telling().form === "json" ? JSON.stringify({ error }) : `zulipctl: ${message}`}\n`);
  });
  process.exitCode = 70;
  const run = async () => {
    // Node puts U+FFFD for every byte that is not UTF-8.
    const garbled = argv.findIndex((word) => word.includes("\uFFFD"));
    return command.run(garbled < 0 ? undefined : garbled);
  };
  known = await run().catch(tell);
  process.exitCode = known;
}
