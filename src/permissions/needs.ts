/** What servers require of the account that makes a call: permissions, each on one thing. Calls without needs are not judged. */
import { deactivateBot, updateBot } from "../api/bots.ts";
import { archiveChannel, updateChannel } from "../api/channels.ts";
import { deactivateGroup, updateGroup, updateMembers } from "../api/groups.ts";
import { updateMessage } from "../api/messages.ts";
import { updateOrganization } from "../api/organization.ts";
import { deactivateUser, reactivateUser, updateUser } from "../api/people.ts";
import { subscribe, unsubscribe } from "../api/subscriptions.ts";
import { numbersIn, valueNamed } from "../common/object-members.ts";
import { organizationSettings } from "../model/organization.ts";
import { roles } from "../model/person.ts";
import type { Setting } from "../model/setting.ts";
import type { AnyOperation } from "../wire/operation.ts";
import type { Scope } from "./facts.ts";

/** A permission of the rules, on one thing. */
export interface Right {
  readonly scope: Scope;
  /** Null for the organization. */
  readonly target: number | null;
  readonly permission: string;
}

/** One of several rights is required. `param`: for this argument. Without it the whole call is refused. */
export interface Need {
  readonly param?: string;
  readonly anyOf: readonly [Right, ...Right[]];
}

/** Whom a call is about, and where the messages are that it moves. */
export interface Situation {
  readonly me: number;
  /** The level of the server. */
  readonly level: number;
  readonly roleOf: (user: number) => number | undefined;
  /** Returns the owner of a bot. Undefined for people. */
  readonly ownerOf: (user: number) => number | null | undefined;
}

type Args = Readonly<Record<string, unknown>>;

const inOrganization = (permission: string): Right => ({ scope: "organization", target: null, permission });
const inChannel = (target: unknown, permission: string): Right => ({
  scope: "channel",
  target: Number(target),
  permission,
});
const inGroup = (target: unknown, permission: string): Right => ({
  scope: "group",
  target: Number(target),
  permission,
});
const need = (right: Right, param?: string): Need => ({ anyOf: [right], ...(param !== undefined && { param }) });

const administers = inOrganization("administer_organization");
const owns = inOrganization("own_organization");

/** By parameter of channels, what it takes besides administering the channel. */
const channelParams: Readonly<Record<string, (channel: unknown, value: unknown) => Right | undefined>> = {
  message_retention_days: () => owns,
  is_default_stream: () => administers,
  is_private: (channel) => inChannel(channel, "change_privacy"),
  is_web_public: (_, value) => (value === true ? inOrganization("can_create_web_public_channel_group") : undefined),
  can_add_subscribers_group: (channel) => inChannel(channel, "read"),
  can_subscribe_group: (channel) => inChannel(channel, "read"),
  can_delete_any_message_group: () => inOrganization("can_set_delete_message_policy_group"),
  can_delete_own_message_group: () => inOrganization("can_set_delete_message_policy_group"),
  topics_policy: (_, value) => (value === "inherit" ? undefined : inOrganization("can_set_topics_policy_group")),
};

const settings: Readonly<Record<string, Setting>> = organizationSettings;

/** Returns the needs of a list: other rules hold for the account itself. */
function listNeed(ids: unknown, { me }: Situation, param: string, [own, others]: readonly [Right, Right]): Need[] {
  const all = numbersIn(ids);
  return all.length ? [need(all.every((id) => id === me) ? own : others, param)] : [];
}

const membersNeeds = ({ user_group_id: id, ...args }: Args, situation: Situation): Need[] => [
  ...listNeed(args.add, situation, "add", [inGroup(id, "can_join_group"), inGroup(id, "can_add_members_group")]),
  ...listNeed(args.delete, situation, "delete", [
    inGroup(id, "can_leave_group"),
    inGroup(id, "can_remove_members_group"),
  ]),
  ...(numbersIn(args.add_subgroups).length ? [need(inGroup(id, "can_add_members_group"), "add_subgroups")] : []),
  ...(numbersIn(args.delete_subgroups).length ? [need(inGroup(id, "can_manage_group"), "delete_subgroups")] : []),
];

/** An owner gives and takes the role of owners. */
const personNeeds = ({ user_id, role }: Args, { roleOf }: Situation): Need[] => [
  need(administers),
  ...(role !== undefined && (role === roles.owner || roleOf(Number(user_id)) === roles.owner)
    ? [need(owns, "role")]
    : []),
];

const botNeeds = (bot: unknown, { me, ownerOf }: Situation): Need[] =>
  ownerOf(Number(bot)) === me ? [] : [need(administers)];

type NeedsOf = (args: Args, situation: Situation) => readonly Need[];

const needs: ReadonlyMap<AnyOperation, NeedsOf> = new Map<AnyOperation, NeedsOf>([
  [
    updateChannel,
    ({ stream_id, ...args }) => [
      need(inChannel(stream_id, "administer")),
      ...Object.entries(args).flatMap(([name, value]) => {
        const right = valueNamed(channelParams, name)?.(stream_id, value);
        return right ? [need(right, name)] : [];
      }),
    ],
  ],
  [archiveChannel, ({ stream_id }) => [need(inChannel(stream_id, "administer"))]],
  [
    subscribe,
    ({ stream_id, principals }, situation) =>
      listNeed(principals, situation, "principals", [
        inChannel(stream_id, "subscribe"),
        inChannel(stream_id, "can_add_subscribers_group"),
      ]),
  ],
  [
    unsubscribe,
    ({ stream_id, principals }, { me, ownerOf }) => {
      const isOwn = (id: number) => id === me || ownerOf(id) === me;
      if (numbersIn(principals).every(isOwn)) return [];
      return [need(inChannel(stream_id, "can_remove_subscribers_group"), "principals")];
    },
  ],
  [updateGroup, ({ user_group_id }) => [need(inGroup(user_group_id, "can_manage_group"))]],
  [deactivateGroup, ({ user_group_id }) => [need(inGroup(user_group_id, "deactivate"))]],
  [updateMembers, membersNeeds],
  [
    updateOrganization,
    (args) => Object.keys(args).map((name) => need(settings[name]?.owner ? owns : administers, name)),
  ],
  [updateUser, personNeeds],
  [deactivateUser, ({ user_id }, { roleOf }) => [need(roleOf(Number(user_id)) === roles.owner ? owns : administers)]],
  [
    reactivateUser,
    ({ user_id }, situation) => {
      const isBot = situation.ownerOf(Number(user_id)) !== undefined;
      return isBot
        ? [...botNeeds(user_id, situation), need(inOrganization("can_create_bots_group"))]
        : [need(administers)];
    },
  ],
  [
    updateBot,
    ({ bot_id, role }, situation) => [
      ...botNeeds(bot_id, situation),
      ...(role === undefined ? [] : [need(administers, "role")]),
    ],
  ],
  [deactivateBot, ({ bot_id }, situation) => botNeeds(bot_id, situation)],
]);

/** Returns what a call needs. Moves of messages are in `moveNeeds`. */
export function needsOf(
  { operation, args }: { operation: AnyOperation; args: Args },
  situation: Situation,
): readonly Need[] {
  const stated = needs.get(operation);
  if (stated) return stated(args, situation);
  const role = operation === updateMessage ? undefined : operation.who?.role;
  return role === "owner" ? [need(owns)] : role === "administrator" ? [need(administers)] : [];
}

/** Where messages are, and where they go. */
export interface MovePlace {
  readonly from: number;
  readonly to: number;
  /** They get another topic. `mark`: it differs in the mark of resolved topics alone. */
  readonly topic?: "renamed" | "mark" | undefined;
  /** No message is in the new topic yet. */
  readonly isNewTopic: boolean;
}

/** Channels have their own permissions of moves from this level on. */
const channelMoves = 396;
const topicCreators = 441;
const channelResolves = 402;

/** Returns what it takes to move messages of a channel. */
export function moveNeeds({ from, to, topic, isNewTopic }: MovePlace, { level }: Pick<Situation, "level">): Need[] {
  const right = (channel: number, own: string, organization: string, since = channelMoves): Right =>
    level >= since ? inChannel(channel, own) : inOrganization(organization);
  const isOther = from !== to;
  const inside = (channel: number) =>
    topic === "mark"
      ? right(channel, "can_resolve_topics_group", "can_resolve_topics_group", channelResolves)
      : right(channel, "can_move_messages_within_channel_group", "can_move_messages_between_topics_group");
  const outside = right(from, "can_move_messages_out_of_channel_group", "can_move_messages_between_channels_group");
  return [
    need(inChannel(from, "act_on_messages")),
    ...(topic ? [{ anyOf: [inside(from), ...(isOther ? [inside(to)] : [])] } satisfies Need] : []),
    ...(isOther ? [need(outside), need(inChannel(to, "receive_messages"))] : []),
    ...(isNewTopic && topic !== "mark" && level >= topicCreators
      ? [need(inChannel(to, "can_create_topic_group"))]
      : []),
  ];
}

/** What administrators and owners have by their role alone. */
const byRole: ReadonlySet<string> = new Set([
  "administer_organization",
  "administer",
  "can_remove_subscribers_group",
  "can_set_delete_message_policy_group",
  "can_set_topics_policy_group",
]);

/** Returns whether a role alone gives what a call needs. */
export const isGrantedByRole = ({ anyOf }: Need, role: number): boolean =>
  anyOf.some(({ permission }) =>
    permission === "own_organization" ? role === roles.owner : role <= roles.administrator && byRole.has(permission),
  );
