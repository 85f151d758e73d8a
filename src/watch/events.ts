/** Applies a server's events to the state of the organization. */
import type { DataExport } from "../api/exports.ts";
import { emojiIn, exportsIn, organizationKey, type WatchedState } from "./state.ts";
import type { Change, Fields, Table } from "./things.ts";
import { fieldsOf, profileField } from "./things.ts";

/** As the server sent it. */
export interface Event {
  readonly id: number;
  readonly type: string;
  readonly [member: string]: unknown;
}

type Handler = (state: WatchedState, event: Event) => Iterable<Change>;

const rows = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value : []);
const fields = (value: unknown): Fields => Object(value);
const ids = (value: unknown): readonly number[] => (Array.isArray(value) ? value : []);
const idOf = (record: Fields, name = "id"): number => Number(record[name]);

function* eachOf<T>(all: readonly T[], changes: (one: T) => Iterable<Change>): Generator<Change> {
  for (const one of all) yield* changes(one);
}

/** A complete list, in its order. */
const wholeList =
  (table: Table, of: (record: Fields) => Fields, member?: string): Handler =>
  (state, event) =>
    state.replace(table, new Map(rows(event[member ?? event.type]).map((record) => [idOf(record), of(record)])));

function* personUpdated(state: WatchedState, { person }: Event): Generator<Change> {
  const { user_id, custom_profile_field: field, new_email, ...rest } = fields(person);
  yield* state.update("user", Number(user_id), {
    ...fieldsOf.user(rest),
    ...("is_active" in rest && { is_active: rest.is_active }),
    ...(new_email !== undefined && { email: new_email }),
    ...(field !== undefined && { [profileField(idOf(fields(field)))]: fields(field).value }),
  });
}

const channelAdded = (state: WatchedState, record: Fields): Iterable<Change> => {
  const channel = fieldsOf.channel(record);
  const known = state.get("channel", idOf(record, "stream_id"));
  return state.put(
    "channel",
    idOf(record, "stream_id"),
    known ? channel : { ...channel, subscribers: channel.subscribers ?? [], is_default: false },
  );
};

/** By type, and `op` if there is one. Other events are not about watched things. */
const handlers: Readonly<Record<string, Handler>> = {
  "realm_user add": (state, { person }) =>
    state.put("user", idOf(fields(person), "user_id"), { ...fieldsOf.user(fields(person)), is_active: true }),
  "realm_user update": personUpdated,
  "realm_user remove": (state, { person }) =>
    state.update("user", idOf(fields(person), "user_id"), { is_active: false }),

  "stream create": (state, { streams }) => eachOf(rows(streams), (record) => channelAdded(state, record)),
  // Servers report an archived channel as removed to clients that cannot show it.
  "stream delete": (state, { streams }) =>
    eachOf(rows(streams), (record) => state.update("channel", idOf(record, "stream_id"), { is_archived: true })),
  "stream update": (state, { stream_id, property, value, is_web_public, history_public_to_subscribers }) =>
    state.update(
      "channel",
      Number(stream_id),
      fieldsOf.channel({ [String(property)]: value, is_web_public, history_public_to_subscribers }),
    ),
  default_streams: (state, { default_streams: defaults }) =>
    eachOf([...state.things("channel").keys()], (id) =>
      state.update("channel", id, { is_default: ids(defaults).includes(Number(id)) }),
    ),
  "subscription add": (state, { subscriptions }) =>
    eachOf(rows(subscriptions), (record) => channelAdded(state, record)),
  "subscription remove": (state, { subscriptions }) =>
    eachOf(rows(subscriptions), (record) =>
      state.leave("channel", idOf(record, "stream_id"), "subscribers", [state.ownId]),
    ),
  "subscription peer_add": (state, { stream_ids, user_ids }) =>
    eachOf(ids(stream_ids), (id) => state.enter("channel", id, "subscribers", ids(user_ids))),
  "subscription peer_remove": (state, { stream_ids, user_ids }) =>
    eachOf(ids(stream_ids), (id) => state.leave("channel", id, "subscribers", ids(user_ids))),

  *"user_group add"(state, { group }) {
    const record = fields(group);
    if (record.is_system_group !== true) yield* state.put("group", idOf(record), fieldsOf.group(record));
  },
  "user_group update": (state, { group_id, data }) =>
    state.update("group", Number(group_id), fieldsOf.group(fields(data))),
  "user_group remove": (state, { group_id }) => state.update("group", Number(group_id), { deactivated: true }),
  "user_group add_members": (state, { group_id, user_ids }) =>
    state.enter("group", Number(group_id), "members", ids(user_ids)),
  "user_group remove_members": (state, { group_id, user_ids }) =>
    state.leave("group", Number(group_id), "members", ids(user_ids)),
  "user_group add_subgroups": (state, { group_id, direct_subgroup_ids }) =>
    state.enter("group", Number(group_id), "direct_subgroup_ids", ids(direct_subgroup_ids)),
  "user_group remove_subgroups": (state, { group_id, direct_subgroup_ids }) =>
    state.leave("group", Number(group_id), "direct_subgroup_ids", ids(direct_subgroup_ids)),

  "realm deactivated": (state) => state.update("organization", organizationKey, { deactivated: true }),
  "realm update": (state, { property, value }) => state.update("setting", String(property), fieldsOf.value(value)),
  *"realm update_dict"(state, { data }) {
    for (const [name, value] of Object.entries(Object(data)))
      yield* state.update("setting", name, fieldsOf.value(value));
    yield* state.update("organization", organizationKey, fieldsOf.organization(Object(data)));
  },
  "realm_user_settings_defaults update": (state, { property, value }) =>
    state.update("default_setting", String(property), fieldsOf.value(value)),

  "realm_domains add": (state, { realm_domain }) => domainPut(state, fields(realm_domain)),
  "realm_domains change": (state, { realm_domain }) => domainPut(state, fields(realm_domain)),
  "realm_domains remove": (state, { domain }) => state.remove("domain", String(domain)),

  realm_linkifiers: wholeList("linkifier", fieldsOf.other),
  realm_playgrounds: wholeList("playground", fieldsOf.other),
  custom_profile_fields: wholeList("profile_field", fieldsOf.profile_field, "fields"),
  "realm_emoji update": (state, { realm_emoji }) => state.replace("emoji", emojiIn(realm_emoji)),

  realm_export: (state, { exports }) => state.replace("export", exportsIn(rows(exports) as DataExport[])),
  "channel_folder add": (state, { channel_folder }) =>
    state.put("folder", idOf(fields(channel_folder)), fieldsOf.folder(fields(channel_folder))),
  "channel_folder update": (state, { channel_folder_id, data }) =>
    state.update("folder", Number(channel_folder_id), fieldsOf.folder(fields(data))),
};

function domainPut(state: WatchedState, { domain, allow_subdomains }: Fields): Iterable<Change> {
  return state.put("domain", String(domain), { allow_subdomains });
}

/** The requested types of events. Events about invitations only say that something changed. */
export const eventTypes: readonly string[] = [
  ...new Set([...Object.keys(handlers).map((name) => name.split(" ")[0] ?? ""), "invites_changed"]),
];

/** Yields the changes of an event, and applies each to the state. */
export function changesOf(state: WatchedState, event: Event): Iterable<Change> {
  const handler = handlers[`${event.type} ${event.op}`] ?? handlers[event.type];
  return handler?.(state, event) ?? [];
}
