/**
 * What servers write into the log of an organization, by event type: which action each row is, what it concerns, where
 * its old and new values stand, and its sentence. The help of `--action`, the documentation and the tests come from it.
 */
import { effectOf } from "../organization/risky-settings.ts";
import type { LogRow } from "./rows.ts";
import { type Kind, retention } from "./words.ts";

/** A member of the row, or of its `extra_data`. */
type Target = "user" | "channel" | "group" | "organization" | { data: string; name: string };

type Value = (row: LogRow) => unknown;

export interface Action {
  /** `channel.renamed`. */
  readonly action: string;
  /** The target is an account. Rows of bots have the kind `bot`. */
  readonly kind: Kind;
  readonly target: Target;
  /** Who is added to or removed from the target. */
  readonly subject?: "user" | "subgroup";
  /** The name of what changed, or where the row tells it. */
  readonly property?: string | Value;
  readonly from?: Value;
  readonly to?: Value;
  /** The values are permissions, where the property says so or always. */
  readonly values?: "permission" | "setting" | "channel";
  readonly destructive?: boolean | ((from: unknown, to: unknown, property: string | null) => boolean);
  /** Private or housekeeping: shown only where `--kind` asks for its kind. */
  readonly hidden?: true;
  /** `{target}`, `{subject}`, `{property}`, `{from}` and `{to}` stand for the words of an entry. */
  readonly sentence: string;
}

const old: Value = ({ extra_data }) => extra_data["1"] ?? null;
const now: Value = ({ extra_data }) => extra_data["2"] ?? null;
const changed = { from: old, to: now };
const property: Value = ({ extra_data }) => extra_data.property ?? null;
const member =
  (name: string): Value =>
  ({ extra_data }) =>
    extra_data[name] ?? null;

const ofUser = (action: string, sentence: string, more: Partial<Action> = {}): Action => ({
  action: `user.${action}`,
  kind: "user",
  target: "user",
  sentence,
  ...more,
});
const ofChannel = (action: string, sentence: string, more: Partial<Action> = {}): Action => ({
  action: `channel.${action}`,
  kind: "channel",
  target: "channel",
  sentence,
  ...more,
});
const ofGroup = (action: string, sentence: string, more: Partial<Action> = {}): Action => ({
  action: `group.${action}`,
  kind: "group",
  target: "group",
  sentence,
  ...more,
});
const ofOrganization = (action: string, sentence: string, more: Partial<Action> = {}): Action => ({
  action: `organization.${action}`,
  kind: "organization",
  target: "organization",
  sentence,
  ...more,
});
/** A thing of a list: the row holds it in `extra_data`, after the verb. */
const ofList = (
  kind: Kind & ("domain" | "linkifier" | "playground" | "emoji"),
  verb: "added" | "changed" | "removed" | "deactivated",
  name: string,
  more: Partial<Action> = {},
): Action => {
  const data = `${verb}_${kind}`;
  return {
    action: `${kind}.${verb === "deactivated" ? "removed" : verb}`,
    kind,
    target: { data, name },
    // The value before a change is in an earlier row: `log.ts` copies it into this one.
    ...((verb === "changed" || verb === "removed") && { from: verb === "changed" ? member("before") : member(data) }),
    ...((verb === "changed" || verb === "added") && { to: member(data) }),
    sentence: `${verb === "deactivated" ? "removed" : verb} ${kind} {target}`,
    ...more,
  };
};
const billing = (number: number): [number, Action] => [
  number,
  ofOrganization("billing_changed", "changed the billing", { values: undefined }),
];

/** Roles by number: the larger, the less it may. */
const powerChanged = (from: unknown, to: unknown) =>
  from === "owner" || from === "administrator" || to === "owner" || to === "administrator" || from === "guest";

export const actions: ReadonlyMap<number, Action> = new Map<number, Action>([
  [101, ofUser("created", "created {target}")],
  [102, ofUser("activated", "activated {target}")],
  [103, ofUser("deactivated", "deactivated {target}", { destructive: true })],
  [104, ofUser("reactivated", "reactivated {target}")],
  [
    105,
    ofUser("role_changed", "changed the role of {target} from {from} to {to}", {
      ...changed,
      property: "role",
      destructive: powerChanged,
    }),
  ],
  [106, ofUser("deleted", "deleted {target} and all messages of it", { destructive: true })],
  [107, ofUser("deleted_keeping_messages", "deleted {target}, but not its messages", { destructive: true })],
  [108, ofUser("permission_changed", "changed the permission {property} of {target}", { ...changed, property })],
  [120, ofUser("soft_activated", "took {target} back into the server's caches", { hidden: true })],
  [121, ofUser("soft_deactivated", "took {target} out of the server's caches", { hidden: true })],
  [122, ofUser("password_changed", "changed the password of {target}")],
  [123, ofUser("avatar_changed", "changed the avatar of {target}", changed)],
  [124, ofUser("renamed", "renamed {target} to {to}", { ...changed, property: "full_name" })],
  [
    125,
    ofUser("email_changed", "changed the email of {target} from {from} to {to}", { ...changed, property: "email" }),
  ],
  [126, ofUser("terms_accepted", "{target} accepted the terms of service", changed)],
  [127, ofUser("api_key_changed", "made a new API key for {target}", { destructive: true })],
  [128, ofUser("bot_owner_changed", "changed the owner of {target}", { ...changed, property: "bot_owner" })],
  [129, ofUser("bot_channel_changed", "changed the channel that {target} sends to", { ...changed, values: "channel" })],
  [
    130,
    ofUser("bot_events_channel_changed", "changed the channel whose events {target} gets", {
      ...changed,
      values: "channel",
    }),
  ],
  [131, ofUser("bot_all_channels_changed", "changed whether {target} gets events of all public channels", changed)],
  [132, ofUser("setting_changed", "changed the personal setting {property} of {target}", { ...changed, property })],

  [201, ofOrganization("deactivated", "deactivated the organization", { destructive: true })],
  [202, ofOrganization("reactivated", "reactivated the organization")],
  [203, ofOrganization("scrubbed", "deleted all content of the organization", { destructive: true })],
  [204, ofOrganization("plan_changed", "changed the plan of the organization", changed)],
  [205, ofOrganization("logo_changed", "changed the logo of the organization")],
  [
    206,
    {
      action: "export.created",
      kind: "export",
      target: { data: "", name: "realm_export_id" },
      sentence: "made export {target}",
    },
  ],
  [
    207,
    {
      action: "setting.changed",
      kind: "setting",
      target: { data: "", name: "property" },
      property,
      ...changed,
      values: "setting",
      destructive: (from, to, name) => name !== null && effectOf(name, from, to) !== undefined,
      sentence: "changed {property} from {from} to {to}",
    },
  ],
  [208, ofOrganization("icon_changed", "changed the icon of the organization")],
  [213, ofOrganization("subdomain_changed", "changed the address of the organization from {from} to {to}", changed)],
  [215, ofOrganization("created", "created the organization")],
  [
    216,
    {
      action: "default_setting.changed",
      kind: "default_setting",
      target: { data: "", name: "property" },
      property,
      ...changed,
      sentence: "changed the default of new people for {property} from {from} to {to}",
    },
  ],
  [
    217,
    {
      action: "setting.changed",
      kind: "setting",
      target: "organization",
      property: "org_type",
      from: member("old_value"),
      to: member("new_value"),
      sentence: "changed {property} from {from} to {to}",
    },
  ],
  [218, ofList("domain", "added", "domain")],
  [219, ofList("domain", "changed", "domain")],
  [220, ofList("domain", "removed", "domain", { destructive: true })],
  [221, ofList("playground", "added", "name")],
  [222, ofList("playground", "removed", "name", { destructive: true })],
  [223, ofList("linkifier", "added", "pattern")],
  [224, ofList("linkifier", "changed", "pattern")],
  [225, ofList("linkifier", "removed", "pattern", { destructive: true })],
  [226, ofList("emoji", "added", "name")],
  [227, ofList("emoji", "deactivated", "name", { destructive: true })],
  [
    228,
    {
      action: "linkifier.reordered",
      kind: "linkifier",
      target: "organization",
      from: member("before"),
      to: member("realm_linkifiers"),
      sentence: "changed the order of the linkifiers",
    },
  ],
  [229, ofOrganization("imported", "imported the organization")],
  [
    230,
    {
      action: "export.deleted",
      kind: "export",
      target: { data: "", name: "realm_export_id" },
      destructive: true,
      sentence: "deleted export {target}",
    },
  ],

  [301, ofChannel("subscribed", "subscribed {subject} to {target}", { subject: "user" })],
  [302, ofChannel("resubscribed", "subscribed {subject} to {target} again", { subject: "user" })],
  [303, ofChannel("unsubscribed", "unsubscribed {subject} from {target}", { subject: "user", destructive: true })],
  [
    304,
    ofChannel("subscription_changed", "changed {property} of the subscription of {subject} to {target}", {
      subject: "user",
      property,
      ...changed,
    }),
  ],
  [350, ofUser("muted", "muted {target}", { hidden: true })],
  [351, ofUser("unmuted", "unmuted {target}", { hidden: true })],
  ...[401, 402, 403, 404, 501, 502, 503, 504, 505, 506, 507].map(billing),

  [601, ofChannel("created", "created channel {target}")],
  [602, ofChannel("archived", "archived channel {target}", { destructive: true })],
  [603, ofChannel("renamed", "renamed channel {target} to {to}", { ...changed, property: "name" })],
  [604, ofChannel("restored", "restored channel {target}")],
  [
    605,
    ofChannel("retention_changed", "changed the message retention of channel {target} from {from} to {to}", {
      property: "message_retention_days",
      from: (row) => retention(old(row)),
      to: (row) => retention(now(row)),
      destructive: (_from, to) => typeof to === "number",
    }),
  ],
  [
    607,
    ofChannel("updated", "changed {property} of channel {target} from {from} to {to}", {
      ...changed,
      property: (row) => (property(row) === "invite_only" ? "is_private" : property(row)),
      destructive: (_from, to, name) =>
        (name === "is_private" && to === false) || (name === "is_web_public" && to === true),
    }),
  ],
  [
    608,
    ofChannel("permission_changed", "changed {property} of channel {target} from {from} to {to}", {
      ...changed,
      property,
      values: "permission",
    }),
  ],

  [701, ofGroup("created", "created group {target}")],
  [702, ofGroup("deleted", "deleted group {target}", { destructive: true })],
  [703, ofGroup("member_added", "added {subject} to group {target}", { subject: "user" })],
  [704, ofGroup("member_removed", "removed {subject} from group {target}", { subject: "user", destructive: true })],
  [705, ofGroup("subgroup_added", "added {subject} to group {target}", { subject: "subgroup" })],
  [
    706,
    ofGroup("subgroup_removed", "removed {subject} from group {target}", { subject: "subgroup", destructive: true }),
  ],
  [720, ofGroup("renamed", "renamed group {target} to {to}", { ...changed, property: "name" })],
  [721, ofGroup("described", "changed the description of group {target}", { ...changed, property: "description" })],
  [
    722,
    ofGroup("permission_changed", "changed {property} of group {target} from {from} to {to}", {
      ...changed,
      property,
      values: "permission",
    }),
  ],
  [723, ofGroup("deactivated", "deactivated group {target}", { destructive: true })],
  [800, ofUser("snippet_saved", "saved a snippet", { hidden: true })],
  [10201, ofOrganization("server_registered", "the server was registered")],
]);

/** A row that mirrors another: what a group gained is told of the group, not of the subgroup. */
export const mirrored: ReadonlySet<number> = new Set([707, 708]);

export const actionNames: readonly string[] = [...new Set([...actions.values()].map(({ action }) => action))].sort();
