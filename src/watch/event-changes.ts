/** Applies a server's events to the state of the organization. */
import { membersOf, numbersIn } from "../common/object-members.ts";
import { kinds } from "../model/kinds/index.ts";
import type { Kind, KindEvent } from "../model/kinds/kind.ts";
import { organizationSettings } from "../model/organization.ts";
import { personalSettings } from "../model/personal.ts";
import { newestSetting } from "../model/setting.ts";
import {
  kindOfTable,
  profileDataField,
  type Table,
  type TableChange,
  type ThingFields,
  watchedFieldsOf,
  watchedKey,
  watchedRows,
  watchedSetting,
  watchedTables,
} from "./watched-fields.ts";
import { byId, emojiIn, organizationKey, type WatchedState } from "./watched-state.ts";

/** As the server sent it. */
export interface Event {
  readonly id: number;
  readonly type: string;
  readonly [member: string]: unknown;
}

type Handler = (state: WatchedState, event: Event) => Iterable<TableChange>;

const fields: (value: unknown) => ThingFields = membersOf;

function* forEach<T>(all: readonly T[], changes: (one: T) => Iterable<TableChange>): Generator<TableChange> {
  for (const one of all) yield* changes(one);
}

/** Returns what an event does that the statement of its kind explains. */
function handlerOf(table: Table, { id: own = "", key, lists = {} }: Kind, told: KindEvent): Handler {
  const id = own || key[0];
  if ("whole" in told) return (state, event) => state.replace(table, byId(table, watchedRows(event[told.whole])));
  if ("order" in told) return (state, event) => state.reorder(table, numbersIn(event[told.order]));
  if ("removed" in told) return (state, event) => state.remove(table, watchedKey(event[told.removed]));
  if ("changed" in told)
    return (state, event) =>
      state.update(table, watchedKey(event[told.changed]), watchedFieldsOf(table, fields(event.data)));
  if ("record" in told)
    return (state, event) => {
      const record = fields(event[told.record]);
      return state.put(table, watchedKey(record[id]), watchedFieldsOf(table, record));
    };
  const field = lists[told.list]?.member ?? told.list;
  const [method, members] = "joined" in told ? (["enter", told.joined] as const) : (["leave", told.left] as const);
  return (state, event) => state[method](table, watchedKey(event[told.id]), field, numbersIn(event[members]));
}

const subscriberHandler =
  (method: "enter" | "leave"): Handler =>
  (state, { stream_ids, user_ids }) =>
    forEach(numbersIn(stream_ids), (id) => state[method]("channel", id, "subscribers", numbersIn(user_ids)));

function* personUpdated(state: WatchedState, person: unknown): Generator<TableChange> {
  const { user_id, custom_profile_field: field, new_email, ...rest } = fields(person);
  const id = Number(user_id);
  yield* state.update("user", id, {
    ...watchedFieldsOf("user", rest),
    ...("is_active" in rest && { is_active: rest.is_active }),
    ...(new_email !== undefined && { email: new_email }),
    ...(field !== undefined && { [profileDataField(Number(fields(field).id))]: fields(field).value }),
  });
  if (rest.is_active === false) yield* state.removePerson(id);
}

const channelAdded = (state: WatchedState, record: ThingFields): Iterable<TableChange> => {
  const channel = watchedFieldsOf("channel", record);
  const id = Number(record.stream_id);
  const known = state.get("channel", id);
  return state.put(
    "channel",
    id,
    known ? channel : { ...channel, subscribers: channel.subscribers ?? [], is_default: false },
  );
};

/** Older servers have other names and words. */
function settingUpdated(state: WatchedState, property: string, value: unknown): Iterable<TableChange> {
  const [name, newest] = newestSetting(organizationSettings, property, value);
  return state.update("setting", name, watchedSetting(newest));
}

const addGroup = handlerOf("group", kinds.group, { record: "group" });

/** By type, and `op` if there is one. Other events are not about watched things. */
const handlers: Readonly<Record<string, Handler>> = {
  ...Object.fromEntries(
    watchedTables.flatMap((table) => {
      const kind = kindOfTable(table);
      return Object.entries(kind?.events ?? {}).map(([name, told]) => [name, handlerOf(table, kind!, told)]);
    }),
  ),

  "realm_user add": (state, { person }) =>
    state.put("user", Number(fields(person).user_id), { ...watchedFieldsOf("user", fields(person)), is_active: true }),
  "realm_user update": (state, { person }) => personUpdated(state, person),

  "stream create": (state, { streams }) => forEach(watchedRows(streams), (record) => channelAdded(state, record)),
  // Servers report an archived channel as removed to clients that cannot show it.
  "stream delete": (state, { streams }) =>
    forEach(watchedRows(streams), ({ stream_id }) => state.update("channel", Number(stream_id), { is_archived: true })),
  "stream update": (state, { stream_id, property, value, is_web_public, history_public_to_subscribers }) =>
    state.update(
      "channel",
      Number(stream_id),
      watchedFieldsOf("channel", { [String(property)]: value, is_web_public, history_public_to_subscribers }),
    ),
  default_streams: (state, { default_streams: defaults }) =>
    forEach([...state.things("channel").keys()], (id) =>
      state.update("channel", id, { is_default: numbersIn(defaults).includes(Number(id)) }),
    ),
  "subscription add": (state, { subscriptions }) =>
    forEach(watchedRows(subscriptions), (record) => channelAdded(state, record)),
  "subscription remove": (state, { subscriptions }) =>
    forEach(watchedRows(subscriptions), ({ stream_id }) =>
      state.leave("channel", Number(stream_id), "subscribers", [state.ownId]),
    ),
  "subscription peer_add": subscriberHandler("enter"),
  "subscription peer_remove": subscriberHandler("leave"),

  "user_group add": (state, event) => (fields(event.group).is_system_group === true ? [] : addGroup(state, event)),

  "realm deactivated": (state) => state.update("organization", organizationKey, { deactivated: true }),
  "realm update": (state, { property, value }) => settingUpdated(state, String(property), value),
  *"realm update_dict"(state, { data }) {
    for (const [name, value] of Object.entries(fields(data))) yield* settingUpdated(state, name, value);
    yield* state.update("organization", organizationKey, watchedFieldsOf("organization", fields(data)));
  },
  "realm_user_settings_defaults update": (state, { property, value }) => {
    const [name, newest] = newestSetting(personalSettings, String(property), value);
    return state.update("default_setting", name, watchedSetting(newest));
  },

  "realm_emoji update": (state, { realm_emoji }) => state.replace("emoji", emojiIn(realm_emoji)),
  "realm_emoji add": (state, { emoji }) =>
    forEach([...emojiIn([emoji])], ([key, record]) => state.put("emoji", key, record)),
  "realm_emoji update_one": (state, { emoji_id, data }) =>
    fields(data).deactivated === true
      ? state.remove("emoji", String(emoji_id))
      : state.update("emoji", String(emoji_id), watchedFieldsOf("emoji", fields(data))),
};

/** The requested types of events. Events about invitations only say that something changed. */
export const eventTypes: readonly string[] = [
  ...new Set([...Object.keys(handlers).map((name) => name.split(" ")[0] ?? ""), "invites_changed"]),
];

/** Yields the changes of an event, and applies each to the state. */
export function tableChanges(state: WatchedState, event: Event): Iterable<TableChange> {
  const handler = handlers[`${event.type} ${event.op}`] ?? handlers[event.type];
  return handler?.(state, event) ?? [];
}
