/** Formats a record as a sentence. */

import { joinFirst } from "../common/counted.ts";
import { groupBy } from "../common/group-by.ts";
import { truncate } from "../common/truncate.ts";
import { fillIn, isPermissionText, longestValue, mostNames, valueText } from "../notation/change-text.ts";
import { jsonText, sanitizeLine } from "../output/sanitize.ts";
import type { NamedThing } from "./names.ts";
import type { WatchedChange, WatchRecord } from "./records.ts";

const nouns: Readonly<Record<string, string>> = {
  user: "",
  bot: "bot ",
  setting: "",
  default_setting: "default setting ",
  profile_field: "profile field ",
  channel: "#",
};

function label({ kind, id, name, email }: NamedThing): string {
  const nameText = name || email || (id === null ? "" : String(id));
  return `${nouns[kind] ?? `${kind} `}${nameText}`;
}

function textOf(property: string | null, value: unknown): string {
  const isPlain = typeof value === "number" || (property === "message_retention_days" && value === null);
  const text = isThing(value)
    ? label(value)
    : isPlain || isPermissionText(value)
      ? valueText(property, value)
      : typeof value === "string" && value !== ""
        ? value
        : jsonText(value ?? null);
  return truncate(sanitizeLine(text), longestValue);
}

/** Joins records of one event that differ only in the people or groups, such as sixty new subscribers. */
export function inSentences(all: readonly WatchedChange[]): { records: WatchRecord[]; sentence: string }[] {
  const groups = groupBy(all, (one) => {
    const { action, target, from, to } = one.record;
    return isThing(from ?? to) && (from === null || to === null) ? jsonText([action, target.id]) : one;
  });
  return [...groups.values()].map((group) => ({
    records: group.map(({ record }) => record),
    sentence: sentenceOf(group),
  }));
}

const isThing = (value: unknown): value is NamedThing =>
  typeof value === "object" && value !== null && "kind" in value && "id" in value;

function sentenceOf([first, ...more]: readonly [WatchedChange, ...WatchedChange[]]): string {
  const { target, property, missed } = first.record;
  const values = (of: "from" | "to") => [first, ...more].map(({ record }) => textOf(record.property, record[of]));
  const isSetting = target.kind === "setting" || target.kind === "default_setting";
  // A setting is its own property.
  const pattern = isSetting ? first.sentence.replace("{target}: {property}", "{target}") : first.sentence;
  const plural = more.length ? pattern.replace(/\} was /, "} were ") : pattern;
  const text = fillIn(plural, {
    target: () => sanitizeLine(label(target)),
    property: () => property ?? "",
    from: () => joinFirst(values("from"), mostNames),
    to: () => joinFirst(values("to"), mostNames),
  });
  return missed ? `${text} (while not connected)` : text;
}
