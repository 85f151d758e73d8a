/** What the journals of runs know that the log does not: changes without an answer, and changes whose lines are lost. */
import { operationNamed } from "../../api/registry.ts";
import { change } from "../../engine/change.ts";
import { type JournalReplay, runEnded } from "../../engine/journal-replay.ts";
import { sentChangeOf } from "../../engine/sent-change.ts";
import { asError, undefinedOnFailure } from "../../errors.ts";
import type { LogEntry } from "../../log/change-log.ts";
import type { Journaled } from "../../undo/history.ts";
import type { World } from "../../world/world.ts";
import { earlierRun, findJournal } from "./journal-files.ts";

function entriesOf({ header, unanswered }: JournalReplay): LogEntry[] {
  if (!header) return [];
  return unanswered.flatMap(({ rows: [row], operation: name, args, from: replaced }): LogEntry[] => {
    const operation = operationNamed(name);
    const named = Object.values(args).find((value) => typeof value === "string");
    const target = operation?.target?.(args) ?? (typeof named === "string" ? named : name);
    const words = { target, done: "", verifyWith: "" };
    const result = { outcome: "unknown", failure: runEnded() } as const;
    const { began: time, run, site, account, command = "" } = header;
    const about = { time, run, journal: run, profile: undefined, site, account, command, row };
    // A raw request: the journal does not have its path.
    if (!operation) return [{ ...about, operation: name, target: name, outcome: result.outcome }];
    const sent = sentChangeOf(change(operation, args, words), result, replaced);
    if (!sent) return [];
    const { thing, outcome, error, at, from, to } = sent;
    return [{ ...about, operation: name, target, thing, outcome, error, at, from, to }];
  });
}

/** Returns whether a run is still going. None can where nothing can be written. */
async function isInUse({ files }: World, path: string): Promise<boolean> {
  const lock = await files.lock(path, 0).catch(asError);
  if (lock instanceof Error) return false;
  await lock?.release();
  return lock === undefined;
}

/** Reads the journal that a run began. Undefined if there is none, or another run has its path now. */
export async function journaled(world: World, run: string): Promise<Journaled | undefined> {
  const place = await undefinedOnFailure(findJournal(world, run, "<run>"));
  if (!place || (await world.files.identity(place.path)) === undefined) return undefined;
  if (await isInUse(world, place.path))
    return { isRunning: true, header: undefined, isUnfinished: true, unanswered: [], done: [] };
  const found = await undefinedOnFailure(earlierRun(world, place));
  if (found?.replay.header?.run !== run) return undefined;
  const { replay, state, not_sent } = found;
  return {
    isRunning: false,
    header: replay.header,
    isUnfinished: state !== "finished" || not_sent > 0,
    unanswered: entriesOf(replay),
    done: replay.doneKeys(),
  };
}
