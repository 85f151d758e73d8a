/** What the log does not have of runs: changes that journals and runs that were killed know, and lines that are lost. */
import type { LogEntry } from "../log/change-log.ts";
import { compareRuns } from "../log/runs.ts";
import { everyKind } from "../model/kinds/index.ts";
import type { History } from "./history.ts";

export interface Unlogged {
  /** Changes without an answer. */
  readonly entries: readonly LogEntry[];
  /** The number of changes that are not known. */
  readonly lost: number;
  /** Runs that were killed while they sent something. What it was is not known. */
  readonly killed: readonly string[];
}

/** Returns the entry of a raw request as that of its operation. */
export function asStated(entry: LogEntry): LogEntry {
  const { stated, thing, to } = entry;
  if (stated === undefined) return entry;
  const [, made] = everyKind.find(([, { create }]) => create.includes(stated)) ?? [];
  const name = to?.[made?.title ?? "name"] ?? entry.target;
  return { ...entry, operation: stated, target: thing?.replace(/^.* /, "") ?? String(name) };
}

/** Returns what runs without a journal were sending when they were killed: the last change they kept, if the log lacks it. */
const sendingOf = (history: History, runs: readonly string[], found: readonly LogEntry[]): LogEntry[] =>
  runs.flatMap((name) => {
    const open = history.record(name)?.open;
    return open && !found.some(({ run, n }) => run === name && n === open.n) ? [asStated(open)] : [];
  });

/** Returns whether all parts of a run that changed something are named. Others have lines of their own. */
async function isWhole(history: History, run: string, named: readonly string[]): Promise<boolean> {
  for (const part of history.partsOf(run)) if (!named.includes(part) && (await history.hasChanged(part))) return false;
  return true;
}

/** Adds what the journals of the runs know to have no answer, and the log does not. Returns how many lines are lost. */
async function addUnanswered(history: History, runs: readonly string[], found: LogEntry[]): Promise<number> {
  let lost = 0;
  const isKnown = (entry: LogEntry) =>
    found.some(({ journal, row, outcome }) => outcome === "unknown" && journal === entry.journal && row === entry.row);
  for (const name of new Set(runs.map((run) => history.record(run)?.journal ?? run))) {
    const journal = await history.journal(name);
    if (!journal) continue;
    const parts = history.partsOf(name);
    // A part that was killed need not have the lines of all that it did.
    const isKilled = (part: string) => runs.includes(part) && history.record(part)?.ended === undefined;
    if (parts.some(isKilled) || (await isWhole(history, name, runs))) {
      const lines = await history.since(parts);
      const rows = new Set(lines.flatMap(({ journal, row }) => (journal === name ? [row] : [])));
      lost += journal.done.filter((key) => !rows.has(key)).length;
    }
    for (const entry of journal.unanswered) if (!isKnown(entry)) found.push(entry);
  }
  return lost;
}

/** Counts the changes of runs that are not found, as far as the runs know. */
function notFound(history: History, runs: readonly string[], found: readonly LogEntry[]): number {
  let lost = 0;
  for (const run of runs) {
    const own = found.filter((entry) => entry.run === run);
    const { ended, lines = 0 } = history.record(run) ?? {};
    const known = ended === undefined ? Math.max(0, ...own.map(({ n = 0 }) => n)) : lines;
    lost += Math.max(0, known - own.length);
  }
  return lost;
}

/** Returns the runs that were killed while they sent something. `kept`: what such runs were sending. */
async function killedRuns(history: History, runs: readonly string[], kept: readonly LogEntry[]): Promise<string[]> {
  const killed: string[] = [];
  for (const run of runs) {
    const record = history.record(run);
    // A long run keeps only its first changes, and no large ones.
    const isKept = kept.some((entry) => entry.run === run);
    const isKilled = record?.sends === true && record.ended === undefined && !isKept;
    if (isKilled && !(await history.journal(record.journal ?? run))) killed.push(run);
  }
  return killed;
}

/** `logged`: the lines of the runs. */
export async function unloggedOf(
  history: History,
  runs: readonly string[],
  logged: readonly LogEntry[],
): Promise<Unlogged> {
  const sending = sendingOf(history, runs, logged);
  const found = [...logged];
  const ofJournals = await addUnanswered(history, runs, found);
  found.push(...sending);
  const lost = Math.max(notFound(history, runs, found), ofJournals);
  return { entries: found.slice(logged.length), lost, killed: await killedRuns(history, runs, sending) };
}

/** Returns the lines of the log with changes that it does not have, each after the lines of its run. */
export function withUnlogged(lines: readonly LogEntry[], unlogged: readonly LogEntry[]): LogEntry[] {
  const all = [...lines];
  for (const entry of unlogged) {
    const next = all.findIndex(({ run }) => compareRuns(run, entry.run) > 0);
    all.splice(next < 0 ? all.length : next, 0, entry);
  }
  return all;
}
