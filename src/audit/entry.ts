/** An entry of the log: a change, with the names of its time. */
import { type Action, actions, mirrored } from "./actions.ts";
import type { Names, Person, Thing } from "./names.ts";
import type { LogRow } from "./rows.ts";
import type { Row } from "./tables.ts";
import { inWords, type Kind } from "./words.ts";

export interface Entry {
  id: number;
  /** ISO 8601. */
  time: string;
  by: Person | null;
  action: string;
  target: Thing | null;
  subject: Thing | null;
  property: string | null;
  from: unknown;
  to: unknown;
  destructive: boolean;
  /** The row as the export has it, of an action that is unknown. */
  raw?: Row;
}

/** The entry, with what it is by kind: filters go by that. */
export interface LogChange {
  entry: Entry;
  kind: Kind;
  hidden: boolean;
  sentence: string;
}

const timeOf = (seconds: number): string => new Date(Math.round(seconds * 1000)).toISOString();

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);

function targetOf({ target, kind }: Action, row: LogRow, names: Names): Thing | null {
  switch (target) {
    case "user":
      return row.modified_user === null ? null : names.named("user", row.modified_user);
    case "channel":
      return row.modified_stream === null ? null : names.named("channel", row.modified_stream);
    case "group":
      return row.modified_user_group === null ? null : names.named("group", row.modified_user_group);
    case "organization":
      return { kind: "organization", ...(names.organization ?? { id: null, name: null }) };
    default: {
      const data = target.data === "" ? row.extra_data : (row.extra_data[target.data] as Row | null | undefined);
      const name = data?.[target.name];
      if (kind === "export") return { kind, id: typeof name === "number" ? name : null, name: null };
      const id = data?.id;
      const numbered = typeof id === "string" && /^\d{1,15}$/.test(id) ? Number(id) : id;
      return { kind, id: typeof numbered === "number" ? numbered : null, name: textOrNull(name) };
    }
  }
}

function subjectOf({ subject }: Action, row: LogRow, names: Names): Thing | null {
  if (subject === "user") return row.modified_user === null ? null : names.named("user", row.modified_user);
  if (subject !== "subgroup") return null;
  const [id] = Array.isArray(row.extra_data.subgroup_ids) ? row.extra_data.subgroup_ids : [];
  return typeof id === "number" ? names.named("group", id) : null;
}

/** Settings that name a channel by its id. */
const ofChannel = /(_stream|_stream_id|_channel_id|_channel)$/;

function valueIn({ values }: Action, property: string | null, value: unknown, names: Names): unknown {
  if (
    values === "permission" ||
    (values === "setting" &&
      (property?.endsWith("_group") || property === "can_create_groups" || property === "can_manage_all_groups"))
  )
    return names.permission(value);
  if (values === "channel" || (values === "setting" && property !== null && ofChannel.test(property)))
    return typeof value === "number" && value >= 0 ? names.named("channel", value).name : null;
  return property === null ? value : inWords(property, value);
}

/** The change of a row, at the moment up to which `names` has gone back; undefined where another row says the same. */
export function changeOf(row: LogRow, names: Names): LogChange | undefined {
  if (mirrored.has(row.event_type)) return undefined;
  if (row.event_type >= 700 && row.event_type < 800 && names.isRole(row.modified_user_group)) return undefined;
  const action = actions.get(row.event_type);
  const { id, event_time } = row;
  const by = row.acting_user === null ? null : (names.user(row.acting_user) ?? null);
  const time = timeOf(event_time);
  if (!action) {
    const entry: Entry = {
      id,
      time,
      by,
      action: `unknown.${row.event_type}`,
      target: null,
      subject: null,
      property: null,
      from: null,
      to: null,
      destructive: false,
      raw: { ...row },
    };
    return { entry, kind: "organization", hidden: false, sentence: `made a change of type ${row.event_type}` };
  }
  const target = targetOf(action, row, names);
  const property = typeof action.property === "function" ? textOrNull(action.property(row)) : (action.property ?? null);
  const from = valueIn(action, property, action.from?.(row) ?? null, names);
  const to = valueIn(action, property, action.to?.(row) ?? null, names);
  const { destructive = false } = action;
  const kind = action.kind === "user" && target?.kind === "bot" ? "bot" : action.kind;
  const entry: Entry = {
    id,
    time,
    by,
    action: kind === "bot" ? action.action.replace(/^user\.(bot_)?/, "bot.") : action.action,
    target,
    subject: subjectOf(action, row, names),
    property,
    from,
    to,
    destructive: typeof destructive === "function" ? destructive(from, to, property) : destructive,
  };
  return { entry, kind, hidden: action.hidden ?? false, sentence: action.sentence };
}
