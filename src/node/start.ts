/** What the launcher calls: the program in the real world. */
import { main } from "../main.ts";
import type { World } from "../world.ts";
import { realWorld } from "./world.ts";

declare const ZULIPCTL_VERSION: string;

/** Runs the process's command line and sets its exit code; never ends the process, so that output is whole. */
export async function start(): Promise<void> {
  const outside = realWorld(ZULIPCTL_VERSION);
  const world: World = {
    ...outside,
    embed: async (setup) => {
      const { embed } = await import("../sandbox/embed.ts");
      return embed(setup, outside.clock, (error) => {
        void outside.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      });
    },
  };
  process.exitCode = await main(process.argv.slice(2), world);
}
