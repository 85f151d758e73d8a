/** The settings and permissions of a channel. No schemas, so that help loads none. */

import { counted } from "../common/counted.ts";
import { namesOf, valueNamed } from "../common/object-members.ts";
import type { Permission } from "./permission.ts";
import { daysOf } from "./risk.ts";
import { type DestructiveEffect, noLimit } from "./setting.ts";

export const topicsPolicies = ["inherit", "allow_empty_topic", "disable_empty_topic", "empty_topic_only"] as const;

/** Returns the first level with a policy, if it is later than that of the parameter. */
export const topicsPolicySince = (policy: string) => (policy === "empty_topic_only" ? 404 : undefined);

/** What channels, and requests that create one, call `is_private`. */
export const privateMember = "invite_only";

/** Returns the name of a channel's member that updates and people use. */
export const propertyOf = (member: string): string => (member === privateMember ? "is_private" : member);

export const privacies = ["public", "private", "web-public"] as const;

export type Privacy = (typeof privacies)[number];

/** Returns who can find a channel. */
export const privacyOf = (channel: { is_web_public?: unknown; invite_only?: unknown }): Privacy =>
  channel.is_web_public ? "web-public" : channel.invite_only ? "private" : "public";

/** What servers refuse, in words. */
export const privateAndWebPublic = "a channel cannot be both private and web-public";
export const cannotUnarchiveEmpty = "a private channel without subscribers cannot be unarchived";

/** Servers remove archived channels from the default channels and reject private ones. */
export const cannotBeDefault = (state: "archived" | "private") =>
  `a channel that is ${state} cannot be a default channel`;

export const needsEveryone = "must be role:everyone in a channel that hides its history from new subscribers";

/** From this level on, who changes the privacy of a channel certainly needs the permission to create such channels. */
export const privacyNeedsCreation = 442;

/** The smallest number of days for which a channel keeps messages. */
export const minRetentionDays = 1;

/** The word for a channel with the organization's retention. */
export const inherited = "realm_default";
export const retentionWords = [inherited, noLimit] as const;
export type Retention = number | (typeof retentionWords)[number];

/** Returns a stored retention as requests, files and people have it. */
export const retentionInWords = (stored: unknown): unknown =>
  stored === null ? inherited : stored === -1 ? noLimit : stored;

/** The opposite of `retentionInWords`. */
export const storedRetention = (value: unknown): unknown =>
  value === inherited ? null : value === noLimit ? -1 : value;

interface ChannelEffect extends DestructiveEffect {
  /** A phrase that follows "This", if the change of one channel needs a confirmation. */
  readonly question?: string;
}

/** What is stated of a field of channels, by its parameter in updates. Permissions are stated separately. */
interface ChannelFieldRule {
  kind: "boolean" | "text" | "name" | "days" | "state" | "folder" | "topics";
  /** What organization files say of it. */
  doc: string;
  /** The first feature level with it. */
  since?: number;
  /** Its member in the records of channels, if that has another name. */
  member?: string;
  /** Its name in organization files, if that is another one. */
  called?: string;
  /** The name of its flag, if that is another one. */
  flag?: string;
  /** The stored value in a new channel. */
  initial?: unknown;
  /** Records have it only in lists that ask for it. */
  listed?: true;
  /** The words that it takes beside numbers, the smallest number, and how servers store both. */
  counts?: {
    readonly words: readonly string[];
    readonly least: number;
    inWords(stored: unknown): unknown;
    stored(value: unknown): unknown;
  };
  risk?: (from: unknown, to: unknown) => ChannelEffect | undefined;
}

/** A field that is on or off. */
interface ChannelToggleRule extends ChannelFieldRule {
  kind: "boolean";
  initial: boolean;
  /** What the flag does, and its `--no-…`. */
  flagDocs: readonly [on: string, off: string];
  /** Only these can change it. */
  by?: "administrators";
  /** The heading in `channel show`, if that is not its name. */
  heading?: string;
}

const toggle = <const M extends Partial<ChannelToggleRule>>(
  doc: string,
  flagDocs: ChannelToggleRule["flagDocs"],
  more: M,
) => ({
  kind: "boolean" as const,
  initial: false,
  doc,
  flagDocs,
  ...more,
});

const named = <const N extends string>(name: N) => ({ called: name, flag: name });

/** In the order of files and of help. */
export const channelFieldRows = {
  description: { kind: "text", doc: "Markdown; newlines become spaces.", initial: "" },
  new_name: { kind: "name", doc: "The name.", member: "name", called: "name" },
  is_private: toggle("Only for those let in.", ["only invited people can join", "open to everybody but guests"], {
    member: privateMember,
    flag: "private",
    risk: (_, to) =>
      to === false
        ? {
            says: "makes it public: everyone can read it",
            question: "opens it to everybody but guests",
            kind: "messages_opened",
          }
        : { says: "makes it private: those not subscribed lose its history", kind: "access_lost" },
  }),
  is_web_public: toggle(
    "Readable without an account.",
    ["readable without an account", "not readable without an account"],
    {
      since: 98,
      flag: "web_public",
      risk: (_, to) =>
        to === true
          ? {
              says: "shows it to the web, without an account",
              question: "makes it readable without an account",
              kind: "messages_opened",
            }
          : undefined,
    },
  ),
  history_public_to_subscribers: toggle(
    "New subscribers see older messages.",
    ["new subscribers see older messages", "new subscribers see no older messages"],
    { initial: true },
  ),
  is_default_stream: toggle(
    "New people are subscribed to it.",
    ["subscribe new people to it", "do not subscribe new people to it"],
    { since: 200, member: "is_default", listed: true, flag: "default" },
  ),
  message_retention_days: {
    kind: "days",
    doc: "Days after which messages are deleted.",
    since: 17,
    initial: null,
    counts: { words: retentionWords, least: minRetentionDays, inWords: retentionInWords, stored: storedRetention },
    risk: (from, to) => {
      const days = counted(daysOf(to), "day");
      const [says, question] = [`deletes messages after ${days}`, `deletes messages older than ${days}`];
      return daysOf(to) < daysOf(from) ? { says, question, irreversible: true, kind: "messages_deleted" } : undefined;
    },
  },
  is_archived: {
    kind: "state",
    doc: "true archives the channel, false unarchives it.",
    since: 388,
    ...named("archived"),
  },
  folder_id: {
    kind: "folder",
    doc: "The folder that it is in; null for none.",
    since: 389,
    initial: null,
    ...named("folder"),
  },
  topics_policy: { kind: "topics", doc: "Whether topics may be empty or named.", since: 392, initial: "inherit" },
  default_push_notifications: toggle(
    "New subscribers get push notifications.",
    ["new subscribers get push notifications; only for administrators", "new subscribers get none by default"],
    { since: 507, by: "administrators", heading: "Push notifications" },
  ),
} as const satisfies Readonly<Record<string, ChannelFieldRule>>;

type ChannelFieldRows = typeof channelFieldRows;
export type ChannelField = keyof ChannelFieldRows;
type ChannelToggle = { [N in ChannelField]: ChannelFieldRows[N]["kind"] extends "boolean" ? N : never }[ChannelField];

export const channelFieldRules: Readonly<Record<ChannelField, ChannelFieldRule>> = channelFieldRows;
export const channelFields = namesOf(channelFieldRows);

/** Returns a stored value of a field as requests, files and people have it. */
export const channelValueInWords = (name: string, stored: unknown): unknown => {
  const counts = valueNamed(channelFieldRules, name)?.counts;
  return counts ? counts.inWords(stored) : stored;
};

/** Returns what is destructive about a change of a field. Undefined if nothing is. */
export const channelRisk = (name: string, from: unknown, to: unknown): ChannelEffect | undefined =>
  valueNamed(channelFieldRules, name)?.risk?.(from, to);

const isToggle = (name: ChannelField): name is ChannelToggle => channelFieldRows[name].kind === "boolean";
export const channelToggles = channelFields.filter(isToggle);
export const channelToggleRules: Readonly<Record<ChannelToggle, ChannelToggleRule>> = channelFieldRows;

export const privacyToggles = [
  "is_private",
  "is_web_public",
  "history_public_to_subscribers",
  "is_default_stream",
] as const;
export type PlainToggle = Exclude<ChannelToggle, (typeof privacyToggles)[number]>;

/** The booleans without consequences for other fields or things. */
export const plainToggles = channelToggles.filter(
  (name): name is PlainToggle => !privacyToggles.some((each) => each === name),
);

type Other<N extends ChannelField, K extends string> = N extends unknown
  ? ChannelFieldRows[N] extends { readonly [P in K]: infer V extends string }
    ? V
    : N
  : never;
const otherName = <N extends ChannelField, K extends "flag" | "member">(name: N, kind: K) =>
  (channelFieldRules[name][kind] ?? name) as Other<N, K>;
export type ToggleMember = Other<ChannelToggle, "member">;

export const flagOf = <N extends ChannelField>(name: N) => otherName(name, "flag");
/** Returns the name of a field in the records of channels. */
export const memberOf = <N extends ChannelField>(name: N) => otherName(name, "member");

/** Returns the members of a new channel as a server of this level stores them. */
export const newChannel = (level: number): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    channelFields.flatMap((name) => {
      const { initial, since = 0, listed } = channelFieldRules[name];
      return initial === undefined || listed || level < since ? [] : [[memberOf(name), initial]];
    }),
  );

/** A permission that everybody can have, and at first nobody has. */
const opened = { initial: "role:nobody", everyone: true } as const;
const byEverybody = { initial: "role:everyone", everyone: true } as const;

const permissions = {
  can_add_subscribers_group: { since: 342, may: "subscribe others", initial: "role:nobody" },
  can_remove_subscribers_group: {
    since: 161,
    may: "unsubscribe others",
    initial: "role:administrators",
    everyone: true,
  },
  can_administer_channel_group: { since: 325, may: "administer the channel", initial: "creator" },
  can_delete_any_message_group: { since: 407, may: "delete any message", ...opened, dropped: true },
  can_delete_own_message_group: { since: 407, may: "delete their own messages", ...opened, dropped: true },
  can_move_messages_out_of_channel_group: { since: 396, may: "move messages to other channels", ...opened },
  can_move_messages_within_channel_group: { since: 396, may: "move messages between topics", ...opened },
  can_send_message_group: { since: 333, may: "post", ...byEverybody },
  can_subscribe_group: { since: 357, may: "subscribe themselves", initial: "role:nobody" },
  can_resolve_topics_group: { since: 402, may: "resolve topics", ...opened },
  can_create_topic_group: { since: 441, may: "start topics", ...byEverybody, dropped: true },
} as const satisfies Readonly<Record<string, Permission & { dropped?: true }>>;

export type ChannelPermission = keyof typeof permissions;

export const channelPermissionRules: Readonly<Record<ChannelPermission, Permission & { dropped?: true }>> = permissions;

export const channelPermissions = namesOf(permissions);

/** Returns whether servers check a permission when they create a channel, and then use its initial value. */
export const isDropped = (name: string): boolean => valueNamed(channelPermissionRules, name)?.dropped === true;

/** In the order in which servers apply an update. */
export const appliedChannelPermissions: readonly ChannelPermission[] = [
  ...channelPermissions.filter((name) => name !== "can_resolve_topics_group").sort(),
  "can_resolve_topics_group",
];
