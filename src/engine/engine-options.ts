import type { Failure } from "../errors.ts";
import type { Clock, Signals } from "../world/world.ts";
import type { Change } from "./change.ts";
import type { Journal } from "./journal.ts";
import type { JournalReplay } from "./journal-replay.ts";
import type { TaskKey } from "./task.ts";

/** How long runs that need certainty check a membership change without an answer, in milliseconds. */
export const checkTime = 60_000;

export interface EngineOptions {
  clock: Clock;
  signals: Signals;
  merge?: boolean;
  /** The number of rows whose changes are merged. The next rows follow when all of them are finished. */
  portion?: number;
  /** The order of changes, if it differs from the order of rows. */
  order?: readonly TaskKey[];
  /** How long a membership change without an answer is checked, in milliseconds. Undefined for never. */
  checkUnanswered?: number;
  /** Nothing more is sent after so many refused or unknown changes. */
  mostFailures?: number;
  /** The run stops if so many changes, and all until then, are refused with the code UNAUTHORIZED_PRINCIPAL. */
  mostRefusedAlike?: number;
  /** Returns why nothing more is sent after a refusal. Undefined if it concerns only its change. */
  refusesAll?: (change: Change, refusal: Failure) => Promise<Failure | undefined>;
  /** Absent for commands that cannot be resumed. */
  journal?: Journal;
  /** The journal of an earlier run of the same rows. */
  replay?: JournalReplay | undefined;
  /** Unknown changes of the earlier run are sent again if checking them gives no result. */
  retryUnknown?: boolean;
}
