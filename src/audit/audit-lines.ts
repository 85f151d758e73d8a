/** Formats entries as lines. The entries of one request share a line. */

import { changeMark } from "../model/change-words.ts";
import { channelPermissionRules, inherited } from "../model/channel.ts";
import { fieldLabel } from "../model/field.ts";
import { isPermissionName } from "../model/permission.ts";
import { changedValueText, fillIn, maxNamesInLine } from "../notation/change-text.ts";
import type { AuditEntry, LogChange } from "./entry.ts";
import type { AuditThing } from "./name-history.ts";

export interface AuditLine {
  time: string;
  by: string;
  change: string;
  /** The number of entries in it. */
  entries: number;
  mark: ReturnType<typeof changeMark>;
}

const label = (thing: AuditThing | null): string => {
  if (!thing) return "";
  const name = thing.name ?? thing.email ?? (thing.id === null ? thing.kind : `id:${thing.id}`);
  return thing.kind === "channel" ? `#${name}` : name;
};

/** The permissions of new channels, unless somebody chooses others. The creator administers it. */
const usualPermissions: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(channelPermissionRules).flatMap(([name, { initial }]) =>
    initial === "creator" || initial === "role:nobody" ? [] : [[name, initial]],
  ),
);

/** Formats what a channel was created with: `: private, retention 30 days`. Usual values are left out. */
function settingsText({ by, to }: AuditEntry): string {
  if (typeof to !== "object" || to === null) return "";
  const values = new Map(Object.entries(to));
  const isPrivate = values.get("is_private") === true;
  const retention = values.get("message_retention_days");
  const permissions = [...values].flatMap(([name, value]) => {
    if (!isPermissionName(name)) return [];
    const text = changedValueText(name, value);
    return text === (usualPermissions[name] ?? "nobody") || text === `user ${by?.email}` ? [] : [`${name} ${text}`];
  });
  const parts = [
    values.get("is_web_public") === true ? "web-public" : isPrivate ? "private" : "public",
    ...(isPrivate && values.get("history_public_to_subscribers") === false ? ["history hidden from newcomers"] : []),
    ...(retention === undefined || retention === inherited
      ? []
      : [`retention ${changedValueText("message_retention_days", retention)}`]),
    ...permissions,
  ];
  return `: ${parts.join(", ")}`;
}

/** Entries that share a line. */
interface ChangeGroup {
  first: LogChange;
  subjects: AuditThing[];
  entries: number;
}

function sentenceOf({ first: { entry, sentence }, subjects, entries }: ChangeGroup): string {
  const [firstSubject] = subjects;
  const subject =
    entries > 1 ? `${entries} ${firstSubject?.kind === "group" ? "groups" : "people"}` : label(firstSubject ?? null);
  const line = fillIn(sentence, {
    target: () => label(entry.target),
    subject: () => subject,
    property: () => fieldLabel(entry.property ?? ""),
    from: () => changedValueText(entry.property, entry.from),
    to: () => changedValueText(entry.property, entry.to),
    settings: () => settingsText(entry),
  });
  if (entries === 1) return line;
  const names = subjects.map(label).join(", ");
  return `${line}: ${names}${entries > subjects.length ? ` and ${entries - subjects.length} more` : ""}`;
}

function lineOf(group: ChangeGroup): AuditLine {
  const { entry } = group.first;
  const { time, by } = entry;
  return { time, by: by?.name ?? "", change: sentenceOf(group), entries: group.entries, mark: changeMark(entry) };
}

/** Milliseconds within which one request writes its entries. */
const requestTime = 1000;
/** The largest number of lines of one moment: an archive can have any number. */
const mostGroups = 1000;
/** Yields a line for each request. */
export function* auditLines(all: Iterable<LogChange>): Generator<AuditLine> {
  const groups = new Map<unknown, ChangeGroup>();
  let groupStart = 0;
  for (const change of all) {
    const { id, time, action, by, target, subject } = change.entry;
    const at = Date.parse(time);
    if (Math.abs(at - groupStart) > requestTime || groups.size === mostGroups) {
      for (const group of groups.values()) yield lineOf(group);
      groups.clear();
      groupStart = at;
    }
    const key = subject ? `${action} ${by?.id} ${target?.id}` : id;
    const group = groups.get(key);
    if (!group) groups.set(key, { first: change, subjects: subject ? [subject] : [], entries: 1 });
    else {
      group.entries++;
      if (subject && group.subjects.length < maxNamesInLine) group.subjects.push(subject);
    }
  }
  for (const group of groups.values()) yield lineOf(group);
}
