/** An entry of the log: a change, with the names of its time. */
import { membersOf, numbersIn, textOrNull, valueNamed } from "../common/object-members.ts";
import { isDestructive, type LoggedKind } from "../model/change-words.ts";
import { channelValueInWords, propertyOf } from "../model/channel.ts";
import { valueInWords } from "../model/field.ts";
import { kinds } from "../model/kinds/index.ts";
import type { Kind } from "../model/kinds/kind.ts";
import { isPermissionName } from "../model/permission.ts";
import { type AuditAction, auditActions, mirroredTypes } from "./actions.ts";
import { isCreationRow } from "./channel-values.ts";
import { type AuditPerson, type AuditThing, type NamedKind, type Names, namedKinds } from "./name-history.ts";
import type { LogRow } from "./rows.ts";
import type { TableRow } from "./table-reader.ts";

export interface AuditEntry {
  id: number;
  /** ISO 8601. */
  time: string;
  by: AuditPerson | null;
  action: string;
  target: AuditThing | null;
  subject: AuditThing | null;
  property: string | null;
  from: unknown;
  to: unknown;
  destructive: boolean;
  /** The row as the export has it, of an action that is unknown. */
  raw?: TableRow;
}

/** The entry, with its kind for filters. */
export interface LogChange {
  entry: AuditEntry;
  kind: LoggedKind;
  hidden: boolean;
  sentence: string;
}

const numberOrNull = (value: unknown): number | null => (typeof value === "number" ? value : null);

/** Returns the member with the name, of things in a list. */
const titleMember = (kind: LoggedKind): string => valueNamed<Kind>(kinds, kind)?.title ?? "name";

const thingOf = (kind: NamedKind, id: number | null, names: Names): AuditThing | null =>
  id === null ? null : names.thing(kind, id);

const isNamed = (kind: string): kind is NamedKind => namedKinds.some((each) => each === kind);

const idIn = (row: LogRow, name: string): number | null =>
  numberOrNull(Object.hasOwn(row, name) ? membersOf(row)[name] : row.extra_data[name]);

function targetOf({ kind, target, id, thing = "" }: AuditAction, row: LogRow, names: Names): AuditThing | null {
  const { extra_data } = row;
  if ((target ?? kind) === "organization")
    return { kind: "organization", ...(names.organization ?? { id: null, name: null }) };
  if (kind === "setting" || kind === "default_setting")
    return { kind, id: null, name: textOrNull(extra_data.property) };
  if (id !== undefined)
    return isNamed(kind) ? thingOf(kind, idIn(row, id), names) : { kind, id: idIn(row, id), name: null };
  const record = membersOf(extra_data[thing]);
  const found = record.id;
  const number = typeof found === "string" && /^\d{1,15}$/.test(found) ? Number(found) : found;
  return { kind, id: numberOrNull(number), name: textOrNull(record[titleMember(kind)]) };
}

function subjectOf({ subject, subjectIds = "" }: AuditAction, row: LogRow, names: Names): AuditThing | null {
  if (subject === "user") return thingOf("user", row.modified_user, names);
  return subject ? thingOf("group", numbersIn(row.extra_data[subjectIds])[0] ?? null, names) : null;
}

/** The members of `extra_data` with the old and the new value. */
function valueMembers({ from = "1", to = "2", thing, subject }: AuditAction): [from: string, to: string] {
  if (thing === undefined || subject) return [from, to];
  // The value before a change is in an earlier row: `log.ts` copies it into this one.
  if (thing.startsWith("changed_")) return ["before", thing];
  return [thing.startsWith("removed_") ? thing : "", thing.startsWith("added_") ? thing : ""];
}

/** Settings that name a channel by its id. */
const channelSettings = /(_stream|_stream_id|_channel_id|_channel)$/;

function valueIn({ kind, values }: AuditAction, property: string | null, value: unknown, names: Names): unknown {
  const named = values ?? (kind === "setting" && property !== null && channelSettings.test(property) && "channel");
  if (named) return typeof value === "number" && value >= 0 ? names.thing(named, value).name : null;
  if (property === null) return value;
  if (isPermissionName(property)) return names.permission(value);
  return valueInWords(property, kind === "channel" ? channelValueInWords(property, value) : value);
}

/** Returns the privacy, retention and permissions that a channel was created with. Null if the export does not tell. */
function creationValues(action: AuditAction, { modified_stream }: LogRow, names: Names): TableRow | null {
  const values = Object.entries(names.channelValues.of(modified_stream ?? -1)).map(([name, value]) => {
    const property = propertyOf(name);
    return [property, valueIn(action, property, value, names)];
  });
  return values.length ? Object.fromEntries(values) : null;
}

/** Describes a row, with the names at its time. Undefined if another row describes the same change. */
export function logChange(row: LogRow, names: Names): LogChange | undefined {
  const { id, event_time, event_type, acting_user, modified_user_group, extra_data } = row;
  if (mirroredTypes.has(event_type)) return undefined;
  if (event_type >= 700 && event_type < 800 && names.isRole(modified_user_group)) return undefined;
  const time = new Date(Math.round(event_time * 1000)).toISOString();
  const by = acting_user === null ? null : names.person(acting_user);
  const known = auditActions.get(event_type);
  if (!known) {
    const none = { target: null, subject: null, property: null, from: null, to: null, destructive: false };
    const entry = { id, time, by, action: `unknown.${event_type}`, ...none, raw: { ...row } };
    return { entry, kind: "organization", hidden: false, sentence: `made a change of type ${event_type}` };
  }
  const { hidden = false, sentence } = known;
  const target = targetOf(known, row, names);
  const recordedProperty = known.property ?? textOrNull(extra_data.property);
  const property = recordedProperty === null ? null : propertyOf(recordedProperty);
  const [old, now] = valueMembers(known);
  const from = valueIn(known, property, extra_data[old] ?? null, names);
  const to = isCreationRow(row)
    ? creationValues(known, row, names)
    : valueIn(known, property, extra_data[now] ?? null, names);
  const kind = known.kind === "user" && target?.kind === "bot" ? "bot" : known.kind;
  const action = kind === "bot" ? known.action.replace(/^user\.(bot_)?/, "bot.") : known.action;
  const subject = subjectOf(known, row, names);
  const destructive = isDestructive(action, property, from, to);
  const entry = { id, time, by, action, target, subject, property, from, to, destructive };
  return { entry, kind, hidden, sentence };
}
