/** Finds runs that did not finish. */
import type { RunKind } from "../engine/journal.ts";
import { Failure } from "../errors.ts";
import type { World } from "../world/world.ts";
import { earlierRun, listJournals, newestFirst } from "./journals.ts";

interface UnfinishedRun {
  readonly run: string;
  readonly kind: RunKind;
  readonly began?: string | undefined;
  readonly site?: string | undefined;
  readonly rows?: number;
  /** What is open, in words. */
  readonly state: string;
}

/** Only so many of the newest runs are read. */
const newest = 10;

/** Returns the unfinished runs among the newest, the newest first. */
export async function unfinishedRuns(world: Pick<World, "files" | "directories">): Promise<UnfinishedRun[]> {
  const found: UnfinishedRun[] = [];
  for (const journal of newestFirst(await listJournals(world)).slice(0, newest)) {
    const { run, kind } = journal;
    try {
      const { state, began, site, rows, unknown, not_sent, replay } = await earlierRun(world, journal);
      if (state === "finished") continue;
      const open = [unknown && `${unknown} unknown`, not_sent && `${not_sent} not sent`].filter(Boolean).join(", ");
      const says = replay.finalCounts ? open : "stopped before its end, or still running";
      found.push({ run, kind, began, site, ...(replay.header && { rows }), state: says });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      found.push({ run, kind, state: `the journal cannot be read: ${error.message}` });
    }
  }
  return found;
}
