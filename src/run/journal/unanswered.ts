/** Finds changes without an answer in the journals of runs. The log has no line of one that was being sent at a kill. */
import { operationNamed } from "../../api/registry.ts";
import { change } from "../../engine/change.ts";
import { type JournalReplay, runEnded } from "../../engine/journal-replay.ts";
import { sentChangeOf } from "../../engine/sent-change.ts";
import { asError, undefinedOnFailure } from "../../errors.ts";
import type { LogEntry } from "../../log/change-log.ts";
import type { World } from "../../world/world.ts";
import { earlierRun, findJournal, listJournals, loggedName, newestFirst } from "./files.ts";
import { unfinishedIn } from "./unfinished.ts";

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

/** Returns whether the run of a journal, by its name in the log, is still going. */
export async function isRunning(world: World, journal: string): Promise<boolean> {
  const place = await undefinedOnFailure(findJournal(world, journal, "<run>"));
  return place !== undefined && (await world.files.identity(place.path)) !== undefined && isInUse(world, place.path);
}

/** Returns the changes without an answer in a journal, or in the newest one. A journal that cannot be read has none. */
export async function unansweredChanges(world: World, name?: string): Promise<LogEntry[]> {
  const place =
    name === undefined
      ? newestFirst(await listJournals(world))[0]
      : await undefinedOnFailure(findJournal(world, name, "<run>"));
  const unfinished = place && (await unfinishedIn(world, place));
  if (!unfinished || (await isInUse(world, place.path))) return [];
  const found = await undefinedOnFailure(earlierRun(world, { ...place, kind: unfinished.kind }));
  return found ? entriesOf(found.replay, loggedName(place)) : [];
}
