/** Finds the changes of runs in the log, and what came after them. */
import {
  createInvitationLink,
  invitedAddresses,
  revokeInvitation,
  revokeInvitationLink,
  sendInvitations,
} from "../api/invitations.ts";
import { counted, joinFirst } from "../common/counted.ts";
import { Usage } from "../errors.ts";
import type { LogEntry } from "../log/change-log.ts";
import { hasEffect } from "../log/read-log.ts";
import { compareRuns } from "../log/runs.ts";
import { everyKind } from "../model/kinds/index.ts";
import type { History } from "./history.ts";
import { Later } from "./later.ts";
import { withoutTakenBack } from "./taken-back.ts";
import { creationOf, madeKey } from "./things.ts";

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
export interface LoggedRun extends Chosen {
  /** The newest run, for messages. */
  run: string;
  command: string;
  entries: readonly LogEntry[];
  left: readonly string[];
  /** Some of their changes are left alone that the plan does not have. */
  isIncomplete: boolean;
  later: Later;
  /** An undo of them was killed: the log need not have all that it took away. */
  isInterrupted: boolean;
  /** The addresses that the account invited in later runs. */
  invitedLater: ReadonlySet<string>;
  /** The ids and addresses of invitations that these runs, or their undos, revoked. */
  revoked: ReadonlySet<unknown>;
  /** When the account made links in later runs. */
  linkedLater: readonly string[];
  /** The kinds and ids of what the account made in later runs. */
  made: ReadonlySet<string>;
}

const isLink = (operation: string): boolean => operation === createInvitationLink.name;

/** Returns the id of the invitation that an entry revoked, as it is shown, and its address. */
function revokedBy({ operation, at, target }: LogEntry): string[] {
  if (operation === revokeInvitation.name) return [`email:${at?.invite_id}`, target];
  return operation === revokeInvitationLink.name ? [`link:${at?.invite_id}`] : [];
}

/** A later part of the run can have done what had no answer, or have got none again: then the first one counts. */
function isOpen({ outcome, journal, row }: LogEntry, n: number, all: readonly LogEntry[]): boolean {
  if (outcome !== "unknown" || journal === undefined) return true;
  const has = (wanted: string) => (each: LogEntry) =>
    each.outcome === wanted && each.journal === journal && each.row === row;
  return !all.slice(n + 1).some(has("done")) && !all.slice(0, n).some(has("unknown"));
}

/** Counts the changes of runs that the log has lost: their own counts and their journals know of them. */
function lostOf(
  history: History,
  runs: readonly string[],
  found: readonly LogEntry[],
  done: ReadonlyMap<string, number>,
) {
  let lost = 0;
  for (const run of runs) {
    const own = found.filter((entry) => entry.run === run);
    const { ended, lines = 0 } = history.record(run) ?? {};
    const known = ended === undefined ? Math.max(0, ...own.map(({ n = 0 }) => n)) : lines;
    lost += Math.max(0, known - own.length);
  }
  return Math.max(
    lost,
    [...done.values()].reduce((sum, each) => sum + each, 0),
  );
}

/** Adds what the journals of the runs know to have no answer, and the log does not. Counts lines that are lost. */
async function addUnanswered(
  history: History,
  runs: readonly string[],
  found: LogEntry[],
): Promise<Map<string, number>> {
  const lost = new Map<string, number>();
  const isKnown = (entry: LogEntry) =>
    found.some(({ journal, row, outcome }) => outcome === "unknown" && journal === entry.journal && row === entry.row);
  for (const name of new Set(runs.map((run) => history.record(run)?.journal ?? run))) {
    const journal = await history.journal(name);
    if (!journal) continue;
    const rows = new Set(found.flatMap(({ journal, row }) => (journal === name ? [row] : [])));
    if (await isWhole(history, name, runs)) lost.set(name, journal.done.filter((key) => !rows.has(key)).length);
    for (const entry of journal.unanswered) if (!isKnown(entry)) found.push(entry);
  }
  return lost;
}

/** Returns what runs without a journal were sending when they were killed: the last change they kept, if the log lacks it. */
const sendingOf = (history: History, runs: readonly string[], found: readonly LogEntry[]): LogEntry[] =>
  runs.flatMap((name) => {
    const open = history.record(name)?.open;
    return open && !found.some(({ run, n }) => run === name && n === open.n) ? [asStated(open)] : [];
  });

/** Returns the lines of the log with what killed runs were sending, each after the lines of its run. */
function withUnlogged(lines: readonly LogEntry[], found: readonly LogEntry[]): LogEntry[] {
  const all = [...lines];
  for (const entry of found) {
    if (all.includes(entry)) continue;
    const next = all.findIndex(({ run }) => compareRuns(run, entry.run) > 0);
    all.splice(next < 0 ? all.length : next, 0, entry);
  }
  return all;
}

/** Adds the ids that the run found in a list when it ended. */
function withIds(history: History, entry: LogEntry): LogEntry {
  const ids = history.record(entry.run)?.made?.[String(entry.n)];
  return ids && !entry.ids ? { ...entry, ids: [...ids] } : entry;
}

/** Returns whether all parts of a run that changed something are named. Others have lines of their own. */
async function isWhole(history: History, run: string, named: readonly string[]): Promise<boolean> {
  for (const part of history.partsOf(run)) if (!named.includes(part) && (await history.hasChanged(part))) return false;
  return true;
}

/** Returns the entry of a raw request as that of its operation. */
function asStated(entry: LogEntry): LogEntry {
  const { stated, thing, to } = entry;
  if (stated === undefined) return entry;
  const [, made] = everyKind.find(([, { create }]) => create.includes(stated)) ?? [];
  const name = to?.[made?.title ?? "name"] ?? entry.target;
  return { ...entry, operation: stated, target: thing?.replace(/^.* /, "") ?? String(name) };
}

/** Gathers the changes of runs. Throws `Usage` if the log does not have the runs, or they are of another account. */
export async function loggedRun(history: History, chosen: Chosen, account?: LoggedAccount): Promise<LoggedRun> {
  const { title, isSeveral = false } = chosen;
  const runs = await withoutTakenBack(history, chosen.runs);
  const wanted = new Set(runs);
  const isOwn = ({ site, account: email }: LogEntry) => !account || (site === account.site && email === account.email);
  const isPart = ({ run, journal }: LogEntry) =>
    wanted.has(run) || (journal !== undefined && wanted.has(journal) && !history.record(run));
  const all = (await history.since(runs)).map((entry) => asStated(withIds(history, entry)));
  const found = all.filter(isPart);
  const sending = sendingOf(history, runs, found);
  const done = await addUnanswered(history, runs, found);
  found.push(...sending);
  const newest = runs.at(-1) ?? "";
  const { unreadable } = history;
  if (!found.length && !runs.some((run) => history.record(run)))
    throw new Usage(`${runs.length === 1 ? `run "${newest}"` : title} not found in the log`, {
      outcome: "not_sent",
      hint: unreadable
        ? `${counted(unreadable, "line")} of the log cannot be read. See: zulipctl log`
        : "List runs with: zulipctl log",
    });
  const own = found.filter(isOwn);
  const [other] = found.filter((entry) => !isOwn(entry));
  if (other && !own.length && !isSeveral)
    throw new Usage(`${title} was made as ${other.account ?? "nobody"} on ${other.site}`, {
      outcome: "not_sent",
      hint: "Use that account: --profile, or the environment.",
    });
  const lost = lostOf(history, runs, found, done);
  const others = found.length - own.length;
  const unknown: string[] = [];
  for (const run of runs) {
    const record = history.record(run);
    // A long run keeps only its first changes, and no large ones.
    const isKept = sending.some((entry) => entry.run === run);
    const isKilled = record?.sends === true && record.ended === undefined && !isKept;
    if (isKilled && !(await history.journal(record.journal ?? run))) unknown.push(run);
  }
  const parts = new Set(found.map(({ run }) => run));
  const isResumed = !isSeveral && parts.size > 1;
  const back = chosen.runs.filter((run) => !runs.includes(run));
  const left = [
    ...(back.length ? [`taken back already: ${titleOfRuns(back)}`] : []),
    ...(isResumed
      ? [
          `runs ${joinFirst([...parts])} are parts of one, and are taken back together. Only the last: zulipctl undo ${newest}`,
        ]
      : []),
    ...(lost ? [`${counted(lost, "change")} of this run ${lost === 1 ? "is" : "are"} not in the log: left alone`] : []),
    ...unknown.map(
      (run) => `run ${run} ended while it sent a change: what it changed is not known, so look at the server`,
    ),
    ...(unreadable
      ? [
          `${counted(unreadable, "line")} of the log cannot be read: changes in ${unreadable === 1 ? "it" : "them"} are left alone`,
        ]
      : []),
    ...(others
      ? [`${counted(others, "change")} of another account or site ${others === 1 ? "is" : "are"} left alone`]
      : []),
  ];
  const redone = new Set<string>();
  for (const { run, undoes } of history.runs)
    if (undoes?.some((each) => wanted.has(each)) && (await history.isTakenBack(run))) redone.add(run);
  const isUndo = ({ run }: LogEntry) =>
    history.record(run)?.undoes?.some((each) => wanted.has(each)) && !redone.has(run);
  const since = all.filter((entry) => !isPart(entry) && isOwn(entry) && hasEffect(entry));
  return {
    ...chosen,
    runs,
    run: isResumed ? (runs[0] ?? newest) : newest,
    command: own.at(-1)?.command ?? `zulipctl ${history.record(newest)?.command ?? ""}`,
    entries: own.filter(isOpen),
    left,
    isIncomplete: lost + others + unknown.length > 0,
    later: new Later(
      withUnlogged(all, found).filter(({ site }) => !account || site === account.site),
      wanted,
      isPart,
      (run) => history.record(run)?.undoes ?? [],
      redone,
    ),
    isInterrupted: history.runs.some(
      ({ undoes, sends, ended }) => sends && ended === undefined && undoes?.some((run) => wanted.has(run)),
    ),
    invitedLater: new Set(
      since.flatMap(({ operation, to }) =>
        operation === sendInvitations.name ? invitedAddresses(to?.invitee_emails) : [],
      ),
    ),
    revoked: new Set(
      all.flatMap((entry) => (entry.outcome === "done" && (isPart(entry) || isUndo(entry)) ? revokedBy(entry) : [])),
    ),
    linkedLater: since.flatMap(({ operation, time }) => (isLink(operation) ? [time] : [])),
    made: new Set(
      since.flatMap((entry) => (creationOf(entry) ? (entry.ids ?? []).map((id) => madeKey(entry, id)) : [])),
    ),
  };
}
