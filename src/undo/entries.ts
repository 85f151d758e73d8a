/** Finds the changes of runs in the log. */
import { counted, joinFirst } from "../common/counted.ts";
import { Usage } from "../errors.ts";
import type { LogEntry } from "../log/change-log.ts";
import type { History } from "./history.ts";
import { type LaterRuns, laterRuns } from "./later-runs.ts";
import { withoutTakenBack } from "./taken-back.ts";
import { asStated, type Unlogged, unloggedOf, withUnlogged } from "./unlogged.ts";

export interface LoggedAccount {
  site: string;
  email?: string | undefined;
}

/** The runs that are meant. */
export interface Chosen {
  /** The oldest first. */
  readonly runs: readonly string[];
  /** What they are called: `run 20260115-1`. */
  readonly title: string;
  /** They are a job, or named together: changes of other accounts are left out. */
  readonly isSeveral?: boolean;
}

export const titleOfRuns = (runs: readonly string[]): string =>
  runs.length === 1 ? `run ${runs[0]}` : `runs ${joinFirst([...runs])}`;

/** The changes of runs, the oldest first. `left`: sentences about what is left alone, or taken back too. */
export interface LoggedRun extends Chosen, LaterRuns {
  /** The newest run, for messages. */
  run: string;
  command: string;
  entries: readonly LogEntry[];
  left: readonly string[];
  /** Some of their changes are left alone that the plan does not have. */
  isIncomplete: boolean;
}

/** A later part of the run can have done what had no answer, or have got none again: then the first one counts. */
function isOpen({ outcome, journal, row }: LogEntry, n: number, all: readonly LogEntry[]): boolean {
  if (outcome !== "unknown" || journal === undefined) return true;
  const has = (wanted: string) => (each: LogEntry) =>
    each.outcome === wanted && each.journal === journal && each.row === row;
  return !all.slice(n + 1).some(has("done")) && !all.slice(0, n).some(has("unknown"));
}

/** Adds the ids that the run found in a list when it ended. */
function withIds(history: History, entry: LogEntry): LogEntry {
  const ids = history.record(entry.run)?.made?.[String(entry.n)];
  return ids && !entry.ids ? { ...entry, ids: [...ids] } : entry;
}

interface FoundChanges extends Unlogged {
  readonly runs: readonly string[];
  readonly title: string;
  /** All changes of the runs, and those of the account. */
  readonly all: readonly LogEntry[];
  readonly own: readonly LogEntry[];
  /** Runs that were taken back already. */
  readonly back: readonly string[];
  /** The run, or its parts if it was resumed. Empty for several runs. */
  readonly parts: readonly string[];
}

/** Throws `Usage` if the log does not have the runs. */
function refuseUnknown(history: History, { runs, title, all }: FoundChanges): void {
  if (all.length || runs.some((run) => history.record(run))) return;
  const { unreadable } = history;
  throw new Usage(`${runs.length === 1 ? `run "${runs[0]}"` : title} not found in the log`, {
    outcome: "not_sent",
    hint: unreadable
      ? `${counted(unreadable, "line")} of the log cannot be read. See: zulipctl log`
      : "List runs with: zulipctl log",
  });
}

/** Throws `Usage` if another account made all changes. */
function refuseOthers({ title, all: [other], own }: FoundChanges): void {
  if (!other || own.length) return;
  throw new Usage(`${title} was made as ${other.account ?? "nobody"} on ${other.site}`, {
    outcome: "not_sent",
    hint: "Use that account: --profile, or the environment.",
  });
}

/** Returns sentences about what is left alone, or taken back too. */
function sentencesAbout(
  { unreadable }: History,
  { runs, all, own, back, parts, lost, killed }: FoundChanges,
): string[] {
  const left: string[] = [];
  const others = all.length - own.length;
  if (back.length) left.push(`taken back already: ${titleOfRuns(back)}`);
  if (parts.length > 1) {
    const together = `runs ${joinFirst(parts)} are parts of one, and are taken back together`;
    left.push(`${together}. Only the last: zulipctl undo ${runs.at(-1)}`);
  }
  if (lost) left.push(`${counted(lost, "change")} of this run ${lost === 1 ? "is" : "are"} not in the log: left alone`);
  for (const run of killed)
    left.push(`run ${run} ended while it sent a change: what it changed is not known, so look at the server`);
  if (unreadable) {
    const lines = `${counted(unreadable, "line")} of the log cannot be read`;
    left.push(`${lines}: changes in ${unreadable === 1 ? "it" : "them"} are left alone`);
  }
  if (others)
    left.push(`${counted(others, "change")} of another account or site ${others === 1 ? "is" : "are"} left alone`);
  return left;
}

/** Gathers the changes of runs. Throws `Usage` if the log does not have the runs, or they are of another account. */
export async function loggedRun(history: History, chosen: Chosen, account?: LoggedAccount): Promise<LoggedRun> {
  const { title, isSeveral = false } = chosen;
  const runs = await withoutTakenBack(history, chosen.runs);
  const wanted = new Set(runs);
  const isPart = ({ run, journal }: LogEntry) =>
    wanted.has(run) || (journal !== undefined && wanted.has(journal) && !history.record(run));
  const isOnSite = ({ site }: LogEntry) => !account || site === account.site;
  const isOwn = (entry: LogEntry) => isOnSite(entry) && (!account || entry.account === account.email);

  const logged = (await history.since(runs)).map((entry) => asStated(withIds(history, entry)));
  const ofRuns = logged.filter(isPart);
  const unlogged = await unloggedOf(history, runs, ofRuns);
  const all = [...ofRuns, ...unlogged.entries];
  const own = all.filter(isOwn);
  const back = chosen.runs.filter((run) => !runs.includes(run));
  const parts = isSeveral ? [] : [...new Set(all.map(({ run }) => run))];
  const found: FoundChanges = { ...unlogged, title, runs, all, own, back, parts };
  refuseUnknown(history, found);
  if (!isSeveral) refuseOthers(found);

  const newest = runs.at(-1) ?? "";
  const known = withUnlogged(logged, unlogged.entries).filter(isOnSite);
  return {
    ...chosen,
    ...(await laterRuns(history, { runs: wanted, logged, known, isPart, isOwn })),
    runs,
    run: parts.length > 1 ? (runs[0] ?? newest) : newest,
    command: own.at(-1)?.command ?? `zulipctl ${history.record(newest)?.command ?? ""}`,
    entries: own.filter(isOpen),
    left: sentencesAbout(history, found),
    isIncomplete: unlogged.lost + unlogged.killed.length + (all.length - own.length) > 0,
  };
}
