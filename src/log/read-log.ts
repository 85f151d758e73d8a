/** Reads the log back, the newest line first, for programs and for people. */

import { counted, joinFirst } from "../common/counted.ts";
import { membersOfJson } from "../common/object-members.ts";
import { MiB } from "../common/unit-sizes.ts";
import { asError, Usage, unexpected } from "../errors.ts";
import { fits } from "../wire/fits.ts";
import type { World } from "../world/world.ts";
import { type LogEntry, logPath, logSize } from "./change-log.ts";
import { entryMembers } from "./entry-members.ts";
import { rollingLines } from "./rolling-lines.ts";

/** Refusals changed nothing, nor did changes that the server ignored as a whole. */
export const hasEffect = ({ outcome, ignored, to, ids }: LogEntry): boolean =>
  outcome !== "refused" && !(ignored && !ids && to && !Object.keys(to).length);

/** The largest number of bytes of a line. This program writes no longer ones. */
const maxLineBytes = 32 * MiB;

const hasMembersOfEntry = fits(entryMembers);

const isEntry = (value: unknown): value is LogEntry => hasMembersOfEntry(value);

/** Undefined for a line that a full disk cut, or another program wrote. */
function entryOf(text: string): LogEntry | undefined {
  const value = membersOfJson(text);
  return isEntry(value) ? value : undefined;
}

async function* entriesOf(
  { files, directories }: Pick<World, "files" | "directories">,
  isChosen: (entry: LogEntry) => boolean,
  onUnreadable: () => void,
): AsyncGenerator<LogEntry> {
  for await (const bytes of rollingLines({ files }, logPath(directories.state), logSize, maxLineBytes)) {
    const entry = bytes && entryOf(bytes.toString("utf8"));
    if (entry && isChosen(entry)) yield entry;
    if (!entry && bytes?.length !== 0) onUnreadable();
  }
}

/**
 * Yields the chosen entries. `onUnreadable` is called for each invalid line, which stops nothing but itself. Throws `Usage` if
 * a file cannot be read.
 */
export async function* readLog(...asked: Parameters<typeof entriesOf>): AsyncGenerator<LogEntry> {
  try {
    yield* entriesOf(...asked);
  } catch (error) {
    throw new Usage(`cannot read the log: ${unexpected(asError(error)).message}`, { cause: error });
  }
}

/** The largest number of members that a line names. */
const mostNames = 10;

const belongTogether = (one: LogEntry, other: LogEntry): boolean =>
  [one, other].every(({ added, removed }) => added ?? removed) &&
  (["run", "site", "account", "operation", "outcome"] as const).every((name) => one[name] === other[name]) &&
  (one.thing ?? one.target) === (other.thing ?? other.target);

/** Joins the lines about members of a thing in one run. The newest comes first. */
export async function* merged(all: AsyncIterable<LogEntry>): AsyncGenerator<LogEntry> {
  let group: LogEntry[] = [];
  const joined = (): LogEntry[] => {
    const [newest] = group;
    if (!newest || group.length === 1) return group;
    const oldestFirst = group.toReversed();
    const added = oldestFirst.flatMap((entry) => entry.added ?? []);
    const removed = oldestFirst.flatMap((entry) => entry.removed ?? []);
    return [{ ...newest, ...(added.length && { added }), ...(removed.length && { removed }) }];
  };
  for await (const entry of all) {
    const [newest] = group;
    if (newest && belongTogether(newest, entry)) group.push(entry);
    else {
      yield* joined();
      group = [entry];
    }
  }
  yield* joined();
}

const membersText = (did: string, names: readonly string[] | undefined, where: string): string[] => {
  if (!names) return [];
  const [one, many] = names.some((name) => name.startsWith("group ")) ? ["member", "members"] : ["person", "people"];
  return [`${did} ${counted(names.length, one, many)} ${where}: ${joinFirst(names, mostNames)}`];
};

export const ignoredText = (names: LogEntry["ignored"]): string | undefined =>
  names && `the server ignored ${names.join(", ")}`;

/** `added 3 people to devs: Ada, Bo, Cy`, `invite_required: true → false`, `folder.create (name: "Work")`. */
export function changeText({ operation, target, outcome, changes = [], added, removed, ignored }: LogEntry): string {
  const done = outcome === "done";
  const all = [
    ...membersText(done ? "added" : "add", added, `to ${target}`),
    ...membersText(done ? "removed" : "remove", removed, `from ${target}`),
    ...(operation.endsWith(".update") ? changes : []),
  ];
  const isNamed = all.length > 0 || (ignored && operation.endsWith(".update"));
  const made = isNamed ? all : [changes.length ? `${operation} (${changes.join(", ")})` : operation];
  return [...made, ignoredText(ignored)].filter(Boolean).join(", ");
}
