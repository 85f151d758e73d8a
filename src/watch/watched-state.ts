/** The state of an organization: a snapshot, with changes applied one by one. */
import type { DataExport } from "../api/exports.ts";
import { type Invitation, invitationId } from "../api/invitations.ts";
import { settingsOfServer } from "../api/settings.ts";
import { keyed, membersOf, namesOf, numbersIn } from "../common/object-members.ts";
import type { Kind } from "../model/kinds/kind.ts";
import { organizationSettings } from "../model/organization.ts";
import { type GroupSetting, isPermissionValue } from "../model/permission.ts";
import { personalSettings } from "../model/personal.ts";
import { type Choices, choicesOf, type Setting } from "../model/setting.ts";
import { same, sorted } from "../organization/id-values.ts";
import { channelsOf, defaultChannelsOf, organizationSetting, type Snapshot } from "../organization/snapshot.ts";
import {
  isOfPeople,
  isOrdered,
  isSet,
  kindOfTable,
  profileDataField,
  type Table,
  type TableChange,
  type ThingFields,
  type ThingKey,
  watchedFieldsOf,
  watchedKey,
  watchedRows,
  watchedSetting,
  watchedTables,
} from "./watched-fields.ts";

type WatchedThings = ReadonlyMap<ThingKey, ThingFields>;

const withPeople = (permission: Exclude<GroupSetting, number>, people: Iterable<number>): unknown => ({
  ...permission,
  direct_members: sorted(new Set(people)),
});

/** Returns the things of a list by their ids, or by the key of things without ids. */
export function byId(table: Table, records: readonly object[]): Map<ThingKey, ThingFields> {
  const kind = kindOfTable(table);
  const id = kind?.id ?? kind?.key[0] ?? "id";
  return new Map(records.map((record) => [watchedKey(membersOf(record)[id]), watchedFieldsOf(table, record)]));
}

/** The records of a kind in a snapshot. */
const recordsIn = ({ organization }: Snapshot, { registered, matches = () => true }: Kind): ThingFields[] =>
  (registered?.lists ?? []).flatMap((list) => watchedRows(membersOf(organization)[list])).filter(matches);

const settingsIn = (entries: readonly (readonly [string, unknown])[]): Map<string, ThingFields> =>
  new Map(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, watchedSetting(value)] as const])));

const settingNames = ({ organization }: Snapshot): string[] =>
  Object.keys({ ...organizationSettings, ...settingsOfServer(organization) });

/** The key of the organization itself. */
export const organizationKey = "";

/** Returns the watched things of a snapshot. */
function thingsIn(snapshot: Snapshot): Record<Exclude<Table, "export">, WatchedThings> {
  const { organization, channel_folders, invites } = snapshot;
  const defaults = new Set(defaultChannelsOf(snapshot));
  const members = membersOf(organization);
  const ofRealm = (name: string): unknown => members[`realm_${name}`];
  const people = (all: readonly { user_id: number }[], is_active: boolean) =>
    all.map((person) => [person.user_id, { ...watchedFieldsOf("user", person), is_active }] as const);
  const [icon_url, logo_url, night_logo_url] = ["icon_url", "logo_url", "night_logo_url"].map(ofRealm);
  const ownTables = {
    user: new Map([...people(organization.realm_users, true), ...people(organization.realm_non_active_users, false)]),
    channel: new Map(
      channelsOf(snapshot).map((channel) => [
        channel.stream_id,
        { ...watchedFieldsOf("channel", channel), is_default: defaults.has(channel.stream_id) },
      ]),
    ),
    setting: settingsIn(settingNames(snapshot).map((name) => [name, organizationSetting(snapshot, name)])),
    default_setting: settingsIn(Object.entries(organization.realm_user_settings_defaults ?? {})),
    emoji: emojiIn(members.realm_emoji),
    folder: byId("folder", channel_folders ?? []),
    invitation: invitationsIn(invites),
    organization: new Map([[organizationKey, watchedFieldsOf("organization", { icon_url, logo_url, night_logo_url })]]),
  };
  const others = watchedTables.filter((table) => !Object.hasOwn(ownTables, table) && table !== "export");
  const listed = others.map((table) => [table, byId(table, recordsIn(snapshot, kindOfTable(table)!))]);
  return { ...Object.fromEntries(listed), ...ownTables };
}

export const invitationsIn = (all: readonly Invitation[]): Map<ThingKey, ThingFields> =>
  new Map(all.map((one) => [invitationId(one), watchedFieldsOf("invitation", one)]));

/** Custom emoji. A deactivated one counts as removed. */
export const emojiIn = (all: unknown): Map<ThingKey, ThingFields> =>
  new Map(
    Object.values(membersOf(all))
      .map(membersOf)
      .filter(({ deactivated }) => !deactivated)
      .map((emoji) => [String(emoji.id), watchedFieldsOf("emoji", emoji)]),
  );

interface KnownSetting {
  readonly kind: Setting["kind"];
  readonly choices: Choices | undefined;
}

export class WatchedState {
  readonly #tables: Record<Table, Map<ThingKey, ThingFields>>;
  /** The id of the watching account. */
  readonly ownId: number;
  /** Names of system groups by id. Their members follow from roles. */
  readonly systemGroups: ReadonlyMap<number, string>;

  /** The settings by table and name, also those that only the server knows, with the words of this server. */
  readonly settings: Readonly<Record<"setting" | "default_setting", ReadonlyMap<string, KnownSetting>>>;

  /** `exports`: from the server's list, since snapshots do not have them. */
  constructor(snapshot: Snapshot, exports: readonly DataExport[]) {
    const { realm_user_groups: groups } = snapshot.organization;
    this.systemGroups = new Map(
      groups.flatMap(({ is_system_group, id, name }) => (is_system_group ? [[id, name]] : [])),
    );
    const known = (all: Readonly<Record<string, Setting>>) =>
      new Map(
        Object.entries(all).map(([name, each]) => [
          name,
          { kind: each.kind, choices: choicesOf(each, snapshot.organization) },
        ]),
      );
    this.settings = {
      setting: known({ ...settingsOfServer(snapshot.organization), ...organizationSettings }),
      default_setting: known(personalSettings),
    };
    this.ownId = snapshot.organization.user_id;
    this.#tables = keyed(watchedTables, () => new Map<ThingKey, ThingFields>());
    for (const change of this.catchUp(snapshot, exports)) void change;
  }

  get(table: Table, key: ThingKey): Readonly<ThingFields> | undefined {
    return this.#tables[table].get(key);
  }

  things(table: Table): WatchedThings {
    return this.#tables[table];
  }

  /** Yields and applies the differences from a later snapshot. */
  *catchUp(snapshot: Snapshot, exports: readonly DataExport[]): Generator<TableChange> {
    const now = { ...thingsIn(snapshot), export: byId("export", exports) };
    for (const table of watchedTables) yield* this.replace(table, now[table]);
  }

  /** Yields and applies the differences of a whole table. */
  *replace(table: Table, now: WatchedThings): Generator<TableChange> {
    for (const key of [...this.#tables[table].keys()]) if (!now.has(key)) yield* this.remove(table, key);
    for (const [key, fields] of now) yield* this.put(table, key, fields);
    if (isOrdered(table)) yield* this.reorder(table, [...now.keys()]);
  }

  /** Puts known things in this order, and those that it does not name behind them. */
  *reorder(table: Table, order: readonly ThingKey[]): Generator<TableChange> {
    const from = [...this.#tables[table].keys()];
    const known = order.filter((key, n) => this.#tables[table].has(key) && order.lastIndexOf(key) === n);
    const to = [...new Set([...known, ...from])];
    if (!same(from, to)) yield this.#apply({ table, key: "", field: "order", from, to });
  }

  *remove(table: Table, key: ThingKey): Generator<TableChange> {
    const fields = this.#tables[table].get(key);
    if (fields) yield this.#apply({ table, key, field: null, from: withLists(fields), to: null });
  }

  /** Adds a thing, or changes fields of a known one. Other fields stay. */
  *put(table: Table, key: ThingKey, fields: ThingFields): Generator<TableChange> {
    const known = this.#tables[table].get(key);
    if (!known) {
      yield this.#apply({ table, key, field: null, from: null, to: withLists(fields) });
      return;
    }
    // Servers send the address and the one that others see. If they are the same, they change together.
    const { email, delivery_email: address } = known;
    if (table === "user" && typeof fields.delivery_email === "string" && email === address)
      this.#apply({ table, key, field: "email", from: email, to: fields.delivery_email });
    for (const [field, to] of Object.entries(fields)) {
      const from = known[field];
      if (from instanceof Set) {
        const ids = new Set(numbersIn(to));
        const removed = [...from].filter((id) => !ids.has(id));
        yield* this.leave(table, key, field, removed);
        yield* this.enter(table, key, field, [...ids]);
      } else if (!same(from ?? null, to ?? null))
        yield this.#apply({ table, key, field, from: from ?? null, to: to ?? null });
    }
  }

  /** Changes a known thing. */
  *update(table: Table, key: ThingKey, fields: ThingFields): Generator<TableChange> {
    if (this.#tables[table].has(key)) yield* this.put(table, key, fields);
  }

  *enter(table: Table, key: ThingKey, field: string, ids: readonly number[]): Generator<TableChange> {
    const set = this.#tables[table].get(key)?.[field];
    if (set instanceof Set)
      for (const id of ids) if (!set.has(id)) yield this.#apply({ table, key, field, from: null, to: id });
  }

  *leave(table: Table, key: ThingKey, field: string, ids: readonly number[]): Generator<TableChange> {
    const set = this.#tables[table].get(key)?.[field];
    if (set instanceof Set)
      for (const id of ids) if (set.has(id)) yield this.#apply({ table, key, field, from: id, to: null });
  }

  /** Yields and applies what a deactivated person loses: servers leave them out of lists and permissions. */
  *removePerson(id: number): Generator<TableChange> {
    for (const table of watchedTables)
      for (const [key, fields] of [...this.#tables[table]]) {
        if (table === "invitation" && fields.invited_by_user_id === id) yield* this.remove(table, key);
        for (const [field, value] of Object.entries(fields))
          if (isOfPeople(table, field)) yield* this.leave(table, key, field, [id]);
          else if (isPermissionValue(value) && value.direct_members.includes(id)) {
            const others = value.direct_members.filter((each) => each !== id);
            yield* this.update(table, key, { [field]: withPeople(value, others) });
          }
      }
  }

  /** Yields and applies what a new or reactivated person has by a later snapshot. */
  *addPerson(id: number, snapshot: Snapshot): Generator<TableChange> {
    const later = thingsIn(snapshot);
    for (const table of namesOf(later))
      for (const [key, fields] of later[table])
        for (const [field, value] of Object.entries(fields)) {
          const known = this.get(table, key)?.[field];
          if (isOfPeople(table, field) && numbersIn(value).includes(id)) yield* this.enter(table, key, field, [id]);
          else if (isPermissionValue(value) && value.direct_members.includes(id) && isPermissionValue(known))
            yield* this.update(table, key, { [field]: withPeople(known, [...known.direct_members, id]) });
        }
  }

  #apply(change: TableChange): TableChange {
    const { table, key, field, from, to } = change;
    const things = this.#tables[table];
    if (field === "order") {
      const before = new Map(things);
      things.clear();
      for (const each of [to].flat().map(watchedKey)) things.set(each, before.get(each) ?? {});
    } else if (field !== null) {
      const thing = things.get(key) ?? {};
      const set = thing[field];
      if (set instanceof Set && from === null) set.add(to);
      else if (set instanceof Set) set.delete(from);
      else thing[field] = to;
    } else if (to === null) {
      things.delete(key);
      if (table === "profile_field")
        for (const person of this.#tables.user.values()) delete person[profileDataField(key)];
    } else {
      const fields = Object.entries(membersOf(to));
      things.set(
        key,
        Object.fromEntries(
          fields.map(([name, value]) => [name, isSet(table, name) ? new Set(numbersIn(value)) : value]),
        ),
      );
    }
    return change;
  }
}

/** Returns values with sets as lists. */
const withLists = (fields: ThingFields): ThingFields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      value instanceof Set ? [...value].sort((a, b) => a - b) : value,
    ]),
  );
