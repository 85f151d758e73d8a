/** Permissions of an account: in the organization, a channel, a group, and about people. */
import { botKinds } from "../model/bot.ts";
import { type ChannelPermission, channelPermissionRules } from "../model/channel.ts";
import type { GroupPermission } from "../model/group.ts";
import type { OrganizationPermission } from "../model/organization.ts";
import { badRequest, requireFound, roleRequired } from "./answers.ts";
import { isIncluded } from "./groups.ts";
import { organizationRulesInOrder } from "./permissions.ts";
import type { HandlerCall } from "./router.ts";
import {
  isAdministrator,
  isBot,
  isGuest,
  isOwner,
  type SandboxState,
  type StoredChannel,
  type StoredGroup,
  type StoredMessage,
  type StoredUser,
} from "./state.ts";

export const insufficientPermission = () => badRequest("Insufficient permission");

export function checkOwner(user: StoredUser): void {
  if (!isOwner(user)) throw roleRequired("owner");
}

/** Guests have only permissions that may include everybody, even if a permission names them. */
export const hasPermission = (state: SandboxState, user: StoredUser, permission: OrganizationPermission): boolean =>
  (organizationRulesInOrder[permission].everyone || !isGuest(user)) &&
  isIncluded(state, user, state.organization.permissions[permission]);

export function checkPermission({ state, caller }: HandlerCall, permission: OrganizationPermission): void {
  if (!hasPermission(state, caller, permission)) throw insufficientPermission();
}

/** Returns whether the organization gives the caller one permission, or the channel the other. */
export const hasEither = (
  { state, caller, level }: HandlerCall,
  permission: OrganizationPermission,
  channel: StoredChannel | undefined,
  own: ChannelPermission,
): boolean =>
  hasPermission(state, caller, permission) ||
  (!!channel && level >= channelPermissionRules[own].since && isIncluded(state, caller, channel.settings[own]));

/** Checks that the caller may set a policy of a channel. Administrators may without the permission. */
export function checkPolicyPermission(
  call: HandlerCall,
  permission: "can_set_topics_policy_group" | "can_set_delete_message_policy_group",
): void {
  if (!isAdministrator(call.caller)) checkPermission(call, permission);
}

/** Returns whether the account has `can_manage_group`, or one of the other permissions of the group. */
export const canManageGroup = (
  state: SandboxState,
  user: StoredUser,
  group: StoredGroup,
  ...others: GroupPermission[]
): boolean =>
  !isGuest(user) &&
  (hasPermission(state, user, "can_manage_all_groups") ||
    ["can_manage_group" as const, ...others].some((name) => isIncluded(state, user, group.settings[name])));

/** Guests without the permission see bots, and people who share a channel or a conversation with them. */
export function canSeePerson(state: SandboxState, viewer: StoredUser, person: StoredUser): boolean {
  if (!isGuest(viewer) || hasPermission(state, viewer, "can_access_all_users_group")) return true;
  if (viewer === person || isBot(person)) return true;
  const ids = [viewer.user_id, person.user_id];
  // Deactivated people count as members of no channel.
  for (const { subscribers } of person.is_active ? state.channels.values() : [])
    if (ids.every((id) => subscribers.has(id))) return true;
  for (const { recipients } of state.messages.values()) if (ids.every((id) => recipients.includes(id))) return true;
  return false;
}

/** Throws if no account has the id. */
export const userById = ({ users }: SandboxState, id: number): StoredUser =>
  requireFound(users.get(id), "No such user");

/** Throws if no active account has the id. */
export function activeUser(state: SandboxState, id: number): StoredUser {
  const user = userById(state, id);
  if (!user.is_active) throw badRequest("User is deactivated");
  return user;
}

/** Returns whether the account may read messages: as a subscriber, in an open channel, or by a permission. */
export function hasContentAccess(state: SandboxState, user: StoredUser, channel: StoredChannel): boolean {
  if (channel.is_web_public || channel.subscribers.has(user.user_id)) return true;
  if (isGuest(user)) return false;
  const { can_add_subscribers_group, can_subscribe_group } = channel.settings;
  return (
    !channel.invite_only ||
    isIncluded(state, user, can_add_subscribers_group) ||
    isIncluded(state, user, can_subscribe_group)
  );
}

/** Guests never administer a channel, even if the setting names them. */
export const canAdminister = (state: SandboxState, user: StoredUser, channel: StoredChannel): boolean =>
  isAdministrator(user) || (!isGuest(user) && isIncluded(state, user, channel.settings.can_administer_channel_group));

export const hasMetadataAccess = (state: SandboxState, user: StoredUser, channel: StoredChannel): boolean =>
  canAdminister(state, user, channel) || hasContentAccess(state, user, channel);

/** Returns the channel if the account sees it. Hidden and missing channels get the same refusal. */
export function visibleChannel(state: SandboxState, user: StoredUser, id: number): StoredChannel {
  const channel = state.channels.get(id);
  if (!channel || !hasMetadataAccess(state, user, channel)) throw badRequest("Invalid channel ID");
  return channel;
}

/** Returns the channel if it is not archived and the account may read its messages; else refuses it. */
export function readableChannel(
  { state, caller }: HandlerCall,
  channel: StoredChannel | undefined,
  refusal = "Invalid channel ID",
): StoredChannel {
  if (!channel || channel.is_archived || !hasContentAccess(state, caller, channel)) throw badRequest(refusal);
  return channel;
}

export function channelToAdminister(state: SandboxState, user: StoredUser, id: number): StoredChannel {
  const channel = visibleChannel(state, user, id);
  if (!canAdminister(state, user, channel)) throw badRequest("You do not have permission to administer this channel.");
  return channel;
}

export const canAddSubscribers = (state: SandboxState, user: StoredUser, channel: StoredChannel): boolean =>
  !isGuest(user) &&
  hasContentAccess(state, user, channel) &&
  (canAdminister(state, user, channel) ||
    hasPermission(state, user, "can_add_subscribers_group") ||
    isIncluded(state, user, channel.settings.can_add_subscribers_group));

export const canRemoveSubscribers = (state: SandboxState, user: StoredUser, channel: StoredChannel): boolean =>
  canAdminister(state, user, channel) ||
  (!isGuest(user) &&
    hasMetadataAccess(state, user, channel) &&
    isIncluded(state, user, channel.settings.can_remove_subscribers_group));

/** Hidden history is only for accounts that received the message. */
export function canReadMessage(state: SandboxState, user: StoredUser, message: StoredMessage): boolean {
  const received = message.received.has(user.user_id);
  if (message.stream_id === null) return received;
  const channel = state.channels.get(message.stream_id);
  if (!channel || !hasContentAccess(state, user, channel)) return false;
  // Guests see messages of a web-public channel only in lists.
  if (isGuest(user) && !channel.subscribers.has(user.user_id)) return false;
  return received || hasSharedHistory(channel);
}

const hasSharedHistory = ({ history_public_to_subscribers, invite_only }: StoredChannel): boolean =>
  history_public_to_subscribers || !invite_only;

/** Returns the message if the account may read it. Messages in archived channels cannot be changed. */
export function readableMessage(
  state: SandboxState,
  user: StoredUser,
  id: number,
  { changing = false } = {},
): StoredMessage {
  const message = state.messages.get(id);
  const archived = state.channels.get(message?.stream_id ?? 0)?.is_archived;
  if (!message || !canReadMessage(state, user, message) || (changing && archived))
    throw badRequest("Invalid message(s)");
  return message;
}

const ownerOf = ({ users }: SandboxState, { bot_owner_id }: StoredUser): StoredUser | undefined =>
  users.get(bot_owner_id ?? 0);

/** Returns whether the account may post in the channel. A bot has its owner's rights. */
export function canPost(
  state: SandboxState,
  user: StoredUser,
  { settings }: StoredChannel,
  { byOwner = true } = {},
): boolean {
  const owner = byOwner ? ownerOf(state, user) : undefined;
  return [user, owner].some((each) => each && isIncluded(state, each, settings.can_send_message_group));
}

/** Returns whether the account may enter the channel to send. Hidden history requires a subscription. */
export function canEnterToPost(state: SandboxState, user: StoredUser, channel: StoredChannel): boolean {
  if (channel.is_archived) return false;
  const owner = ownerOf(state, user);
  if (owner && channel.subscribers.has(owner.user_id)) return true;
  return channel.subscribers.has(user.user_id) || (hasSharedHistory(channel) && hasContentAccess(state, user, channel));
}

/** Returns whether the account may create or restore a bot. Incoming webhooks have an additional permission. */
export const canCreateBot = (state: SandboxState, user: StoredUser, type: number | null): boolean =>
  hasPermission(state, user, "can_create_bots_group") ||
  (type === botKinds["incoming-webhook"] && hasPermission(state, user, "can_create_write_only_bots_group"));
