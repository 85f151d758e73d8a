/** A command that was mistyped is a run, too: an undo after it must not take back an older one. */
import { jobOf, RunBook, runsPath } from "../log/runs.ts";
import type { World } from "../world/world.ts";

/** Nothing is written where no run has begun yet. Failures are ignored: the command has failed already. */
export async function recordMistyped(world: World, argv: readonly string[]): Promise<void> {
  try {
    if ((await world.files.kind(runsPath(world.directories.state))) === undefined) return;
    const job = jobOf(world, undefined);
    const book = await RunBook.begin(world, { argv, ...(job !== undefined && { job }) });
    await book.add({ ended: new Date(world.clock.now()).toISOString(), lines: 0, changes: 0 });
    await book.close();
  } catch {
    // The error of the command is reported.
  }
}
