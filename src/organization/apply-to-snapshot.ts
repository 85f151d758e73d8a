/** The organization as it would be when everything in a plan has been done. */
import { type OrganizationSetting, organizationSettings } from "../api/settings.ts";
import { roles } from "../api/users.ts";
import { peopleAfter } from "./apply-to-snapshot/people.ts";
import { isEntry } from "./content.ts";
import type { Creation, Difference, Update, Values, WhoValue } from "./difference.ts";
import { sections, thingSections } from "./file.ts";
import { Ids } from "./ids.ts";
import type { Entry, Things } from "./sections/section.ts";
import { defaultChannelsOf, organizationSetting, type Snapshot } from "./snapshot.ts";
import type { SectionName, ThingSection } from "./words.ts";

const updatesIn = (section: SectionName, differences: readonly Difference[]): Update[] =>
  differences.filter((one): one is Update => one.section === section && "fields" in one && !one.prune);

const creationsIn = (section: SectionName, differences: readonly Difference[]): Creation[] =>
  differences.filter((one): one is Creation => one.section === section && one.action === "create");

/** The snapshot with the records of one section as they will be. */
function withRecords(snapshot: Snapshot, name: ThingSection, differences: readonly Difference[], ids: Ids): Snapshot {
  const section: Things = sections[name];
  const { write = (field, value) => ({ [field]: value }), archiving } = section;
  const mine = differences.filter((one) => one.section === name && !one.prune);
  if (!section.put || !mine.length) return snapshot;
  const written = (values: Values): Entry =>
    Object.assign({}, ...Object.entries(values).map(([field, to]) => write(field, to, ids)));
  const keyOf = (record: object) => section.id(record) ?? String(Reflect.get(record, section.key[0] ?? ""));
  const updates = new Map(updatesIn(name, mine).map((update) => [update.id ?? update.name, update]));
  const gone = new Set(mine.flatMap((one) => (one.action === "remove" ? [one.id ?? one.name] : [])));
  const stay = section
    .records(snapshot)
    .filter((record) => !gone.has(keyOf(record)))
    .map((record) => {
      const update = updates.get(keyOf(record));
      if (!update) return record;
      const values = Object.fromEntries(update.fields.map(({ field, to }) => [field, to]));
      if (archiving && update.action !== "update")
        values[archiving.member] = (update.action === archiving.archive) === archiving.archived;
      return { ...record, ...written(values) };
    });
  const created = creationsIn(name, mine).map((one) => ({
    ...section.fresh?.(snapshot, one.to),
    ...written(one.to),
    ...section.identify?.(ids.of(name, { new: one.name })),
  }));
  const all = [...stay, ...created];
  const order = mine.find((one) => one.action === "reorder");
  if (!order) return section.put(snapshot, all);
  const byId = new Map(all.map((record) => [section.id(record), record]));
  return section.put(
    snapshot,
    order.to.flatMap((known) => byId.get(ids.of(name, known)) ?? []),
  );
}

/** Servers take deactivated people out of settings and lists. */
function withoutPeople<R extends object>(record: R, leave: ReadonlySet<number>): R {
  const without = (name: string, value: unknown): unknown => {
    if (name === "subscribers" && Array.isArray(value)) return value.filter((id) => !leave.has(id));
    if (!isEntry(value) || !Array.isArray(value.direct_members)) return value;
    return { ...value, direct_members: value.direct_members.filter((id) => !leave.has(id)) };
  };
  if (!leave.size) return record;
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, without(name, value)])) as R;
}

/** Ids of the channels that new people are subscribed to. */
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

function settingValue(field: OrganizationSetting, to: unknown, ids: Ids): unknown {
  const { kind } = organizationSettings[field];
  if (kind === "group") return ids.who(to as WhoValue);
  if (kind === "channel") return to === null ? -1 : ids.all("channels", [to])[0];
  if (kind === "limit" && to === "unlimited") return field === "message_retention_days" ? -1 : null;
  return to === "default" && field === "jitsi_server_url" ? null : to;
}

/** Members of the organization that settings become. Those that name an archived channel are reset. */
function settingsAfter(snapshot: Snapshot, differences: readonly Difference[], ids: Ids): Entry {
  const archived = updatesIn("channels", differences).flatMap(({ id, action }) => (action === "archive" ? [id] : []));
  const reset = Object.entries(organizationSettings).flatMap(([name, { kind }]) =>
    kind === "channel" && archived.some((id) => id === organizationSetting(snapshot, name)) ? [name] : [],
  );
  const changes = updatesIn("settings", differences).flatMap(({ fields }) => fields);
  return Object.fromEntries([
    ...reset.map((name) => [`realm_${name}`, -1]),
    ...changes.map(({ field, to }) => [`realm_${field}`, settingValue(field as OrganizationSetting, to, ids)]),
  ]);
}

/** The organization as it is when the differences are applied. */
export function applyTo(snapshot: Snapshot, differences: readonly Difference[]): Snapshot {
  if (!differences.length) return snapshot;
  const ids = new Ids(snapshot, differences);
  const applied = thingSections.reduce((so, name) => withRecords(so, name, differences, ids), snapshot);
  const { organization } = applied;
  const settings = settingsAfter(snapshot, differences, ids);
  const { leave, regroup, ...people } = peopleAfter(snapshot, updatesIn("people", differences), ids, settings);
  const defaults = updatesIn("new_users", differences).flatMap(({ fields }) => fields);
  const invited = differences.flatMap((one) => (one.action === "invite" ? [one.to] : []));
  const staying = <R extends object>(all: readonly R[]) => all.map((each) => withoutPeople(each, leave));
  return {
    ...applied,
    organization: {
      ...withoutPeople(organization, leave),
      ...settings,
      ...people,
      realm_user_groups: staying(regroup(organization.realm_user_groups)),
      subscriptions: staying(organization.subscriptions),
      unsubscribed: staying(organization.unsubscribed),
      never_subscribed: staying(organization.never_subscribed),
      realm_default_streams: defaultChannels(snapshot, differences, ids),
      realm_user_settings_defaults: {
        ...organization.realm_user_settings_defaults,
        ...Object.fromEntries(defaults.map(({ field, to }) => [field, to])),
      },
    },
    invites: [
      ...snapshot.invites,
      ...invited.map(({ role = "member", email }) => ({
        // None is known before it is sent, and nothing asks for it.
        id: 0,
        invited_as: Reflect.get(roles, String(role)),
        is_multiuse: false,
        email: String(email),
      })),
    ],
  };
}
