/** Formats a record as a sentence. */
import { shownValue } from "../audit/sentence.ts";
import { firstOf } from "../counted.ts";
import { jsonText, sanitizeLine } from "../output/sanitize.ts";
import type { Named } from "./names.ts";
import type { Noticed, WatchRecord } from "./records.ts";

/** The largest number of characters shown of a value. */
const longest = 60;

const nouns: Readonly<Record<string, string>> = {
  user: "",
  bot: "bot ",
  setting: "",
  default_setting: "default setting ",
  profile_field: "profile field ",
  channel: "#",
};

export function label({ kind, id, name, email }: Named): string {
  const called = name || email || (id === null ? "" : String(id));
  return `${nouns[kind] ?? `${kind} `}${called}`;
}

function shown(property: string | null, value: unknown): string {
  const isPlain = typeof value === "number" || (property === "message_retention_days" && value === null);
  const text = isThing(value)
    ? label(value)
    : isPlain || isPermission(value)
      ? shownValue(property, value)
      : typeof value === "string" && value !== ""
        ? value
        : jsonText(value ?? null);
  const characters = [...sanitizeLine(text)];
  return characters.length > longest ? `${characters.slice(0, longest - 1).join("")}…` : characters.join("");
}

/** The largest number of people that a line names. */
const named = 3;

/** Joins records of one event that differ only in the people or groups, such as sixty new subscribers. */
export function inSentences(all: readonly Noticed[]): { records: WatchRecord[]; sentence: string }[] {
  const groups = new Map<string, Noticed[]>();
  for (const one of all) {
    const { action, target, from, to } = one.record;
    const several = isThing(from ?? to) && (from === null || to === null);
    const key = several ? jsonText([action, target.id]) : String(groups.size);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].map((group) => ({
    records: group.map(({ record }) => record),
    sentence: inWords(group),
  }));
}

const isPermission = (value: unknown): boolean =>
  typeof value === "object" && value !== null && ("users" in value || "groups" in value);

const isThing = (value: unknown): value is Named =>
  typeof value === "object" && value !== null && "kind" in value && "id" in value;

function inWords([first, ...more]: readonly Noticed[]): string {
  if (!first) return "";
  const { target, property, missed } = first.record;
  const values = (of: "from" | "to") => [first, ...more].map(({ record }) => shown(record.property, record[of]));
  const isSetting = target.kind === "setting" || target.kind === "default_setting";
  const words: Readonly<Record<string, string>> = {
    target: sanitizeLine(label(target)),
    property: property ?? "",
    from: firstOf(values("from"), named),
    to: firstOf(values("to"), named),
  };
  // A setting is its own property.
  const pattern = isSetting ? first.sentence.replace("{target}: {property}", "{target}") : first.sentence;
  const plural = more.length ? pattern.replace(/\} was /, "} were ") : pattern;
  const text = plural.replace(/\{(\w+)\}/g, (whole, name: string) => words[name] ?? whole);
  return missed ? `${text} (while not connected)` : text;
}
