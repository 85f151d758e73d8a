/** The organization as it would be when everything in a plan has been done. */

import type { GroupSetting } from "../api/group-setting.ts";
import {
  channelPermissionRules,
  channelPermissions,
  groupPermissionRules,
  groupPermissions,
} from "../api/permission-settings.ts";
import { type OrganizationSetting, organizationSettings, type Setting } from "../api/settings.ts";
import { roles } from "../api/users.ts";
import { archived, SectionChanges } from "./apply-to-snapshot/changes.ts";
import { Ids } from "./apply-to-snapshot/ids.ts";
import { peopleAfter } from "./apply-to-snapshot/people.ts";
import type { Creation, Difference, Known, WhoValue } from "./difference.ts";
import { sections, thingSections } from "./file.ts";
import type { Entry } from "./sections/section.ts";
import { type Channel, defaultChannelsOf, type Group, type Snapshot } from "./snapshot.ts";
import type { SectionName } from "./words.ts";

/** What a new channel or group has of its own: servers give it to whoever makes it, or to the usual groups. */
function permissionsOfNew<N extends string>(
  snapshot: Snapshot,
  rules: Readonly<Record<N, { since: number }>>,
  names: readonly N[],
  groups: Readonly<Record<string, string>>,
): Entry {
  const idOf = new Map(snapshot.organization.realm_user_groups.map(({ name, id }) => [name, id]));
  const me = { direct_members: [snapshot.organization.user_id], direct_subgroups: [] };
  const known = names.filter((name) => rules[name].since <= snapshot.feature_level);
  return Object.fromEntries(
    known.map((name) => [name, groups[name] === "me" ? me : idOf.get(groups[name] ?? "role:nobody")]),
  );
}

function groupsAfter(snapshot: Snapshot, part: SectionChanges, ids: Ids): Group[] {
  const usual = {
    can_manage_group: "me",
    can_add_members_group: "me",
    can_leave_group: "role:everyone",
    can_mention_group: "role:everyone",
  };
  const rights = permissionsOfNew(snapshot, groupPermissionRules, groupPermissions, usual);
  const changed = snapshot.organization.realm_user_groups.map((group) => {
    const update = part.byId.get(group.id);
    if (!update) return group;
    return { ...group, ...part.written(update.fields, sections.groups), ...archived(update, "deactivated") };
  });
  const made = part.created.map((one) => {
    const fresh = {
      description: "",
      members: [],
      direct_subgroup_ids: [],
      is_system_group: false,
      deactivated: false,
      ...rights,
    };
    return { ...fresh, ...part.made(one, sections.groups), id: ids.of("groups", { new: one.name }) };
  });
  return [...changed, ...(made as unknown as Group[])];
}

function without(setting: unknown, leave: ReadonlySet<number>): unknown {
  if (typeof setting !== "object" || setting === null || !("direct_members" in setting)) return setting;
  const { direct_members, ...rest } = setting as Exclude<GroupSetting, number>;
  return direct_members.some((id) => leave.has(id))
    ? { ...rest, direct_members: direct_members.filter((id) => !leave.has(id)) }
    : setting;
}

/** A record whose settings and lists no longer have those who leave. */
function withoutPeople<R extends object>(record: R, leave: ReadonlySet<number>): R {
  if (!leave.size) return record;
  const entries = Object.entries(record).map(([name, value]) => [
    name,
    name === "subscribers" ? (value as number[]).filter((id) => !leave.has(id)) : without(value, leave),
  ]);
  return Object.fromEntries(entries) as R;
}

function channelAfter(channel: Channel, part: SectionChanges): Channel {
  const update = part.byId.get(channel.stream_id);
  if (!update) return channel;
  const fields = part.written(update.fields, sections.channels);
  // Who is let into the history stays as it is when a channel becomes private; that of a public one is everybody's.
  const history = fields.invite_only === false ? { history_public_to_subscribers: true } : {};
  return { ...channel, ...fields, ...history, ...archived(update, "is_archived") };
}

function channelsMade(snapshot: Snapshot, part: SectionChanges, ids: Ids): Channel[] {
  const usual = {
    can_administer_channel_group: "me",
    can_remove_subscribers_group: "role:administrators",
    can_send_message_group: "role:everyone",
    can_create_topic_group: "role:everyone",
  };
  const rights = permissionsOfNew(snapshot, channelPermissionRules, channelPermissions, usual);
  return part.created.map((one) => {
    const fields = part.made(one, sections.channels);
    const fresh = {
      description: "",
      invite_only: false,
      is_web_public: false,
      history_public_to_subscribers: !fields.invite_only,
      is_archived: false,
      message_retention_days: null,
      ...(snapshot.feature_level >= 389 && { folder_id: null }),
      ...(snapshot.feature_level >= 392 && { topics_policy: "inherit" }),
      ...rights,
      subscribers: [],
    };
    return { ...fresh, ...fields, stream_id: ids.of("channels", { new: one.name }) } as unknown as Channel;
  });
}

/** Channels that are default ones afterwards. */
function defaultsAfter(snapshot: Snapshot, part: SectionChanges, ids: Ids): number[] {
  const defaults = new Set(defaultChannelsOf(snapshot));
  const say = (id: number, value: unknown) => (value ? defaults.add(id) : defaults.delete(id));
  for (const { id, fields, action } of part.updates) {
    for (const { field, to } of fields) if (field === "is_default_stream") say(id!, to);
    if (action === "archive") defaults.delete(id!);
  }
  for (const { name, to } of part.created) if (to.is_default_stream) say(ids.of("channels", { new: name }), true);
  return [...defaults];
}

function settingsAfter(snapshot: Snapshot, part: SectionChanges, channels: SectionChanges, ids: Ids): Entry {
  const told: Entry = {};
  const organization = snapshot.organization;
  const archived = new Set(channels.updates.flatMap(({ id, action }) => (action === "archive" ? [id] : [])));
  for (const [name, { kind }] of Object.entries(organizationSettings) as [OrganizationSetting, Setting][])
    if (kind === "channel" && archived.has(Number(organization[`realm_${name}`]))) told[`realm_${name}`] = -1;
  for (const { field, to } of part.updates.flatMap(({ fields }) => fields)) {
    const { kind }: Setting = organizationSettings[field as OrganizationSetting];
    const value =
      kind === "group"
        ? ids.who(to as WhoValue)
        : kind === "channel"
          ? to === null
            ? -1
            : ids.of("channels", to as Known)
          : kind === "limit" && to === "unlimited"
            ? field === "message_retention_days"
              ? -1
              : null
            : to;
    told[`realm_${field}`] = field === "jitsi_server_url" && to === "default" ? null : value;
  }
  return told;
}

/** The organization as it is when the differences are applied. */
export function applyTo(snapshot: Snapshot, differences: readonly Difference[]): Snapshot {
  if (!differences.length) return snapshot;
  const ids = new Ids(snapshot, differences);
  const changes = (section: SectionName) => new SectionChanges(section, differences, ids);
  const { organization } = snapshot;
  const channels = changes("channels");
  const settings = changes("settings");
  const waiting = settings.updates
    .flatMap(({ fields }) => fields)
    .find(({ field }) => field === "waiting_period_threshold");
  const days = typeof waiting?.to === "number" ? waiting.to : undefined;
  const { leave, regroup, realm_users, realm_non_active_users } = peopleAfter(
    snapshot,
    changes("people").updates,
    ids,
    days,
  );
  const channelAs = (channel: Channel) => withoutPeople(channelAfter(channel, channels), leave);
  const defaults = changes("new_users").updates.flatMap(({ fields }) => fields);
  const invited = differences.filter((one): one is Creation => one.action === "invite");
  const applied: Snapshot = {
    ...snapshot,
    organization: {
      ...withoutPeople(organization, leave),
      ...settingsAfter(snapshot, settings, channels, ids),
      realm_users,
      realm_non_active_users,
      realm_user_groups: regroup(groupsAfter(snapshot, changes("groups"), ids)).map((group) =>
        withoutPeople(group, leave),
      ),
      subscriptions: organization.subscriptions.map(channelAs),
      unsubscribed: organization.unsubscribed.map(channelAs),
      never_subscribed: [...organization.never_subscribed.map(channelAs), ...channelsMade(snapshot, channels, ids)],
      realm_default_streams: defaultsAfter(snapshot, channels, ids),
      realm_user_settings_defaults: {
        ...organization.realm_user_settings_defaults,
        ...Object.fromEntries(defaults.map(({ field, to }) => [field, to])),
      },
    },
    invites: [
      ...snapshot.invites,
      ...invited.map(({ to }) => ({
        // None is known before it is sent, and nothing asks for it.
        id: 0,
        invited_as: roles[(to.role ?? "member") as keyof typeof roles],
        is_multiuse: false,
        email: to.email as string,
      })),
    ],
  };
  return thingSections.reduce((so, name) => changes(name).applyTo(so, name, sections[name]), applied);
}
