/** Predicts the organization after all changes of a plan, with what the steps of the plan look up. */

import { membersOf } from "../common/object-members.ts";
import { everyKind } from "../model/kinds/index.ts";
import { everyList } from "../model/kinds/lists.ts";
import { organizationSettings } from "../model/organization.ts";
import { roleNumber, roles } from "../model/person.ts";
import { type Setting, storedValue } from "../model/setting.ts";
import { isEntry } from "./content.ts";
import type { Creation, Difference, FieldChange, Update } from "./difference.ts";
import { type GroupMembership, groupMembershipIn } from "./group-members.ts";
import { Ids } from "./id-values.ts";
import { type OwnRights, ownRights } from "./order/phases.ts";
import type { SectionName, ThingSection } from "./section-names.ts";
import { sections, thingSections } from "./section-registry.ts";
import { idOf, recordMembers, type ThingsSection, type WritableEntry } from "./sections/section.ts";
import {
  defaultChannelsOf,
  everybodyOf,
  groupOfRole,
  isFullMember,
  organizationSetting,
  type Person,
  roleOf,
  type Snapshot,
  type SnapshotGroup,
} from "./snapshot.ts";

const updatesIn = (section: SectionName, differences: readonly Difference[]): Update[] =>
  differences.filter((one): one is Update => one.section === section && "fields" in one);

const creationsIn = (section: SectionName, differences: readonly Difference[]): Creation[] =>
  differences.filter((one): one is Creation => one.section === section && one.action === "create");

/** Returns the snapshot with the changed records of one section. */
function predictSection(
  snapshot: Snapshot,
  name: ThingSection,
  differences: readonly Difference[],
  ids: Ids,
): Snapshot {
  const section: ThingsSection = sections[name];
  const { archiving } = section;
  const own = differences.filter((one) => one.section === name);
  if (!section.withRecords || !own.length) return snapshot;
  const changed = (record: WritableEntry, changes: readonly FieldChange[]): WritableEntry => {
    const after = { ...record };
    for (const change of changes) Object.assign(after, recordMembers(section, change, ids, after));
    return after;
  };
  const keyOf = (record: WritableEntry) => idOf(section, record) ?? String(record[section.key[0] ?? ""]);
  const updates = new Map(updatesIn(name, own).map((update) => [update.id ?? update.name, update]));
  const removed = new Set(own.flatMap((one) => (one.action === "remove" ? [one.id ?? one.name] : [])));
  const remaining = section
    .records(snapshot)
    .filter((record) => !removed.has(keyOf(record)))
    .map((record) => {
      const update = updates.get(keyOf(record));
      if (!update) return record;
      const changes = [...update.fields];
      if (archiving && update.action !== "update")
        changes.push({ field: archiving.member, to: (update.action === archiving.archive) === archiving.archived });
      return changed(record, changes);
    });
  const created = creationsIn(name, own).map(
    (one): WritableEntry => ({
      ...changed(
        section.initialValues?.(snapshot, one.to) ?? {},
        Object.entries(one.to).map(([field, to]) => ({ field, to })),
      ),
      ...(section.id && { [section.id]: ids.of(name, { new: one.name }) }),
    }),
  );
  const all = [...remaining, ...created];
  const order = own.find((one) => one.action === "reorder");
  if (!order) return section.withRecords(snapshot, all);
  const byId = new Map(all.map((record) => [idOf(section, record), record]));
  return section.withRecords(
    snapshot,
    order.to.map((known) => byId.get(ids.of(name, known))).filter((record) => record !== undefined),
  );
}

/** The members of records that are lists of people. */
const listsOfPeople: ReadonlySet<string> = new Set(
  everyList.filter(({ of }) => of === "user").map(({ member }) => member),
);

/** The parts of the snapshot whose records have lists. */
const partsWithLists = everyKind.flatMap(([, { lists, registered }]) => (lists && registered?.lists) ?? []);

/** Removes deactivated people from settings and lists, as servers do. */
function withoutPeople<R extends object>(record: R, deactivated: ReadonlySet<number>): R {
  const without = (name: string, value: unknown): unknown => {
    if (listsOfPeople.has(name) && Array.isArray(value)) return value.filter((id) => !deactivated.has(id));
    if (!isEntry(value) || !Array.isArray(value.direct_members)) return value;
    return { ...value, direct_members: value.direct_members.filter((id) => !deactivated.has(id)) };
  };
  if (!deactivated.size) return record;
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, without(name, value)])) as R;
}

/** Returns who is active after the plan, and ids: who is deactivated, and who gets another role. */
function accountsAfter(snapshot: Snapshot, updates: readonly Update[]) {
  const everybody = everybodyOf(snapshot);
  const active = new Set(snapshot.organization.realm_users.map(({ user_id }) => user_id));
  const [deactivated, moved] = [new Set<number>(), new Set<number>()];
  for (const { id = 0, action, fields } of updates) {
    if (action === "reactivate") active.add(id);
    else if (action === "deactivate") deactivated.add(id);
    if (action === "reactivate" || fields.some(({ field }) => field === "role")) moved.add(id);
  }
  // Bots leave with their owners.
  for (const { user_id, bot_owner_id } of everybody)
    if (active.has(user_id) && deactivated.has(bot_owner_id ?? 0)) deactivated.add(user_id);
  const isActive = ({ user_id }: Person) => active.has(user_id) && !deactivated.has(user_id);
  return {
    realm_users: everybody.filter(isActive),
    realm_non_active_users: everybody.filter((person) => !isActive(person)),
    deactivated,
    moved,
  };
}

/**
 * Returns the groups with the members of system groups: servers put active accounts into them by their roles. Only accounts
 * that are `isNew` become full members at once. For others, the server's daily job decides.
 */
function groupsAfter(snapshot: Snapshot, accounts: readonly Person[], isNew: (id: number) => boolean): SnapshotGroup[] {
  const roleOfGroup = new Map(Object.entries(groupOfRole).map(([role, name]) => [name, Number(role)]));
  return snapshot.organization.realm_user_groups.map((group) => {
    const role = roleOfGroup.get(group.name);
    if (role === undefined && group.name !== "role:fullmembers") return group;
    const listed = new Set(group.members);
    const isFull = (person: Person) =>
      isNew(person.user_id) ? isFullMember(snapshot, person) : listed.has(person.user_id);
    const belongs = (person: Person) =>
      role === undefined ? roleOf(person) === roles.member && isFull(person) : roleOf(person) === role;
    return { ...group, members: accounts.filter(belongs).map(({ user_id }) => user_id) };
  });
}

/** Returns ids of the channels that new people are subscribed to. */
function defaultChannels(snapshot: Snapshot, differences: readonly Difference[], ids: Ids): number[] {
  const defaults = new Set(defaultChannelsOf(snapshot));
  const set = (id: number, value: unknown) => (value ? defaults.add(id) : defaults.delete(id));
  for (const { id = 0, fields, action } of updatesIn("channels", differences)) {
    for (const { field, to } of fields) if (field === "is_default_stream") set(id, to);
    if (action === "archive") defaults.delete(id);
  }
  for (const { name, to } of creationsIn("channels", differences))
    if (to.is_default_stream) defaults.add(ids.of("channels", { new: name }));
  return [...defaults];
}

function settingValue(field: string, to: unknown, ids: Ids): unknown {
  const settings: Readonly<Record<string, Setting>> = organizationSettings;
  const setting = settings[field];
  if (!setting || setting.kind === "group") return ids.who(to);
  if (setting.kind === "channel") return to === null ? -1 : ids.all("channels", [to])[0];
  return storedValue(setting, to);
}

/** Returns the changed settings by their names in the snapshot. Settings that name an archived channel are reset. */
function settingsAfter(snapshot: Snapshot, differences: readonly Difference[], ids: Ids): WritableEntry {
  const archived = updatesIn("channels", differences).flatMap(({ id, action }) => (action === "archive" ? [id] : []));
  const reset = Object.entries(organizationSettings).flatMap(([name, { kind }]) =>
    kind === "channel" && archived.some((id) => id === organizationSetting(snapshot, name)) ? [name] : [],
  );
  const changes = updatesIn("settings", differences).flatMap(({ fields }) => fields);
  return Object.fromEntries([
    ...reset.map((name) => [`realm_${name}`, -1]),
    ...changes.map(({ field, to }) => [`realm_${field}`, settingValue(field, to, ids)]),
  ]);
}

/** Returns the organization after all differences are applied. */
export function applyTo(
  snapshot: Snapshot,
  differences: readonly Difference[],
  ids = new Ids(snapshot, differences),
): Snapshot {
  if (!differences.length) return snapshot;
  const applied = thingSections.reduce((so, name) => predictSection(so, name, differences, ids), snapshot);
  const accounts = [...updatesIn("people", differences), ...updatesIn("bots", differences)];
  const { deactivated, moved, ...people } = accountsAfter(applied, accounts);
  const settings = settingsAfter(snapshot, differences, ids);
  const defaults = updatesIn("new_users", differences).flatMap(({ fields }) => fields);
  const invited = differences.flatMap((one) => (one.action === "invite" ? [one.to] : []));
  const organization = { ...withoutPeople(applied.organization, deactivated), ...settings, ...people };
  // A changed waiting period makes servers recompute the group of full members.
  const isRecomputed = "realm_waiting_period_threshold" in settings;
  const groups =
    accounts.length || isRecomputed
      ? groupsAfter({ ...applied, organization }, people.realm_users, (id) => isRecomputed || moved.has(id))
      : organization.realm_user_groups;
  const after: WritableEntry = { ...organization, realm_user_groups: groups };
  const cleaned = partsWithLists.map((part): [string, WritableEntry[]] => [
    part,
    [after[part] ?? []].flat().map((record) => withoutPeople(membersOf(record), deactivated)),
  ]);
  return {
    ...applied,
    organization: {
      ...organization,
      ...Object.fromEntries(cleaned),
      realm_default_streams: defaultChannels(snapshot, differences, ids),
      realm_user_settings_defaults: {
        ...organization.realm_user_settings_defaults,
        ...Object.fromEntries(defaults.map(({ field, to }) => [field, to])),
      },
    },
    invites: [
      ...snapshot.invites,
      ...invited.map(({ role = "member", email }) => ({
        // The server chooses the id when the invitation is sent. Nothing reads it here.
        id: 0,
        invited_as: roleNumber(role) ?? roles.member,
        is_multiuse: false,
        email: String(email),
      })),
    ],
  };
}

/** The organization before and after changes. It is made once for a plan. */
export interface Prediction {
  readonly differences: readonly Difference[];
  readonly ids: Ids;
  readonly before: GroupMembership;
  readonly after: GroupMembership;
  /** What the changes give to the caller, and take. */
  readonly rights: OwnRights;
}

export function predict(before: GroupMembership, differences: readonly Difference[]): Prediction {
  const ids = new Ids(before.snapshot, differences);
  const after = groupMembershipIn(applyTo(before.snapshot, differences, ids));
  return { differences, ids, before, after, rights: ownRights(before.caller, after.caller) };
}
