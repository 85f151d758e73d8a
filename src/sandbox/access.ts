/** What an account may see and do in a channel. */
import { refused } from "./api-error.ts";
import { holds } from "./groups.ts";
import { type Channel, isAdministrator, isGuest, type State, type User } from "./state.ts";

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

/** The channel of that id, if the account administers it. */
export function administeredChannel(state: State, user: User, id: number): Channel {
  const channel = visibleChannel(state, user, id);
  if (!administers(state, user, channel)) throw refused("You do not have permission to administer this channel.");
  return channel;
}
