/** What servers require of the account that makes a call: permissions, each on one thing. Calls without needs are not judged. */
import { deactivateBot, updateBot } from "../api/bots.ts";
import { createChannel } from "../api/channel-creation.ts";
import { archiveChannel, updateChannel } from "../api/channels.ts";
import { addEmoji } from "../api/emoji.ts";
import { createGroup, deactivateGroup, updateGroup, updateMembers } from "../api/groups.ts";
import { createInvitationLink, sendInvitations } from "../api/invitations.ts";
import { updateMessage } from "../api/messages.ts";
import { updateOrganization } from "../api/organization.ts";
import { deactivateUser, reactivateUser, updateUser } from "../api/people.ts";
import { subscribe, unsubscribe } from "../api/subscriptions.ts";
import { type Fields, membersOf, numbersIn, valueNamed } from "../common/object-members.ts";
import { inherited, privateMember } from "../model/channel.ts";
import { organizationSettings } from "../model/organization.ts";
import { roles } from "../model/person.ts";
import type { Setting } from "../model/setting.ts";
import type { AnyOperation, UncheckedCall } from "../wire/operation.ts";
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
  /** What only owners or administrators can do, in words: `deactivate owners`. */
  readonly does?: string;
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

const organizationRight = (permission: string): Right => ({ scope: "organization", target: null, permission });
const channelRight = (target: unknown, permission: string): Right => ({
  scope: "channel",
  target: Number(target),
  permission,
});
const groupRight = (target: unknown, permission: string): Right => ({
  scope: "group",
  target: Number(target),
  permission,
});
const need = (right: Right, param?: string, does?: string): Need => ({
  anyOf: [right],
  ...(param !== undefined && { param }),
  ...(does !== undefined && { does }),
});

const administratorRight = organizationRight("administer_organization");
const ownerRight = organizationRight("own_organization");

/** By parameter of channels, what it takes besides administering the channel. Retention has words of its own. */
const rightsOfChannelParams: Readonly<Record<string, (channel: unknown, value: unknown) => Right | undefined>> = {
  is_default_stream: () => administratorRight,
  is_private: (channel) => channelRight(channel, "change_privacy"),
  is_web_public: (_, value) => (value === true ? organizationRight("can_create_web_public_channel_group") : undefined),
  can_add_subscribers_group: (channel) => channelRight(channel, "read"),
  can_subscribe_group: (channel) => channelRight(channel, "read"),
  can_delete_any_message_group: () => organizationRight("can_set_delete_message_policy_group"),
  can_delete_own_message_group: () => organizationRight("can_set_delete_message_policy_group"),
  topics_policy: (_, value) => (value === "inherit" ? undefined : organizationRight("can_set_topics_policy_group")),
};

const settings: Readonly<Record<string, Setting>> = organizationSettings;

/** Returns the needs of a list: other rules hold for the account itself. */
function listNeed(ids: unknown, { me }: Situation, param: string, [own, others]: readonly [Right, Right]): Need[] {
  const all = numbersIn(ids);
  return all.length ? [need(all.every((id) => id === me) ? own : others, param)] : [];
}

const membersNeeds = ({ user_group_id: id, ...args }: Fields, situation: Situation): Need[] => [
  ...listNeed(args.add, situation, "add", [groupRight(id, "can_join_group"), groupRight(id, "can_add_members_group")]),
  ...listNeed(args.delete, situation, "delete", [
    groupRight(id, "can_leave_group"),
    groupRight(id, "can_remove_members_group"),
  ]),
  ...(numbersIn(args.add_subgroups).length ? [need(groupRight(id, "can_add_members_group"), "add_subgroups")] : []),
  ...(numbersIn(args.delete_subgroups).length ? [need(groupRight(id, "can_manage_group"), "delete_subgroups")] : []),
];

/** An owner gives and takes the role of owners. */
const personNeeds = ({ user_id, role }: Fields, { roleOf }: Situation): Need[] => [
  need(administratorRight),
  ...(role !== undefined && (role === roles.owner || roleOf(Number(user_id)) === roles.owner)
    ? [need(ownerRight, "role", "give or take the role owner")]
    : []),
];

const retentionNeed = need(ownerRight, "message_retention_days", "set how long messages are kept");

/** A new channel can have the retention of the organization: that is the default. */
function creationNeeds(args: Fields): Need[] {
  const { [privateMember]: isPrivate = false, is_web_public: isWebPublic, message_retention_days: days } = args;
  const creates = isPrivate ? "can_create_private_channel_group" : "can_create_public_channel_group";
  return [
    need(organizationRight(creates), privateMember),
    ...(isWebPublic === true ? [need(organizationRight("can_create_web_public_channel_group"), "is_web_public")] : []),
    ...(days === undefined || days === inherited ? [] : [retentionNeed]),
  ];
}

const invitationNeeds = ({ invite_as: role }: Fields): Need[] =>
  role === roles.owner ? [need(ownerRight, "role", "invite owners")] : [];

/** Deactivating an owner takes one. Deleting messages with an account takes the permission for messages of others. */
function deactivationNeeds({ user_id, actions }: Fields, { roleOf }: Situation): Need[] {
  const { delete_profile: _, ...ofMessages } = membersOf(actions);
  return [
    roleOf(Number(user_id)) === roles.owner
      ? need(ownerRight, undefined, "deactivate owners")
      : need(administratorRight),
    ...(Object.values(ofMessages).includes(true) ? [need(organizationRight("can_delete_any_message_group"))] : []),
  ];
}

const botNeeds = (bot: unknown, { me, ownerOf }: Situation): Need[] =>
  ownerOf(Number(bot)) === me ? [] : [need(administratorRight)];

type NeedsOf = (args: Fields, situation: Situation) => readonly Need[];

const needs: ReadonlyMap<AnyOperation, NeedsOf> = new Map<AnyOperation, NeedsOf>([
  [
    updateChannel,
    ({ stream_id, ...args }) => [
      need(channelRight(stream_id, "administer")),
      ...(args.message_retention_days === undefined ? [] : [retentionNeed]),
      ...Object.entries(args).flatMap(([name, value]) => {
        const right = valueNamed(rightsOfChannelParams, name)?.(stream_id, value);
        return right ? [need(right, name)] : [];
      }),
    ],
  ],
  [archiveChannel, ({ stream_id }) => [need(channelRight(stream_id, "administer"))]],
  [
    subscribe,
    ({ stream_id, principals, ...args }, situation) =>
      stream_id === undefined
        ? creationNeeds(args)
        : listNeed(principals, situation, "principals", [
            channelRight(stream_id, "subscribe"),
            channelRight(stream_id, "can_add_subscribers_group"),
          ]),
  ],
  [createChannel, creationNeeds],
  [
    unsubscribe,
    ({ stream_id, principals }, { me, ownerOf }) => {
      const isOwn = (id: number) => id === me || ownerOf(id) === me;
      if (numbersIn(principals).every(isOwn)) return [];
      return [need(channelRight(stream_id, "can_remove_subscribers_group"), "principals")];
    },
  ],
  [createGroup, () => [need(organizationRight("can_create_groups"))]],
  [updateGroup, ({ user_group_id }) => [need(groupRight(user_group_id, "can_manage_group"))]],
  [deactivateGroup, ({ user_group_id }) => [need(groupRight(user_group_id, "deactivate"))]],
  [updateMembers, membersNeeds],
  [
    updateOrganization,
    (args) =>
      Object.keys(args).map((name) =>
        settings[name]?.owner ? need(ownerRight, name, `change ${name}`) : need(administratorRight, name),
      ),
  ],
  [updateUser, personNeeds],
  [deactivateUser, deactivationNeeds],
  [sendInvitations, invitationNeeds],
  [createInvitationLink, invitationNeeds],
  [addEmoji, () => [need(organizationRight("can_add_custom_emoji_group"))]],
  [
    reactivateUser,
    ({ user_id }, situation) => {
      const isBot = situation.ownerOf(Number(user_id)) !== undefined;
      return isBot
        ? [...botNeeds(user_id, situation), need(organizationRight("can_create_bots_group"))]
        : [need(administratorRight)];
    },
  ],
  [
    updateBot,
    ({ bot_id, role }, situation) => [
      ...botNeeds(bot_id, situation),
      ...(role === undefined ? [] : [need(administratorRight, "role")]),
    ],
  ],
  [deactivateBot, ({ bot_id }, situation) => botNeeds(bot_id, situation)],
]);

/** Returns what a call needs. Moves of messages are in `moveNeeds`. */
export function needsOf({ operation, args }: UncheckedCall, situation: Situation): readonly Need[] {
  const stated = needs.get(operation);
  if (stated) return stated(args, situation);
  const role = operation === updateMessage ? undefined : operation.who?.role;
  return role === "owner" ? [need(ownerRight)] : role === "administrator" ? [need(administratorRight)] : [];
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
    level >= since ? channelRight(channel, own) : organizationRight(organization);
  const isOther = from !== to;
  const inside = (channel: number) =>
    topic === "mark"
      ? right(channel, "can_resolve_topics_group", "can_resolve_topics_group", channelResolves)
      : right(channel, "can_move_messages_within_channel_group", "can_move_messages_between_topics_group");
  const outside = right(from, "can_move_messages_out_of_channel_group", "can_move_messages_between_channels_group");
  return [
    need(channelRight(from, "act_on_messages")),
    ...(topic ? [{ anyOf: [inside(from), ...(isOther ? [inside(to)] : [])] } satisfies Need] : []),
    ...(isOther ? [need(outside), need(channelRight(to, "receive_messages"))] : []),
    ...(isNewTopic && topic !== "mark" && level >= topicCreators
      ? [need(channelRight(to, "can_create_topic_group"))]
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
