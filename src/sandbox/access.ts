/** Permissions of an account: in the organization, a channel, a group, and about people. */
import type { GroupPermission } from "../api/permission-settings.ts";
import { mustBe, orRefused, refused } from "./answers.ts";
import { holds } from "./groups.ts";
import { organizationRules } from "./permissions.ts";
import type { Call } from "./router.ts";
import {
  type Channel,
  type Group,
  isAdministrator,
  isBot,
  isGuest,
  isOwner,
  type Message,
  type OrganizationPermission,
  type State,
  type User,
} from "./state.ts";

export const insufficient = () => refused("Insufficient permission");

export function ownersOnly(user: User): void {
  if (!isOwner(user)) throw mustBe("owner");
}

/** Guests have what everybody may have, and nothing else, even where they are named. */
export const may = (state: State, user: User, permission: OrganizationPermission): boolean =>
  (organizationRules[permission].everyone || !isGuest(user)) &&
  holds(state, user, state.organization.permissions[permission]);

/** Says what messages of a channel may be like: administrators may besides, though no setting names them. */
export const setsPolicy = (
  state: State,
  user: User,
  permission: "can_set_topics_policy_group" | "can_set_delete_message_policy_group",
): boolean => isAdministrator(user) || may(state, user, permission);

/** True where this, or one of these other permissions of the group, is the account's. */
export const managesGroup = (state: State, user: User, group: Group, ...others: GroupPermission[]): boolean =>
  !isGuest(user) &&
  (may(state, user, "can_manage_all_groups") ||
    ["can_manage_group" as const, ...others].some((name) => holds(state, user, group.settings[name])));

/** Guests may be kept from seeing others than those whom they share something with. */
export function seesPerson(state: State, viewer: User, person: User): boolean {
  if (!isGuest(viewer) || may(state, viewer, "can_access_all_users_group")) return true;
  if (viewer === person || isBot(person)) return true;
  const both = [viewer.user_id, person.user_id];
  for (const { subscribers } of state.channels.values()) if (both.every((id) => subscribers.has(id))) return true;
  for (const { recipients } of state.messages.values()) if (both.every((id) => recipients.includes(id))) return true;
  return false;
}

/** The account of that id; throws where there is none. */
export const userOf = ({ users }: State, id: number): User => orRefused(users.get(id), "No such user");

/** Throws also where the account is deactivated. */
export function activeUser(state: State, id: number): User {
  const user = userOf(state, id);
  if (!user.is_active) throw refused("User is deactivated");
  return user;
}

/** May read the messages: subscribed, or the channel is open to the account, or a permission lets it in. */
export function hasContentAccess(state: State, user: User, channel: Channel): boolean {
  if (channel.is_web_public || channel.subscribers.has(user.user_id)) return true;
  if (isGuest(user)) return false;
  const { can_add_subscribers_group, can_subscribe_group } = channel.settings;
  return (
    !channel.invite_only || holds(state, user, can_add_subscribers_group) || holds(state, user, can_subscribe_group)
  );
}

/** A guest never administers a channel, whatever the setting says. */
export const administers = (state: State, user: User, channel: Channel): boolean =>
  isAdministrator(user) || (!isGuest(user) && holds(state, user, channel.settings.can_administer_channel_group));

/** May see that the channel exists, and its settings. */
export const hasMetadataAccess = (state: State, user: User, channel: Channel): boolean =>
  administers(state, user, channel) || hasContentAccess(state, user, channel);

/** The channel of that id, if the account may see it; else refuses as if there were none. */
export function visibleChannel(state: State, user: User, id: number): Channel {
  const channel = state.channels.get(id);
  if (!channel || !hasMetadataAccess(state, user, channel)) throw refused("Invalid channel ID");
  return channel;
}

/** Returns the channel if it is not archived and the account may read its messages; else refuses it. */
export function readableChannel(
  { state, caller }: Call,
  channel: Channel | undefined,
  refusal = "Invalid channel ID",
): Channel {
  if (!channel || channel.is_archived || !hasContentAccess(state, caller, channel)) throw refused(refusal);
  return channel;
}

/** The channel of that id, if the account administers it. */
export function administeredChannel(state: State, user: User, id: number): Channel {
  const channel = visibleChannel(state, user, id);
  if (!administers(state, user, channel)) throw refused("You do not have permission to administer this channel.");
  return channel;
}

/** May subscribe others to the channel. */
export const addsSubscribers = (state: State, user: User, channel: Channel): boolean =>
  !isGuest(user) &&
  hasContentAccess(state, user, channel) &&
  (isAdministrator(user) ||
    may(state, user, "can_add_subscribers_group") ||
    holds(state, user, channel.settings.can_add_subscribers_group) ||
    holds(state, user, channel.settings.can_administer_channel_group));

/** May unsubscribe others from the channel. */
export const removesSubscribers = (state: State, user: User, channel: Channel): boolean =>
  isAdministrator(user) ||
  (!isGuest(user) &&
    (holds(state, user, channel.settings.can_administer_channel_group) ||
      (hasMetadataAccess(state, user, channel) && holds(state, user, channel.settings.can_remove_subscribers_group))));

/** May read this message: of a conversation whoever received it, of a channel whoever reads it, unless history is hidden. */
export function readsMessage(state: State, user: User, message: Message): boolean {
  const received = message.received.has(user.user_id);
  if (message.stream_id === null) return received;
  const channel = state.channels.get(message.stream_id);
  if (!channel || !hasContentAccess(state, user, channel)) return false;
  // A guest sees the messages of a web-public channel only in lists.
  if (isGuest(user) && !channel.subscribers.has(user.user_id)) return false;
  return received || sharesHistory(channel);
}

const sharesHistory = ({ history_public_to_subscribers, invite_only }: Channel): boolean =>
  history_public_to_subscribers || !invite_only;

/** The message of that id, if the account may read it; to change it, its channel must not be archived. */
export function readableMessage(state: State, user: User, id: number, { changing = false } = {}): Message {
  const message = state.messages.get(id);
  const archived = state.channels.get(message?.stream_id ?? 0)?.is_archived;
  if (!message || !readsMessage(state, user, message) || (changing && archived)) throw refused("Invalid message(s)");
  return message;
}

const ownerOf = ({ users }: State, { bot_owner_id }: User): User | undefined => users.get(bot_owner_id ?? 0);

/** Returns whether the channel lets somebody post. A bot has its owner's rights. */
export function maySend(state: State, user: User, { settings }: Channel, { byOwner = true } = {}): boolean {
  const owner = byOwner ? ownerOf(state, user) : undefined;
  return [user, owner].some((each) => each && holds(state, each, settings.can_send_message_group));
}

/** May be in the channel at all, as a sender: who may only read a hidden history from now on may not. */
export function entersToSend(state: State, user: User, channel: Channel): boolean {
  if (channel.is_archived) return false;
  const owner = ownerOf(state, user);
  if (owner && channel.subscribers.has(owner.user_id)) return true;
  return channel.subscribers.has(user.user_id) || (sharesHistory(channel) && hasContentAccess(state, user, channel));
}
