/** Finds changes without an answer in the journals of runs. The log has no line of one that was being sent at a kill. */
import { operationNamed } from "../../api/registry.ts";
import { change } from "../../engine/change.ts";
import type { JournalFile } from "../../engine/journal.ts";
import { type JournalReplay, runEnded } from "../../engine/journal-replay.ts";
import { sentChangeOf } from "../../engine/sent-change.ts";
import { asError, undefinedOnFailure } from "../../errors.ts";
import type { LogEntry } from "../../log/change-log.ts";
import type { World } from "../../world/world.ts";
import { earlierRun, findJournal, loggedName } from "./files.ts";
import { newestJournals, unfinishedIn } from "./unfinished.ts";

function entriesOf({ header, unanswered }: JournalReplay, journal: string): LogEntry[] {
  if (!header) return [];
  return unanswered.flatMap(({ rows: [row], operation: name, args }) => {
    const operation = operationNamed(name);
    const named = Object.values(args).find((value) => typeof value === "string");
    const target = operation?.target?.(args) ?? (typeof named === "string" ? named : name);
    const words = { target, done: "", verifyWith: "" };
    const sent = operation && sentChangeOf(change(operation, args, words), { outcome: "unknown", failure: runEnded() });
    if (!sent) return [];
    const { thing, outcome, error, at, to } = sent;
    const { began: time, site, account, command = "" } = header;
    const about = { time, run: journal, journal, profile: undefined, site, account, command, row };
    return [{ ...about, operation: name, target, thing, outcome, error, at, to }];
  });
}

/** Returns whether a run is still going. None can where nothing can be written. */
async function isInUse({ files }: World, path: string): Promise<boolean> {
  const lock = await files.lock(path, 0).catch(asError);
  if (lock instanceof Error) return false;
  await lock?.release();
  return lock === undefined;
}

/** Returns the journal with a name of the log. */
export const placeOf = (world: World, name: string): Promise<JournalFile | undefined> =>
  undefinedOnFailure(findJournal(world, name, "<run>"));

/** Returns whether the run of a journal, by its name in the log, is still going. */
export async function isRunning(world: World, journal: string): Promise<boolean> {
  const place = await placeOf(world, journal);
  return place !== undefined && (await world.files.identity(place.path)) !== undefined && isInUse(world, place.path);
}

/**
 * Returns the changes without an answer in a journal. Without its name, in the newest ones that began after `since`, the newest
 * first. A journal that cannot be read has none.
 */
export async function unansweredChanges(world: World, name?: string, since = ""): Promise<LogEntry[]> {
  const places = name === undefined ? await newestJournals(world) : [await placeOf(world, name)];
  const all: LogEntry[] = [];
  for (const place of places) {
    const unfinished = place && (await unfinishedIn(world, place));
    if (!unfinished || (unfinished.began ?? "") <= since || (await isInUse(world, place.path))) continue;
    const found = await undefinedOnFailure(earlierRun(world, { ...place, kind: unfinished.kind }));
    if (found) all.push(...entriesOf(found.replay, loggedName(place)));
  }
  return all;
}
