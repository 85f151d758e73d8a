/** Finds the journals of runs, names runs, and reads their state. */
import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import type { Server } from "../../client/server.ts";
import {
  alreadyExists,
  type Counts,
  comparesAgain,
  type Header,
  type JournalFile,
  type RunKind,
  runKinds,
} from "../../engine/journal.ts";
import { type JournalReplay, replayJournal } from "../../engine/journal-replay.ts";
import { Failure, Usage } from "../../errors.ts";
import type { World } from "../../world/world.ts";

const directories: Record<RunKind, string> = {
  batch: "batch",
  "org apply": "organization",
  "users offboard": "offboarding",
  "messages delete": "messages-delete",
  "messages move": "messages-move",
  undo: "undo",
};
const extension = ".jsonl";
const isRunName = (text: string): boolean => /^\d{4}-\d\d-\d\dT[\d-]{8}-[a-z0-9]{6}$/.test(text);

/** The number of runs that this process has begun: `each` begins several at once. */
let runs = 0;

/**
 * Names sort by the order in which runs began: milliseconds and a random part follow the time. `after`: the name of the
 * last run. If the clock was ahead then, the new name has a later second than it.
 */
function newRunName({ now, random }: World["clock"], after?: string): string {
  const [date, time = ""] = after?.slice(0, 19).split("T") ?? [];
  const last = after === undefined ? Number.NEGATIVE_INFINITY : Date.parse(`${date}T${time.replaceAll("-", ":")}Z`);
  const began = new Date(last > now() ? last + 1000 : now()).toISOString();
  const mark = Number(began.slice(20, 23)) * 36 ** 4 + Math.floor(random() * 36 ** 4) + runs++;
  return `${began.slice(0, 19).replaceAll(":", "-")}-${mark.toString(36).padStart(6, "0")}`;
}

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
    const own = runs.filter(isRunName).sort();
    return own.map((run) => journalOf(world, run, kind));
  });
  return (await Promise.all(all)).flat();
}

type Account = Pick<Server, "site" | "email">;

/** Returns the members of a journal's first line that say whose run it is. */
export const accountOf = ({ site, email = "" }: Account): Pick<Header, "site" | "account"> => ({
  site,
  account: email,
});

/** Returns the lock of an account: one run at a time on this machine. */
export const accountPath = ({ directories }: Pick<World, "directories">, { site, email = "" }: Account): string =>
  `${directories.state}/organization/${encodeURIComponent(site)}+${encodeURIComponent(email)}`;

/** Returns a hash for the header of a journal: equal for equal inputs. */
export const hashOf = (value: unknown): string => createHash("sha256").update(JSON.stringify(value)).digest("hex");

/** The name of a journal in the log. A path is absolute, so that it can be read from anywhere. */
export const loggedName = ({ run, path, resumeName }: JournalFile): string =>
  run === resumeName ? run : resolve(path);

export const newestFirst = (journals: readonly JournalFile[]): JournalFile[] =>
  [...journals].sort((one, other) => (one.run < other.run ? 1 : -1));

/** Returns the journal of a run: by name, the last one, or a file. `from`: the flag, for messages. */
export async function findJournal(
  world: World,
  name: string,
  from: string,
  of: readonly RunKind[] = runKinds,
): Promise<JournalFile> {
  if (name !== "last" && !isRunName(name)) return journalIn(world, name, of[0]);
  const all = await listJournals(world, of);
  if (name !== "last") return all.find(({ run }) => run === name) ?? journalOf(world, name, of[0] ?? "batch");
  const last = newestFirst(all)[0];
  if (!last) throw new Usage(`${from}: no earlier run found`);
  return last;
}

async function journalIn({ files, clock }: World, path: string, kind: RunKind = "batch"): Promise<JournalFile> {
  const found = await files.identity(path);
  // A device keeps nothing, and a later run would find no requests.
  if (found && !found.plain) throw new Usage(`${path} is not a regular file: no journal can be kept there`);
  return { run: newRunName(clock), path, resumeName: path, kind };
}

export async function chooseJournal(
  world: World,
  { journal, resume }: { journal?: string; resume?: string },
  kind: RunKind = "batch",
): Promise<JournalFile> {
  if (journal !== undefined && (resume ?? "last") === "last") {
    const found = await journalIn(world, journal, kind);
    // Checked before the user is asked anything.
    if (resume === undefined && (await world.files.identity(journal))) throw alreadyExists(found);
    return found;
  }
  if (resume === undefined)
    return journalOf(world, newRunName(world.clock, newestFirst(await listJournals(world))[0]?.run), kind);
  const found = await findJournal(world, resume, `--resume ${resume}`, [kind]);
  if (journal !== undefined && resolve(journal) !== resolve(found.path))
    throw new Usage(`--resume ${resume} and --journal ${journal} are different journals`);
  return found;
}

/**
 * `finished`: all rows are reported. `unfinished`: rows were not sent or are unknown, or the run did not reach its end.
 */
export interface EarlierRun extends Counts {
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

const noCounts: Counts = { done: 0, refused: 0, unknown: 0, not_sent: 0, invalid: 0 };

const rowsIn = ({ header, moreRows }: JournalReplay): number => (header?.rows ?? 0) + moreRows;

/** Counts known results. Other rows were not sent or unchanged: the journal does not say which. */
export function countsOf(replay: JournalReplay): Counts {
  const counts = { ...noCounts };
  for (const { outcome } of replay.rows().values()) counts[outcome]++;
  counts.not_sent = Math.max(0, rowsIn(replay) - counts.done - counts.refused - counts.unknown);
  return counts;
}

/** Whether a run that reached its end has nothing left to do. */
export const isFinished = (kind: RunKind, { unknown, not_sent }: Pick<Counts, "unknown" | "not_sent">): boolean =>
  unknown + (comparesAgain(kind) ? 0 : not_sent) === 0;

export async function earlierRun(
  { files }: Pick<World, "files">,
  { run, path, kind }: Pick<JournalFile, "run" | "path" | "kind">,
): Promise<EarlierRun & { replay: JournalReplay }> {
  const replay = await replayJournal(files, path, kind);
  const { began, command, site, account } = replay.header ?? {};
  const counts = replay.finalCounts ? { ...noCounts, ...replay.finalCounts } : countsOf(replay);
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
