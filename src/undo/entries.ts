/** Finds the changes of a run in the log. */
import { resolve } from "node:path";
import { addressesOf, createInvitationLink, sendInvitations } from "../api/invitations.ts";
import { counted, joinFirst } from "../common/counted.ts";
import { Usage } from "../errors.ts";
import { type LogEntry, logSize } from "../log/change-log.ts";
import { readLog } from "../log/read-log.ts";
import type { World } from "../world/world.ts";
import { creationOf, madeKey } from "./things.ts";

interface Account {
  site: string;
  email?: string | undefined;
}

/**
 * The changes of a run, the oldest first. `left`: sentences about what is left alone, or taken back too. `invitedLater`:
 * the addresses that the account invited in later runs.
 */
export interface LoggedRun {
  run: string;
  command: string;
  entries: readonly LogEntry[];
  left: readonly string[];
  invitedLater: ReadonlySet<string>;
  /** When the account made links in later runs. */
  linkedLater: readonly string[];
  /** The kinds and ids of what the account made in later runs. */
  made: ReadonlySet<string>;
}

const isLink = (operation: string): boolean => operation === createInvitationLink.name;

/** Refusals changed nothing, nor did changes that the server ignored as a whole. */
export const changed = ({ outcome, ignored, to, ids }: LogEntry): boolean =>
  outcome !== "refused" && !(ignored && !ids && to && !Object.keys(to).length);

/** A later part of the run can have done what had no answer, or have got none again: then the first one counts. */
function isOpen({ outcome, journal, row }: LogEntry, n: number, all: readonly LogEntry[]): boolean {
  if (outcome !== "unknown" || journal === undefined) return true;
  const has = (wanted: string) => (each: LogEntry) =>
    each.outcome === wanted && each.journal === journal && each.row === row;
  return !all.slice(n + 1).some(has("done")) && !all.slice(0, n).some(has("unknown"));
}

/** Returns what has no answer in a journal, or in those that began after `since`. */
type Unanswered = (journal?: string, since?: string) => Promise<readonly LogEntry[]>;

/** Adds what the journals of the run know to have no answer, and the log does not. `found`: the newest first. */
async function addUnanswered(
  found: LogEntry[],
  name: string,
  isOwn: (entry: LogEntry) => boolean,
  unanswered: Unanswered,
): Promise<void> {
  const [newest] = found;
  const isKnown = (entry: LogEntry) =>
    found.some(({ journal, row, outcome }) => outcome === "unknown" && journal === entry.journal && row === entry.row);
  const journals = new Set(found.flatMap(({ journal }) => journal ?? []));
  if (!newest && name !== "last") journals.add(name);
  for (const journal of journals)
    for (const entry of await unanswered(journal))
      if (!isKnown(entry)) found.unshift({ ...entry, run: newest?.run ?? entry.run });
  if (name !== "last") return;
  // A run that was killed while it sent its first change has no line.
  const killed = (await unanswered(undefined, newest?.time)).filter(
    (entry) => isOwn(entry) && !journals.has(entry.journal ?? ""),
  );
  if (killed.length) found.splice(0, found.length, ...killed.filter(({ run }) => run === killed[0]?.run));
}

/** Finds a run by its name, by that of its journal, or the newest one of the account. Throws `Usage` if there is none. */
export async function loggedRun(
  world: Pick<World, "files" | "directories">,
  name: string,
  account?: Account,
  unanswered: Unanswered = async () => [],
): Promise<LoggedRun> {
  let unreadable = 0;
  let newest: LogEntry | undefined;
  const isOwn = ({ site, account: email }: LogEntry) => !account || (site === account.site && email === account.email);
  let files = 0;
  /** The first line of the file that is read. */
  let oldest: LogEntry | undefined;
  // The log has the absolute path of a journal.
  const isNamed = ({ run, journal }: LogEntry) => run === name || journal === name || journal === resolve(name);
  /** Of later runs, what they made and whom they invited matters, too. */
  const isRelated = (entry: LogEntry) =>
    entry.operation === sendInvitations.name || isLink(entry.operation) || creationOf(entry) !== undefined;
  const isNeeded = (entry: LogEntry) => {
    oldest ??= entry;
    return name === "last" || isNamed(entry) || isRelated(entry);
  };
  /** Undo takes back all that a resumed run did. */
  const isPartOf = (one: LogEntry, { run, journal }: LogEntry) =>
    run === one.run || (account !== undefined && journal !== undefined && journal === one.journal);
  const found: LogEntry[] = [];
  const invitedLater = new Set<string>();
  const linkedLater: string[] = [];
  const made = new Set<string>();
  let earlier = 0;
  // A run may go on in older files, but leaves out none. The runs of a journal may be days apart.
  const isEnough = () => {
    const isComplete = found.length > 0 && found.length === earlier && found[0]?.journal !== name;
    earlier = found.length;
    if (isComplete) return true;
    files++;
    oldest = undefined;
    return false;
  };
  for await (const entry of readLog(world, isNeeded, () => unreadable++, isEnough)) {
    if (name === "last" && newest === undefined && isOwn(entry) && changed(entry)) newest = entry;
    if (name === "last" ? newest && isPartOf(newest, entry) : isNamed(entry)) found.push(entry);
    else if (found.length || !isRelated(entry) || !isOwn(entry) || !changed(entry)) continue;
    else if (isLink(entry.operation)) linkedLater.push(entry.time);
    else if (creationOf(entry)) for (const id of entry.ids ?? []) made.add(madeKey(entry, id));
    else for (const address of addressesOf(entry.to?.invitee_emails)) invitedLater.add(address);
  }
  await addUnanswered(found, name, isOwn, unanswered);
  const lines = unreadable ? `${counted(unreadable, "line")} of the log cannot be read` : undefined;
  const [first] = found;
  if (!first)
    throw new Usage(
      name === "last"
        ? `the log has no changes${account ? ` by ${account.email ?? "nobody"} on ${account.site}` : ""}`
        : `run "${name}" not found in the log`,
      { outcome: "not_sent", hint: lines ? `${lines}. See: zulipctl log` : "List runs with: zulipctl log" },
    );
  const own = found.filter(isOwn);
  const entries = own.toReversed().filter(isOpen);
  if (!entries.length)
    throw new Usage(`run "${name}" was made as ${first.account ?? "nobody"} on ${first.site}`, {
      outcome: "not_sent",
      hint: "Use that account: --profile, or the environment.",
    });
  const others = found.length - own.length;
  const isCut = files > logSize.olderFiles && oldest?.run === first.run;
  const runs = name === "last" ? [...new Set([...entries, first].map(({ run }) => run))] : [];
  const isResumed = runs.length > 1 && first.journal !== undefined;
  const left = [
    ...(isResumed
      ? [
          `runs ${joinFirst(runs)} are parts of one, and are taken back together. Only the last: zulipctl undo ${first.run}`,
        ]
      : []),
    ...(isCut
      ? [`run ${first.run} is the oldest in the log: earlier changes of it may be gone, and are left alone`]
      : []),
    ...(lines ? [`${lines}: changes in ${unreadable === 1 ? "it" : "them"} are left alone`] : []),
    ...(others
      ? [`${counted(others, "change")} of another account or site ${others === 1 ? "is" : "are"} left alone`]
      : []),
  ];
  const run = (isResumed ? first.journal : undefined) ?? first.run;
  return { run, command: first.command, entries, left, invitedLater, linkedLater, made };
}
