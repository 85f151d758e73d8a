/** What is known of one seed's story, which `test/simulation/life.ts` plays. */
import type { JournalEntry } from "../../src/engine/journal.ts";
import type { Finished } from "../../src/engine/task.ts";
import type { Failure } from "../../src/errors.ts";
import type { Sandbox } from "../../src/sandbox/index.ts";
import type { Disk } from "./disk.ts";
import type { Transfer } from "./network.ts";
import type { People, PlannedRow } from "./organization.ts";
import type { Process } from "./process.ts";

/** All runs of one journal. */
export interface Batch {
  path: string;
  planned: PlannedRow[];
  merge: boolean;
  portion: number;
  retryUnknown: boolean;
  attempts: Attempt[];
}

/** One process that runs a batch. */
export interface Attempt {
  process: Process;
  passages: Transfer[];
  retryUnknown: boolean;
  /** No faults happen to it. */
  calm: boolean;
  /** In milliseconds of virtual time. */
  began: number;
  /** When it reported its last row, or died. */
  over: number;
  finished: Finished[];
  /** It reported all rows. */
  ended: boolean;
  failure?: Failure;
  interrupted: boolean;
}

export interface Story {
  seed: number;
  batches: Batch[];
  people: People;
  state: Sandbox["state"];
  disk: Disk;
  /** An unexpected error. */
  bug?: unknown;
}

export function entries({ disk }: Story, { path }: Batch): JournalEntry[] {
  return disk
    .text(path)!
    .split("\n")
    .slice(1, -1)
    .map((line) => JSON.parse(line) as JournalEntry);
}
