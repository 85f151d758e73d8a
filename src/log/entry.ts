/** What the log says of a change. */
import type { SentChange } from "../client/sent-change.ts";

/** A line of it. */
export interface LogEntry {
  /** ISO 8601, UTC. */
  time: string;
  /** The same for all changes of one command line; of a batch it is the name of the run. */
  run: string;
  profile?: string;
  site: string;
  account?: string;
  /** As it was typed, secrets masked. */
  command: string;
  /** Of the batch. */
  row?: number | string;
  operation: string;
  target: string;
  thing?: string;
  outcome: SentChange["outcome"];
  error?: SentChange["error"];
  ids?: unknown[];
  before?: Readonly<Record<string, unknown>>;
  /** `invite_required: true → false`; without the old value where nobody has read it. */
  changes?: string[];
  /** Names of the members that were added to the target and removed from it. */
  added?: string[];
  removed?: string[];
}

/** Bytes of a file, and how many older ones there are. */
export const logSize = { largest: 10 * 1024 * 1024, kept: 5 };

export const logPath = (state: string): string => `${state}/log.ndjson`;
