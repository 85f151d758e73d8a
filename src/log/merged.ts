/** The lines of the log as people read them: one for all members that a run has added to a thing, or removed from it. */
import { counted, firstOf } from "../counted.ts";
import type { LogEntry } from "./entry.ts";

/** Members that are named. */
const named = 10;

const hasMembers = ({ added, removed }: LogEntry): boolean => added !== undefined || removed !== undefined;

const belongTogether = (one: LogEntry, other: LogEntry): boolean =>
  hasMembers(one) &&
  hasMembers(other) &&
  (["run", "site", "account", "operation", "outcome"] as const).every((name) => one[name] === other[name]) &&
  (one.thing ?? one.target) === (other.thing ?? other.target);

/** `all` are the newest first, as is what it gives. */
export async function* merged(all: AsyncIterable<LogEntry>): AsyncGenerator<LogEntry> {
  let group: LogEntry[] = [];
  const whole = (): LogEntry[] => {
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
      yield* whole();
      group = [entry];
    }
  }
  yield* whole();
}

const membersText = (did: string, names: readonly string[] | undefined, where: string): string[] => {
  if (!names) return [];
  const [one, many] = names.some((name) => name.startsWith("group ")) ? ["member", "members"] : ["person", "people"];
  return [`${did} ${counted(names.length, one, many)} ${where}: ${firstOf(names, named)}`];
};

/** `added 3 people to devs: Ada, Bo, Cy`, `invite_required: true → false`, `folder.create (name: "Work")`. */
export function changeText({ operation, target, outcome, changes = [], added, removed }: LogEntry): string {
  const done = outcome === "done";
  const all = [
    ...membersText(done ? "added" : "add", added, `to ${target}`),
    ...membersText(done ? "removed" : "remove", removed, `from ${target}`),
    ...(operation.endsWith(".update") ? changes : []),
  ];
  if (all.length) return all.join(", ");
  return changes.length ? `${operation} (${changes.join(", ")})` : operation;
}
