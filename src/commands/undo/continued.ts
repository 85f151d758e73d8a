/** Finds what an undo that did not end was taking back. */

import { undefinedOnFailure } from "../../errors.ts";
import { earlierRun } from "../../run/journal/files.ts";
import { placeOf } from "../../run/journal/unanswered.ts";
import type { LoggedRun } from "../../undo/entries.ts";
import type { World } from "../../world/world.ts";

/** What an undo took back: the run, and the text of `--only`. */
export interface Continued {
  readonly run: string;
  readonly only: string | undefined;
}

/** Returns what a run took back, if it was an undo that has changes without an answer, or not sent. */
export async function unendedUndo(world: World, { entries }: LoggedRun): Promise<Continued | undefined> {
  const journal = entries.at(-1)?.journal;
  if (journal === undefined) return undefined;
  const place = await placeOf(world, journal);
  if (place?.kind !== "undo") return undefined;
  const found = await undefinedOnFailure(earlierRun(world, place));
  const header = found?.replay.header;
  if (!found || !header) return undefined;
  // A later reading can mark the journal as finished. The log keeps what had no answer.
  const isOpen =
    found.state !== "finished" || found.not_sent > 0 || entries.some(({ outcome }) => outcome === "unknown");
  return isOpen ? { run: header.input, only: header.words || undefined } : undefined;
}
