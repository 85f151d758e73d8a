/** What is known of a run before its first request. */

import type { Engine } from "../../engine/engine.ts";
import type { JournaledRun } from "../../engine/journaled-run.ts";
import type { Finished, TaskKey } from "../../engine/task.ts";
import type { RunRow } from "./row.ts";

export interface MoreRows {
  readonly rows: readonly RunRow[];
  readonly order: readonly TaskKey[];
}

/** The file of `--failed`. */
export interface FailedRowsFile {
  /** Why it could not be written. */
  readonly failure: Error | undefined;
  add(raw: string): Promise<void>;
  close(): Promise<void>;
}

export interface RunWork {
  run: JournaledRun;
  engine: Engine<RunRow>;
  rows: readonly RunRow[];
  failed?: FailedRowsFile | undefined;
  /** Unknown rows go into the file of failed rows too. */
  withUnknown?: boolean | undefined;
  /** The command that resumes. */
  resumeCommand: string;
  /** The same, sending unknown changes again. */
  retryCommand?: string | undefined;
  /** Its input came through a pipe, and must do so again. */
  isPiped?: boolean;
  /** Another word for rows. */
  unit?: "change" | "message";
  /** Returns rows that follow from the results of all others. */
  more?(): Promise<MoreRows | undefined>;
  /** Called for each finished row. */
  onFinished?(finished: Finished<RunRow>): void;
}
