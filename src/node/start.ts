/** What the launcher calls: the program in the real world. */
import { main } from "../main.ts";
import { realWorld } from "./world.ts";

declare const ZULIPCTL_VERSION: string;

/** Runs the process's command line and sets its exit code; never ends the process, so that output is whole. */
export async function start(): Promise<void> {
  process.exitCode = await main(process.argv.slice(2), realWorld(ZULIPCTL_VERSION));
}
