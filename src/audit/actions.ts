/** What servers write into the log of an organization, by event type. Help, documentation and tests come from it. */

import type { LoggedKind } from "../model/change.ts";
import { everyKind } from "../model/kinds/index.ts";
import type { LogRow } from "./rows.ts";

export interface AuditAction {
  /** `channel.renamed`. */
  readonly action: string;
  /** `{target}`, `{subject}`, `{property}`, `{from}`, `{to}` and `{settings}` stand for the words of an entry. */
  readonly sentence: string;
  /** Rows about accounts have the kind `user`, also those about bots. */
  readonly kind: LoggedKind;
  /** The target, if it is not of the kind. */
  readonly target?: "organization";
  /** Who is added to or removed from the target. */
  readonly subject?: "user" | "subgroup";
  /** The member of `extra_data` with a thing of a list, such as that of an added domain. */
  readonly list?: string;
  /** The name of what changed. By default the row states it. */
  readonly property?: string;
  /** By default the row states the old and the new value. */
  readonly from?: string;
  readonly to?: string;
  /** The values are ids of these things. */
  readonly values?: "channel" | "folder";
  /** Private or housekeeping: shown only where `--kind` asks for its kind. */
  readonly hidden?: true;
}

type ActionRow = readonly [type: number, action: string, sentence: string, more?: Partial<AuditAction>];

const hidden = { hidden: true } as const;
const user = { subject: "user" } as const;
const subgroup = { subject: "subgroup" } as const;

const table: readonly ActionRow[] = [
  [101, "user.created", "created {target}"],
  [102, "user.activated", "activated {target}"],
  [103, "user.deactivated", "deactivated {target}"],
  [104, "user.reactivated", "reactivated {target}"],
  [105, "user.role_changed", "changed the role of {target} from {from} to {to}", { property: "role" }],
  [106, "user.deleted", "deleted {target} and all messages of it"],
  [107, "user.deleted_keeping_messages", "deleted {target}, but not its messages"],
  [108, "user.permission_changed", "changed the permission {property} of {target}"],
  [120, "user.soft_activated", "took {target} back into the server's caches", hidden],
  [121, "user.soft_deactivated", "took {target} out of the server's caches", hidden],
  [122, "user.password_changed", "changed the password of {target}"],
  [123, "user.avatar_changed", "changed the avatar of {target}"],
  [124, "user.renamed", "renamed {target} to {to}", { property: "full_name" }],
  [125, "user.email_changed", "changed the email of {target} from {from} to {to}", { property: "email" }],
  [126, "user.terms_accepted", "{target} accepted the terms of service"],
  [127, "user.api_key_changed", "made a new API key for {target}"],
  [128, "user.bot_owner_changed", "changed the owner of {target}", { property: "bot_owner" }],
  [129, "user.bot_channel_changed", "changed the channel that {target} sends to", { values: "channel" }],
  [130, "user.bot_events_channel_changed", "changed the channel whose events {target} gets", { values: "channel" }],
  [131, "user.bot_all_channels_changed", "changed whether {target} gets events of all public channels"],
  [132, "user.setting_changed", "changed the personal setting {property} of {target}"],

  [201, "organization.deactivated", "deactivated the organization"],
  [202, "organization.reactivated", "reactivated the organization"],
  [203, "organization.scrubbed", "deleted all content of the organization"],
  [204, "organization.plan_changed", "changed the plan of the organization"],
  [205, "organization.logo_changed", "changed the logo of the organization"],
  [206, "export.created", "made export {target}"],
  [207, "setting.changed", "changed {property} from {from} to {to}"],
  [208, "organization.icon_changed", "changed the icon of the organization"],
  [213, "organization.subdomain_changed", "changed the address of the organization from {from} to {to}"],
  [215, "organization.created", "created the organization"],
  [216, "default_setting.changed", "changed the default of new people for {property} from {from} to {to}"],
  [
    217,
    "setting.changed",
    "changed {property} from {from} to {to}",
    { target: "organization", property: "org_type", from: "old_value", to: "new_value" },
  ],
  [229, "organization.imported", "imported the organization"],
  [230, "export.deleted", "deleted export {target}"],

  [301, "channel.subscribed", "subscribed {subject} to {target}", user],
  [302, "channel.resubscribed", "subscribed {subject} to {target} again", user],
  [303, "channel.unsubscribed", "unsubscribed {subject} from {target}", user],
  [304, "channel.subscription_changed", "changed {property} of the subscription of {subject} to {target}", user],
  [350, "user.muted", "muted {target}", hidden],
  [351, "user.unmuted", "unmuted {target}", hidden],
  ...[401, 402, 403, 404, 501, 502, 503, 504, 505, 506, 507].map(
    (type): ActionRow => [type, "organization.billing_changed", "changed the billing"],
  ),

  [601, "channel.created", "created channel {target}{settings}"],
  [602, "channel.archived", "archived channel {target}"],
  [603, "channel.renamed", "renamed channel {target} to {to}", { property: "name" }],
  [604, "channel.restored", "restored channel {target}"],
  [
    605,
    "channel.retention_changed",
    "changed the message retention of channel {target} from {from} to {to}",
    { property: "message_retention_days" },
  ],
  [607, "channel.updated", "changed {property} of channel {target} from {from} to {to}"],
  [608, "channel.permission_changed", "changed {property} of channel {target} from {from} to {to}"],
  [
    609,
    "channel.folder_changed",
    "changed the folder of channel {target} from {from} to {to}",
    { property: "folder_id", values: "folder" },
  ],

  [701, "group.created", "created group {target}"],
  [702, "group.deleted", "deleted group {target}"],
  [703, "group.member_added", "added {subject} to group {target}", user],
  [704, "group.member_removed", "removed {subject} from group {target}", user],
  [705, "group.subgroup_added", "added {subject} to group {target}", subgroup],
  [706, "group.subgroup_removed", "removed {subject} from group {target}", subgroup],
  [720, "group.renamed", "renamed group {target} to {to}", { property: "name" }],
  [721, "group.described", "changed the description of group {target}", { property: "description" }],
  [722, "group.permission_changed", "changed {property} of group {target} from {from} to {to}"],
  [723, "group.deactivated", "deactivated group {target}"],
  [724, "group.reactivated", "reactivated group {target}"],
  [800, "user.snippet_saved", "saved a snippet", hidden],
  [810, "user.custom_email_sent", "the server's operator sent {target} an e-mail"],
  [850, "user.navigation_view_added", "added a view to the left sidebar", hidden],
  [851, "user.navigation_view_changed", "changed a view in the left sidebar", hidden],
  [852, "user.navigation_view_removed", "removed a view from the left sidebar", hidden],

  [901, "folder.created", "created folder {target}"],
  [902, "folder.renamed", "renamed folder {target} to {to}", { property: "name" }],
  [903, "folder.described", "changed the description of folder {target}", { property: "description" }],
  [904, "folder.archived", "archived folder {target}"],
  [905, "folder.restored", "restored folder {target}"],
  [10201, "organization.server_registered", "the server was registered"],
];

/** Rows with the thing itself. */
const rowsOf = ([kind, { one, plural, log }]: (typeof everyKind)[number]): ActionRow[] => {
  if (log === undefined || log === "own") return [];
  const { added, changed, removed, reordered, removedAs = "removed" } = log;
  const row = (type: number | undefined, did: string, list: string): ActionRow[] =>
    type === undefined ? [] : [[type, `${kind}.${did}`, `${did} ${one} {target}`, { list: `${list}_${kind}` }]];
  const order = { target: "organization", from: "before", to: `realm_${kind}s` } as const;
  return [
    ...row(added, "added", "added"),
    ...row(changed, "changed", "changed"),
    ...row(removed, "removed", removedAs),
    ...(reordered === undefined
      ? []
      : [[reordered, `${kind}.reordered`, `changed the order of the ${plural}`, order] as const]),
  ];
};

export const actions: ReadonlyMap<number, AuditAction> = new Map(
  [...table, ...everyKind.flatMap(rowsOf)].map(([type, action, sentence, more]) => [
    type,
    { action, sentence, kind: action.split(".")[0] as LoggedKind, ...more },
  ]),
);

/** Event types of rows that mirror others: what a group gained is in a row about the group. */
export const mirroredTypes: ReadonlySet<LogRow["event_type"]> = new Set([707, 708]);

export const actionNames: readonly string[] = [...new Set([...actions.values()].map(({ action }) => action))].sort();
