/**
 * A run with a journal: `batch`, `messages delete` and `move`, `org apply`, `users offboard`, `undo`. The command plans and asks.
 * Here its journal is opened, its changes are sent and reported, and what it has changed is verified.
 */

import { outputOptions } from "../../argv/global-flags.ts";
import type { Server } from "../../client/server.ts";
import { comparesAgain, type JournalEntry, type JournalFile, type RunInput } from "../../engine/journal.ts";
import { JournaledRun, type RunOptions } from "../../engine/journaled-run.ts";
import { transport } from "../../engine/transport.ts";
import { beforeSending, Failure } from "../../errors.ts";
import type { Listing } from "../../output/form.ts";
import { programLine } from "../../output/line.ts";
import { checkOutputOptions, loadPrinter } from "../../output/printer.ts";
import type { Context } from "../context.ts";
import { accountPath } from "./journal-files.ts";
import { optionalResultFields, resultFields, runListing } from "./results.ts";
import type { RunRow } from "./row.ts";
import type { FailedRowsFile, RunWork } from "./run-work.ts";

/** Connects, if the results have the fields that `--fields` names. `more`: other fields that it may name. */
export async function connectForRun(context: Context, more: readonly string[] = []): Promise<Server> {
  await checkOutputOptions(outputOptions(context.flags), [...resultFields, ...optionalResultFields, ...more]);
  return beforeSending(() => context.server());
}

/**
 * Opens the journal for `work`, and closes it if nothing was sent. A dry run only reads the journal of an earlier run:
 * without one, `run` is undefined.
 */
export async function withRun<T>(
  { world, flags }: Context,
  server: Server,
  { place, resuming = false }: { place: JournalFile; resuming?: boolean },
  work: (run: JournaledRun | undefined) => Promise<T>,
): Promise<T> {
  if (flags.dryRun && !resuming) return work(undefined);
  // What a run compares with must not change while it sends.
  const lock = comparesAgain(place.kind) ? accountPath(world, server) : undefined;
  const run = await JournaledRun.open(world, place, resuming, lock);
  try {
    return await work(run);
  } finally {
    if (!run.hasBegun) await run.close();
  }
}

/** Warns that what a run has changed cannot be read. Throws other errors. */
export async function warnUnread({ warn }: Pick<Context, "warn">, error: unknown): Promise<undefined> {
  if (!(error instanceof Failure)) throw error;
  await warn(programLine(`cannot read the current state: ${error.message}`));
  return undefined;
}

interface RunSending extends Omit<RunWork, "run" | "engine" | "failed"> {
  readonly input: RunInput;
  /** What the journal keeps before the first request. */
  readonly entries?: readonly JournalEntry[];
  readonly options: RunOptions;
  /** Replaces the file of `--failed`. A run that cannot begin leaves the rows of the last one there. */
  readonly openFailed?: (() => Promise<FailedRowsFile>) | undefined;
  /**
   * Called after all requests, unless the run was stopped. `failed`: the failure of the changes. Returns the failure to end
   * with.
   */
  readonly verify?: ((failed: Failure | undefined) => Promise<Failure | undefined>) | undefined;
}

/** Sends the rows of a confirmed run while their results are read. */
export async function sendRows(
  context: Context,
  server: Server,
  run: JournaledRun,
  { input, entries = [], options, openFailed, verify, ...work }: RunSending,
): Promise<Listing> {
  await beforeSending(() => loadPrinter(outputOptions(context.flags)));
  const sender = transport(server, run.name);
  let failedRows: FailedRowsFile | undefined;
  const engine = await run.begin<RunRow>(input, entries, sender, options, async () => {
    failedRows = await openFailed?.();
  });
  const results = runListing(context, { ...work, run, engine, failed: failedRows });
  if (!verify) return results;
  const finish = async () => {
    const failed = await results.finish?.();
    if (engine.stopped) return failed;
    return verify(failed).catch(async (error) => {
      await warnUnread(context, error);
      return failed;
    });
  };
  return { ...results, finish };
}
