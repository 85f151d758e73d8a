/** Finds the journals of runs, names runs, and reads their state. */

import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import type { Server } from "../../client/server.ts";
import { byteLines } from "../../common/byte-lines.ts";
import { MiB } from "../../common/unit-sizes.ts";
import {
  alreadyExists,
  comparesAgain,
  type Header,
  type JournalFile,
  type RowCounts,
  type RunKind,
  runKinds,
} from "../../engine/journal.ts";
import { journalLine } from "../../engine/journal-line.ts";
import { type JournalReplay, replayJournal } from "../../engine/journal-replay.ts";
import { Failure, Usage } from "../../errors.ts";
import { readRuns } from "../../log/read-runs.ts";
import { compareRuns, isRunName } from "../../log/runs.ts";
import type { World } from "../../world/world.ts";
import type { Context } from "../context.ts";
import { refuseUndone } from "./undone.ts";

const directories: Record<RunKind, string> = {
  batch: "batch",
  "org apply": "organization",
  "users offboard": "offboarding",
  "messages delete": "messages-delete",
  "messages move": "messages-move",
  undo: "undo",
};
const extension = ".jsonl";

/** The largest first line of a journal in bytes. It has the lines of rows. */
const mostHeaderBytes = 16 * MiB;

type RunsWorld = Pick<World, "files" | "directories">;
const journalOf = (world: Pick<World, "directories">, run: string, kind: RunKind): JournalFile => ({
  run,
  path: join(world.directories.state, directories[kind], run + extension),
  resumeName: run,
  kind,
});

/** Lists the journals in the state directory, by command and age. */
export async function listJournals(
  world: Pick<World, "directories" | "files">,
  of: readonly RunKind[] = runKinds,
): Promise<JournalFile[]> {
  const all = of.map(async (kind) => {
    const names = await world.files.list(join(world.directories.state, directories[kind]));
    const runs = names.filter((name) => name.endsWith(extension)).map((name) => name.slice(0, -extension.length));
    const own = runs.filter(isRunName).sort(compareRuns);
    return own.map((run) => journalOf(world, run, kind));
  });
  return (await Promise.all(all)).flat();
}

type Account = Pick<Server, "site" | "email">;

/** Returns the members of a journal's first line that say whose run it is. */
export const headerAccount = ({ site, email = "" }: Account): Pick<Header, "site" | "account"> => ({
  site,
  account: email,
});

/** Returns the lock of an account: one run at a time on this machine. */
export const accountPath = ({ directories }: Pick<World, "directories">, { site, email = "" }: Account): string =>
  `${directories.state}/organization/${encodeURIComponent(site)}+${encodeURIComponent(email)}`;

/** Returns a hash for the header of a journal: equal for equal inputs. */
export const hashOf = (value: unknown): string => createHash("sha256").update(JSON.stringify(value)).digest("hex");

export const newestFirst = (journals: readonly JournalFile[]): JournalFile[] =>
  [...journals].sort((one, other) => compareRuns(other.run, one.run));

/** Finds the journal of a run that is not in the state directory: the run has its path. Undefined if that is another run's now. */
async function keptElsewhere(world: RunsWorld, run: string): Promise<JournalFile | undefined> {
  for await (const { journal, path } of readRuns(world)) {
    if (journal !== run || path === undefined) continue;
    const header = await headerOf(world, path);
    const kind = header && runKinds.find((each) => header.journal === `zulipctl ${each}`);
    return kind && header.run === run ? { run, path, resumeName: path, kind } : undefined;
  }
  return undefined;
}

/** Returns the first line of a journal. Undefined if there is none. */
async function headerOf({ files }: Pick<World, "files">, path: string): Promise<Header | undefined> {
  const tooLong = () => new Usage(`${path} is not a journal`);
  try {
    for await (const { bytes } of byteLines(files.stream(path), { longest: mostHeaderBytes, tooLong })) {
      const entry = journalLine(bytes.toString("utf8"));
      return entry && "journal" in entry ? entry : undefined;
    }
  } catch {
    // Its run cannot be told.
  }
  return undefined;
}

/** Returns the journal of a run: by name, the last one, or a file. `from`: the flag, for messages. */
export async function findJournal(
  world: World,
  name: string,
  from: string,
  of: readonly RunKind[] = runKinds,
): Promise<JournalFile> {
  if (name !== "last" && !isRunName(name)) return journalIn(world, name, of[0]);
  const all = await listJournals(world, of);
  if (name !== "last") {
    const found = all.find(({ run }) => run === name) ?? (await keptElsewhere(world, name));
    return found ?? journalOf(world, name, of[0] ?? "batch");
  }
  const last = newestFirst(all)[0];
  if (!last) throw new Usage(`${from}: no earlier run found`);
  return last;
}

/** The run of the journal is in its first line: another run may have used the path before. */
async function journalIn(world: World, path: string, kind: RunKind = "batch", newRun?: string): Promise<JournalFile> {
  const found = await world.files.identity(path);
  // A device keeps nothing, and a later run would find no requests.
  if (found && !found.plain) throw new Usage(`${path} is not a regular file: no journal can be kept there`);
  const run = newRun ?? (await headerOf(world, path))?.run ?? "";
  return { run, path, resumeName: path, kind };
}

interface Choosing extends Pick<Context, "world"> {
  readonly run: Pick<Context["run"], "name" | "know">;
}

/** Chooses the journal of a run, and keeps the choice with the run. */
export async function chooseJournal(
  context: Choosing,
  options: { journal?: string; resume?: string; again?: boolean | undefined },
  kind: RunKind = "batch",
): Promise<JournalFile> {
  const chosen = await journalFor(context, options, kind);
  if (options.again && options.resume === undefined) throw new Usage("--again requires --resume");
  if (options.resume !== undefined) await refuseUndone(context.world, chosen.run, options.again);
  await context.run.know({ journal: chosen.run, path: resolve(chosen.path) });
  return chosen;
}

async function journalFor(
  { world, run }: Choosing,
  { journal, resume }: { journal?: string; resume?: string },
  kind: RunKind,
): Promise<JournalFile> {
  if (journal !== undefined && (resume ?? "last") === "last") {
    const found = await journalIn(world, journal, kind, resume === undefined ? await run.name() : undefined);
    // Checked before the user is asked anything.
    if (resume === undefined && (await world.files.identity(journal))) throw alreadyExists(found);
    return found;
  }
  if (resume === undefined) return journalOf(world, await run.name(), kind);
  const found = await findJournal(world, resume, `--resume ${resume}`, [kind]);
  if (journal !== undefined && resolve(journal) !== resolve(found.path))
    throw new Usage(`--resume ${resume} and --journal ${journal} are different journals`);
  return found;
}

/**
 * `finished`: all rows are reported. `unfinished`: rows were not sent or are unknown, or the run did not reach its end.
 */
export interface EarlierRun extends RowCounts {
  run: string;
  began?: string | undefined;
  command?: string | undefined;
  site?: string | undefined;
  account?: string | undefined;
  rows: number;
  state: "finished" | "unfinished" | "unreadable";
  /** Why it cannot be read. */
  error?: string;
  journal: string;
}

const noCounts: RowCounts = { done: 0, refused: 0, unknown: 0, not_sent: 0, invalid: 0 };

const rowsIn = ({ header, moreRows }: JournalReplay): number => (header?.rows ?? 0) + moreRows;

/** Counts known results. Other rows were not sent or unchanged: the journal does not say which. */
export function journalCounts(replay: JournalReplay): RowCounts {
  const counts = { ...noCounts };
  for (const { outcome } of replay.rows().values()) counts[outcome]++;
  counts.not_sent = Math.max(0, rowsIn(replay) - counts.done - counts.refused - counts.unknown);
  return counts;
}

/** Whether a run that reached its end has nothing left to do. */
export const isFinished = (kind: RunKind, { unknown, not_sent }: Pick<RowCounts, "unknown" | "not_sent">): boolean =>
  unknown + (comparesAgain(kind) ? 0 : not_sent) === 0;

export async function earlierRun(
  { files }: Pick<World, "files">,
  { run, path, kind }: Pick<JournalFile, "run" | "path" | "kind">,
): Promise<EarlierRun & { replay: JournalReplay }> {
  const replay = await replayJournal(files, path, kind);
  const { began, command, site, account } = replay.header ?? {};
  const counts = replay.finalCounts ? { ...noCounts, ...replay.finalCounts } : journalCounts(replay);
  return {
    ...{ run, began, command, site, account, rows: rowsIn(replay) },
    ...counts,
    state: replay.finalCounts && isFinished(kind, counts) ? "finished" : "unfinished",
    journal: path,
    replay,
  };
}

/** Lists the runs of the state directory, the newest first. An unreadable one has the reason. */
export async function* earlierRuns(world: Pick<World, "files" | "directories">): AsyncGenerator<EarlierRun> {
  for (const place of newestFirst(await listJournals(world)))
    try {
      const { replay: _, ...found } = await earlierRun(world, place);
      yield found;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const { run, path: journal } = place;
      yield { run, rows: 0, ...noCounts, state: "unreadable", error: error.message, journal };
    }
}
