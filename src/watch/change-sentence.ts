/** Formats a record as a sentence. */

import { joinFirst } from "../common/counted.ts";
import { groupBy } from "../common/group-by.ts";
import { membersOf } from "../common/object-members.ts";
import { truncate } from "../common/truncate.ts";
import { changedValueText, fillIn, isPermissionText, longestValue, maxNamesInLine } from "../notation/change-text.ts";
import { jsonText, sanitizeLine } from "../output/sanitize.ts";
import type { WatchedChange, WatchRecord } from "./watch-records.ts";
import type { WatchedThing } from "./watched-names.ts";

const nouns: Readonly<Record<string, string>> = {
  user: "",
  bot: "bot ",
  setting: "",
  default_setting: "default setting ",
  profile_field: "profile field ",
  channel: "#",
};

function label({ kind, id, name, email }: WatchedThing): string {
  const nameText = name || email || (id === null ? "" : String(id));
  return `${nouns[kind] ?? `${kind} `}${nameText}`;
}

function textOf(property: string | null, value: unknown): string {
  const isFormatted = value === null || typeof value === "number" || isPermissionText(value);
  const text = isThing(value)
    ? label(value)
    : isFormatted
      ? changedValueText(property, value)
      : typeof value === "string" && value !== ""
        ? value
        : jsonText(value ?? null);
  return truncate(sanitizeLine(text), longestValue);
}

/** Joins records that differ only in people or groups, such as sixty new subscribers, and then those of several targets. */
export function inSentences(all: readonly WatchedChange[]): { records: WatchRecord[]; sentence: string }[] {
  const ofTargets = groupBy(all, (one) => (isJoined(one) ? jsonText([one.record.action, one.record.target.id]) : one));
  const groups = groupBy(ofTargets.values(), (group) => {
    const [first] = group;
    const idOf = ({ record: { from, to } }: WatchedChange) => membersOf(from ?? to).id;
    return isJoined(first) ? jsonText([first.record.action, group.map(idOf)]) : group;
  });
  return [...groups.values()].map((targets) => ({
    records: targets.flat().map(({ record }) => record),
    sentence: sentenceOf(targets),
  }));
}

const isJoined = ({ record: { from, to } }: WatchedChange): boolean =>
  isThing(from ?? to) && (from === null || to === null);

const isThing = (value: unknown): value is WatchedThing =>
  typeof value === "object" && value !== null && "kind" in value && "id" in value;

type ChangeGroup = readonly [WatchedChange, ...WatchedChange[]];

function sentenceOf(targets: readonly [ChangeGroup, ...ChangeGroup[]]): string {
  const [[first, ...more]] = targets;
  const { target, property, missed } = first.record;
  const values = (of: "from" | "to") => [first, ...more].map(({ record }) => textOf(record.property, record[of]));
  const isSetting = target.kind === "setting" || target.kind === "default_setting";
  // A setting is its own property.
  const pattern = isSetting ? first.sentence.replace("{target}: {property}", "{target}") : first.sentence;
  const plural = more.length ? pattern.replace(/\} was /, "} were ") : pattern;
  const text = fillIn(plural, {
    target: () =>
      sanitizeLine(
        joinFirst(
          targets.map(([one]) => label(one.record.target)),
          maxNamesInLine,
        ),
      ),
    property: () => property ?? "",
    from: () => joinFirst(values("from"), maxNamesInLine),
    to: () => joinFirst(values("to"), maxNamesInLine),
  });
  return missed ? `${text} (while not connected)` : text;
}
