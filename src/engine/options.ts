/** How an engine is to go about a run, and what it takes over from an earlier one. */
import type { Clock, Signals } from "../world.ts";
import type { ChangeResult } from "./change.ts";
import type { Journal } from "./journal.ts";
import type { Lost } from "./journal-replay.ts";
import type { Key } from "./task.ts";

/** What an earlier run of the same input has left. */
export interface Earlier {
  known(key: Key): ChangeResult | undefined;
  again(key: Key): boolean;
  /** Requests whose answer is missing, to be settled before anything is sent. */
  lost: readonly Lost[];
  /** Requests that were on their way when that run ended. */
  open: readonly number[];
}

export interface Options {
  clock: Clock;
  signals: Signals;
  /** How many requests may be on their way at once. */
  concurrency?: number;
  merge?: boolean;
  /** How many rows are read ahead, so that merged requests can fill. */
  ahead?: number;
  /** Milliseconds for which a lost membership change is looked for; undefined where it is not. */
  settle?: number;
  /** After so many refused or unknown changes nothing new is sent. */
  mostFailures?: number;
  journal?: Journal;
  earlier?: Earlier;
  /** Unknown changes of the earlier run are sent again where settling does not clear them. */
  retryUnknown?: boolean;
}
