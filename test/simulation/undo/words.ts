/** What an undo says: which lines of its messages name something that is not back. */
import type { Ledger } from "./ledger.ts";
import type { Ran } from "./machine.ts";
import { isTakenBack } from "./meaning.ts";
import type { Story, Undo } from "./story.ts";
import { thingOf } from "./view.ts";

/** Returns the lines that say what is left alone, or went wrong. The plan and its first lines are no such words. */
export function wordsOf({ ended: { err, out } }: Ran): string[] {
  const found: string[] = [];
  let isOpen = false;
  for (const line of `${err}\n${out}`.split("\n")) {
    const begins = /^(✗|zulipctl:|\s*(ROW|\d+) {2}|\{)/.test(line);
    // Long lines are folded.
    if (isOpen && !begins && line !== "" && !/^[~+-] /.test(line)) found.push(`${found.pop()} ${line.trim()}`);
    else if (begins) found.push(line);
    isOpen = begins || (isOpen && line !== "");
  }
  return found;
}

/** Says that something of the runs is not known. */
export const saysUnknown = (lines: readonly string[]): boolean =>
  lines.some((line) => /not in the log|is not known|cannot be read/.test(line));

/** Says that the log has lost some of the runs. */
export const saysUnlogged = (lines: readonly string[]): boolean =>
  lines.some((line) => line.includes("not in the log"));

/** The plan marks something that had no answer. */
export const saysUnanswered = ({ ended: { err } }: Ran): boolean => err.includes("without an answer to this");

export const saysVerified = ({ ended: { err } }: Ran): boolean => /^zulipctl: verified/m.test(err);

/** Whether a line says that something was changed since. A later run may have set what was there already, unless it was taken back: the ledger does not have that. */
export function saysChanged({ machine }: Story, { ran: undo }: Undo, line: string): boolean {
  const [, name] = /by run (\S+) since/.exec(line) ?? [];
  const session = machine.session.slice(0, machine.session.indexOf(undo));
  const later = session.find((ran) => ran.name === name);
  const hasUndone = ({ means, accepted }: Ran) => later !== undefined && means?.includes(later) && accepted > 0;
  const isUndone = session.some(hasUndone) && later !== undefined && isTakenBack(session, later) === true;
  return /conflict: .*since/.test(line) && (name === undefined || later?.means !== undefined || isUndone);
}

/** The names of what has no name of its own in a plan. */
const called: Readonly<Record<string, readonly string[]>> = {
  // Of a raw request without an answer nothing else is known.
  organization: ["settings", "PATCH /realm", "api: "],
  defaults: ["settings of new people"],
  orders: ["linkifiers", "profile fields", "folders", "order"],
};

/** Returns the names that an undo can use for a thing: all that it ever had, and its id. */
export function namesOf(ledger: Ledger, thing: string): string[] {
  const [kind = "", ...words] = thing.split(" ");
  const texts = ["name", "full_name", "delivery_email", "topic"].flatMap((name) => {
    const key = `${thing}|${name}`;
    return [ledger.view.get(key), ...ledger.of(key).flatMap(({ from, to }) => [from, to])];
  });
  const known = texts.flatMap((text) => (text === undefined ? [] : [String(JSON.parse(text))]));
  const kinds = /^(linkifier|playground|draft|invitation)$/.test(kind) ? [kind] : [];
  return [...(called[kind] ?? []), ...kinds, ...known, words.join(" ")].filter(Boolean);
}

/** Whether one of the lines names the thing of a key. */
export function isNamed(ledger: Ledger, lines: readonly string[], key: string): boolean {
  const [thing = "", value = ""] = key.split("|");
  // Settings stand for themselves.
  const names = [...namesOf(ledger, thing), ...(/^(organization|defaults)$/.test(thing) ? [value] : [])];
  // Values of people go with their profile field.
  if (/^field \d+$/.test(value)) names.push(`profile ${value}`, ...namesOf(ledger, value).slice(0, -1));
  // Messages that were moved together are called after one of them.
  if (thing.startsWith("message ")) {
    const times = new Set(ledger.of(key).map(({ at }) => at));
    names.push(...ledger.writes.flatMap((write) => (times.has(write.at) ? thingOf(write.key) : [])));
  }
  // The ledger has no ids of these.
  if (/^(linkifier|playground|draft) /.test(thing) && lines.some((line) => /(: |; )\d+: /.test(line))) return true;
  // A topic is named by the place where its messages were.
  return lines.some((line) => names.some((name) => line.includes(name)));
}
