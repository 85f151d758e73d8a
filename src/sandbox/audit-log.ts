/**
 * The log of administrative changes, in the rows in which servers keep it. One hook: the organization is compared before
 * and after each request, so that no handler needs to know about the log.
 */
import type { State } from "./state.ts";

type Ids = ReadonlySet<number>;
type Values = Readonly<Record<string, unknown>>;
type Listed = readonly Values[];

/** The parts of the organization in the log. */
interface Snapshot {
  users: Map<number, Values>;
  channels: Map<number, { values: Values; settings: Values; subscribers: Ids; unsubscribed: Ids }>;
  groups: Map<number, { values: Values; settings: Values; members: Ids; subgroups: Ids }>;
  settings: Values;
  defaults: Values;
  lists: Readonly<Record<"domain" | "linkifier" | "playground", Listed>>;
  exports: Map<number, Values>;
}

export interface AuditRow {
  id: number;
  event_time: number;
  event_type: number;
  acting_user: number | null;
  modified_user: number | null;
  modified_stream: number | null;
  modified_user_group: number | null;
  extra_data: Values;
  backfilled: false;
  event_last_message_id: null;
}

/** Organizations with more people are made for load: comparing them at each request would take too long. */
const mostPeople = 2000;

const mapped = <V, R>(all: ReadonlyMap<number, V>, to: (value: V) => R): Map<number, R> =>
  new Map([...all].map(([id, value]) => [id, to(value)]));

const snapshotOf = (state: State): Snapshot => ({
  users: mapped(state.users, (user) => ({
    full_name: user.full_name,
    delivery_email: user.delivery_email,
    role: user.role,
    is_active: user.is_active,
    bot_owner_id: user.bot_owner_id,
    api_key: user.api_key,
    avatar_version: user.avatar_version,
    email_address_visibility: user.email_address_visibility,
  })),
  channels: mapped(state.channels, (channel) => ({
    values: {
      name: channel.name,
      description: channel.description,
      is_archived: channel.is_archived,
      invite_only: channel.invite_only,
      is_web_public: channel.is_web_public,
      history_public_to_subscribers: channel.history_public_to_subscribers,
      folder_id: channel.folder_id,
      topics_policy: channel.topics_policy,
      message_retention_days: channel.message_retention_days,
    },
    settings: { ...channel.settings },
    subscribers: new Set(channel.subscribers),
    unsubscribed: new Set(channel.unsubscribed),
  })),
  groups: mapped(
    new Map([...state.groups].filter(([, group]) => !group.is_system_group)),
    ({ name, description, deactivated, settings, members, subgroups }) => ({
      values: { name, description, deactivated },
      settings: { ...settings },
      members: new Set(members),
      subgroups: new Set(subgroups),
    }),
  ),
  settings: { ...state.organization.settings, ...state.organization.permissions },
  defaults: { ...state.organization.defaults },
  lists: {
    domain: state.domains.map((each) => ({ ...each })),
    linkifier: state.linkifiers.map((each) => ({ ...each })),
    playground: state.playgrounds.map((each) => ({ ...each })),
  },
  exports: mapped(state.exports, ({ deleted_time }) => ({ deleted_time })),
});

const same = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);
const added = (before: Ids | undefined, now: Ids): number[] => [...now].filter((id) => !before?.has(id));

type Of = Partial<Pick<AuditRow, "modified_user" | "modified_stream" | "modified_user_group">>;
/** Adds a row. */
type Write = (type: number, of: Of, extra?: Values) => void;

/** A row for each value that differs; `types` gives the type of its row, undefined for one that is not logged so. */
function valuesChanged(
  write: Write,
  of: Of,
  before: Values,
  now: Values,
  typeOf: (name: string) => number | undefined,
) {
  for (const [name, value] of Object.entries(now)) {
    const type = typeOf(name);
    if (type !== undefined && !same(before[name], value))
      write(type, of, { "1": before[name] ?? null, "2": value, property: name });
  }
}

const userTypes: Readonly<Record<string, number>> = {
  role: 105,
  avatar_version: 123,
  full_name: 124,
  delivery_email: 125,
  bot_owner_id: 128,
  email_address_visibility: 132,
};

function usersChanged(write: Write, before: Snapshot, now: Snapshot): void {
  for (const [id, user] of now.users) {
    const of = { modified_user: id };
    const known = before.users.get(id);
    if (!known) {
      write(101, of);
      continue;
    }
    if (known.is_active !== user.is_active) write(user.is_active ? 104 : 103, of);
    if (known.api_key !== user.api_key) write(127, of);
    valuesChanged(write, of, known, user, (name) => userTypes[name]);
  }
}

const channelTypes: Readonly<Record<string, number | undefined>> = {
  name: 603,
  message_retention_days: 605,
  is_archived: undefined,
};

function channelsChanged(write: Write, before: Snapshot, now: Snapshot): void {
  for (const [id, { values, settings, subscribers }] of now.channels) {
    const of = { modified_stream: id };
    const known = before.channels.get(id);
    if (!known) write(601, of);
    else {
      if (known.values.is_archived !== values.is_archived) write(values.is_archived ? 602 : 604, of);
      valuesChanged(write, of, known.values, values, (name) => (name in channelTypes ? channelTypes[name] : 607));
      valuesChanged(write, of, known.settings, settings, () => 608);
    }
    for (const user of added(known?.subscribers, subscribers))
      write(known?.unsubscribed.has(user) ? 302 : 301, { ...of, modified_user: user });
    for (const user of added(subscribers, known?.subscribers ?? new Set())) write(303, { ...of, modified_user: user });
  }
}

const groupTypes: Readonly<Record<string, number>> = { name: 720, description: 721 };

function groupsChanged(write: Write, before: Snapshot, now: Snapshot): void {
  for (const [id, { values, settings, members, subgroups }] of now.groups) {
    const of = { modified_user_group: id };
    const known = before.groups.get(id);
    if (!known) write(701, of);
    else {
      if (!known.values.deactivated && values.deactivated) write(723, of);
      valuesChanged(write, of, known.values, values, (name) => groupTypes[name]);
      valuesChanged(write, of, known.settings, settings, () => 722);
    }
    // A server writes a change of subgroups twice: as seen from the group, and as seen from the subgroup.
    const nested = (type: number, subgroup: number) => {
      write(type, of, { subgroup_ids: [subgroup] });
      write(type + 2, { modified_user_group: subgroup }, { supergroup_ids: [id] });
    };
    for (const user of added(known?.members, members)) write(703, { ...of, modified_user: user });
    for (const user of added(members, known?.members ?? new Set())) write(704, { ...of, modified_user: user });
    for (const group of added(known?.subgroups, subgroups)) nested(705, group);
    for (const group of added(subgroups, known?.subgroups ?? new Set())) nested(706, group);
  }
}

const listTypes = { domain: [218, 219, 220], playground: [221, undefined, 222], linkifier: [223, 224, 225] } as const;

function listsChanged(write: Write, before: Snapshot, now: Snapshot): void {
  for (const kind of ["domain", "linkifier", "playground"] as const) {
    const [add, change, remove] = listTypes[kind];
    const [old, present] = [before.lists[kind], now.lists[kind]];
    const whole = { [`realm_${kind}s`]: present };
    const idsOf = (list: Listed) => list.map(({ id }) => id);
    for (const each of present) {
      const known = old.find(({ id }) => id === each.id);
      if (!known) write(add, {}, { [`added_${kind}`]: each, ...whole });
      else if (change && !same(known, each)) write(change, {}, { [`changed_${kind}`]: each, ...whole });
    }
    for (const each of old)
      if (!idsOf(present).includes(each.id)) write(remove, {}, { [`removed_${kind}`]: each, ...whole });
    const stayed = (list: Listed, other: Listed) => idsOf(list).filter((id) => idsOf(other).includes(id));
    if (kind === "linkifier" && !same(stayed(old, present), stayed(present, old))) write(228, {}, whole);
  }
}

function organizationChanged(write: Write, before: Snapshot, now: Snapshot): void {
  const { org_type } = now.settings;
  if (before.settings.org_type !== org_type)
    write(217, {}, { old_value: before.settings.org_type, new_value: org_type });
  valuesChanged(write, {}, before.settings, now.settings, (name) => (name === "org_type" ? undefined : 207));
  valuesChanged(write, {}, before.defaults, now.defaults, () => 216);
  listsChanged(write, before, now);
  for (const [id, { deleted_time }] of now.exports) {
    const known = before.exports.get(id);
    if (!known) write(206, {}, { realm_export_id: id });
    else if (known.deleted_time === null && deleted_time !== null) write(230, {}, { realm_export_id: id });
  }
}

export class AuditLog {
  readonly rows: AuditRow[] = [];
  readonly #state: State;
  #before: Snapshot | undefined;

  constructor(state: State) {
    this.#state = state;
  }

  /** Call it before a request that can change something. */
  prepare(): void {
    if (this.#before || this.#state.users.size > mostPeople) return;
    this.#before = snapshotOf(this.#state);
    const { settings, defaults, exports } = this.#before;
    const none = { domain: [], linkifier: [], playground: [] };
    const [users, channels, groups] = [new Map(), new Map(), new Map()];
    const empty: Snapshot = { users, channels, groups, settings, defaults, exports, lists: none };
    this.#compare(empty, this.#before, null, this.#state.organization.date_created);
  }

  /** Call it afterwards. `now` is in milliseconds. */
  record(caller: number | null, now: number): void {
    if (!this.#before) return;
    const after = snapshotOf(this.#state);
    this.#compare(this.#before, after, caller, now);
    this.#before = after;
  }

  #compare(before: Snapshot, after: Snapshot, acting_user: number | null, now: number): void {
    const write: Write = (event_type, of, extra_data = {}) => {
      this.rows.push({
        id: this.rows.length + 1,
        event_time: now / 1000,
        event_type,
        acting_user,
        modified_user: null,
        modified_stream: null,
        modified_user_group: null,
        extra_data,
        backfilled: false,
        event_last_message_id: null,
        ...of,
      });
    };
    usersChanged(write, before, after);
    groupsChanged(write, before, after);
    channelsChanged(write, before, after);
    organizationChanged(write, before, after);
  }
}
