/** Entries in words: one line for all that one request did. */
import { firstOf } from "../counted.ts";
import type { Entry, Told } from "./entry.ts";
import type { Thing } from "./names.ts";

export interface Line {
  time: string;
  by: string;
  change: string;
  /** How many entries it tells. */
  entries: number;
  destructive: boolean;
}

/** Characters of a text that a line shows. */
const longest = 60;

export const label = (thing: Thing | null): string => {
  if (!thing) return "";
  const name = thing.name ?? thing.email ?? (thing.id === null ? thing.kind : `id:${thing.id}`);
  return thing.kind === "channel" ? `#${name}` : name;
};

function shown(value: unknown): string {
  const text = typeof value === "string" ? JSON.stringify(value) : JSON.stringify(value ?? null);
  const bare = typeof value === "string" && /^[\w:. -]+$/.test(value) ? value : text;
  const characters = [...bare];
  return characters.length > longest ? `${characters.slice(0, longest - 1).join("")}…` : bare;
}

function sentenceOf({ entry, sentence }: Told, subjects: readonly Thing[]): string {
  const [only] = subjects;
  const subject =
    subjects.length > 1 ? `${subjects.length} ${only?.kind === "group" ? "groups" : "people"}` : label(only ?? null);
  const words: Readonly<Record<string, () => string>> = {
    target: () => label(entry.target),
    subject: () => subject,
    property: () => entry.property ?? "",
    from: () => shown(entry.from),
    to: () => shown(entry.to),
  };
  const line = sentence.replace(/\{(\w+)\}/g, (whole, name: string) => words[name]?.() ?? whole);
  return subjects.length > 1 ? `${line}: ${firstOf(subjects.map(label), 3)}` : line;
}

/** Milliseconds within which one request writes its entries. */
const moment = 1000;

const together = (a: Entry, b: Entry): boolean =>
  a.subject !== null &&
  b.subject !== null &&
  a.action === b.action &&
  a.by?.id === b.by?.id &&
  a.target?.id === b.target?.id &&
  Math.abs(Date.parse(a.time) - Date.parse(b.time)) <= moment;

/** A line for each entry, one for those of one request. */
export function* linesOf(all: Iterable<Told>): Generator<Line> {
  let group: Told[] = [];
  const line = (): Line => {
    const first = group[0]!;
    const { time, by, destructive } = first.entry;
    const subjects = group.flatMap(({ entry: { subject } }) => (subject ? [subject] : []));
    return { time, by: by?.name ?? "", change: sentenceOf(first, subjects), entries: group.length, destructive };
  };
  for (const one of all) {
    if (group.length > 0 && !together(group[0]!.entry, one.entry)) {
      yield line();
      group = [];
    }
    group.push(one);
  }
  if (group.length > 0) yield line();
}
