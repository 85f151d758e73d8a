/** What each request takes of the caller: permissions that the plan itself may give, and take away. */
import { createChannel } from "../../api/channel-create.ts";
import { updateChannel } from "../../api/channels.ts";
import { createGroup, deactivateGroup, updateGroup, updateMembers } from "../../api/groups.ts";
import { sendInvitations } from "../../api/invitations.ts";
import { updateOrganization } from "../../api/organization.ts";
import { subscribe, unsubscribe } from "../../api/subscriptions.ts";
import type { OrderContext } from "./context.ts";
import { argsOf, type Draft } from "./draft.ts";

/** Settings of the organization that grant what requests of a plan take. */
export const grantsOrganization = [
  "can_create_groups",
  "can_manage_all_groups",
  "can_create_public_channel_group",
  "can_create_private_channel_group",
  "can_create_web_public_channel_group",
  "can_invite_users_group",
] as const;

/** Settings of groups that do. */
export const grantsGroups = [
  "can_manage_group",
  "can_add_members_group",
  "can_remove_members_group",
  "can_join_group",
  "can_leave_group",
] as const;

/** Settings of channels that let those whom they name read what is written there. */
export const grantsChannels = ["can_add_subscribers_group", "can_subscribe_group"] as const;

/** Granted by a setting of the organization, or by one of these of a group. */
export interface Grant {
  readonly organization: (typeof grantsOrganization)[number];
  readonly group?: number;
  readonly by?: readonly (typeof grantsGroups)[number][];
  /** Not every server of this level asks for it: without it, the request may be refused and may pass. */
  readonly doubtful?: true;
}

/** To read what is written in a channel that is there: administrators as such cannot in private ones. */
export interface Reading {
  readonly channel: number;
  readonly doubtful?: never;
}

export type Right = Grant | Reading;

type Args = Readonly<Record<string, unknown>>;

const managing = (group: unknown, ...by: (typeof grantsGroups)[number][]): Right => ({
  organization: "can_manage_all_groups",
  group: group as number,
  by: ["can_manage_group", ...by],
});

const newChannel = ({ invite_only, is_web_public }: Args): Right[] => [
  { organization: invite_only ? "can_create_private_channel_group" : "can_create_public_channel_group" },
  ...(is_web_public ? [{ organization: "can_create_web_public_channel_group" } as const] : []),
];

/** From this level on, and at no level up to the other one, a change of privacy takes the right to make such channels. */
const privacyTakes = { surely: 442, never: 371 };

/** What a change of privacy says, and who may let people in: only who can read the channel may change that. */
const fromInside = ["is_private", ...grantsChannels];

const says = (args: Args, names: readonly string[]): boolean => names.some((name) => name in args);

function channel({ stream_id, ...args }: Args, level: number): Right[] {
  const { is_private, is_web_public } = args;
  const rights: Right[] = says(args, fromInside) ? [{ channel: stream_id as number }] : [];
  if (is_private !== undefined && level > privacyTakes.never)
    rights.push({
      organization: is_private ? "can_create_private_channel_group" : "can_create_public_channel_group",
      ...(level < privacyTakes.surely && { doubtful: true }),
    });
  if (is_web_public) rights.push({ organization: "can_create_web_public_channel_group" });
  return rights;
}

function members({ user_group_id, add, delete: remove, add_subgroups, delete_subgroups }: Args, me: number): Right[] {
  const alone = (list: unknown) => (list as readonly number[]).length === 1 && (list as readonly number[])[0] === me;
  const joins = add && alone(add) ? (["can_join_group"] as const) : [];
  const leaves = remove && alone(remove) ? (["can_leave_group"] as const) : [];
  return [
    ...(add ? [managing(user_group_id, "can_add_members_group", ...joins)] : []),
    ...(add_subgroups ? [managing(user_group_id, "can_add_members_group")] : []),
    ...(remove ? [managing(user_group_id, "can_remove_members_group", ...leaves)] : []),
    ...(delete_subgroups ? [managing(user_group_id)] : []),
  ];
}

/** All of which it takes. */
export function rightsOf(draft: Draft, { snapshot, me }: Pick<OrderContext, "snapshot" | "me">): Right[] {
  const args = argsOf(draft);
  switch (draft.operation) {
    case createGroup:
      return [{ organization: "can_create_groups" }];
    case updateGroup:
    case deactivateGroup:
      return [managing(args.user_group_id)];
    case updateMembers:
      return members(args, me);
    case createChannel:
      return newChannel(args);
    case subscribe:
      return draft.newChannel === undefined ? [{ channel: args.stream_id as number }] : newChannel(args);
    case updateChannel:
      return channel(args, snapshot.feature_level);
    case sendInvitations:
      return [
        { organization: "can_invite_users_group" },
        ...((args.group_ids ?? []) as number[]).map((id) => managing(id, "can_add_members_group")),
        ...((args.stream_ids ?? []) as number[]).map((channel) => ({ channel })),
      ];
    default:
      return [];
  }
}

/** Whether the request says who may do what, so that it may give the caller a right or take one. */
export function regrants(draft: Draft, me: number): boolean {
  const args = argsOf(draft);
  const about = (people: unknown) => ((people ?? []) as number[]).includes(me);
  switch (draft.operation) {
    case updateOrganization:
      return says(args, grantsOrganization);
    case updateGroup:
      return says(args, grantsGroups);
    case updateMembers:
      return says(args, ["add_subgroups", "delete_subgroups"]) || about(args.add) || about(args.delete);
    case updateChannel:
      return says(args, [...fromInside, "is_web_public"]);
    case subscribe:
    case unsubscribe:
      return draft.newChannel === undefined && about(args.principals);
    default:
      return false;
  }
}

/** `can_manage_group or can_manage_all_groups`. */
export const rightWords = (right: Right): string =>
  "channel" in right ? "what is written there to be read" : [...(right.by ?? []), right.organization].join(" or ");
