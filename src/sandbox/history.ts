/** Which messages of a channel an account finds that may read it. */
import type { Channel, Message, User } from "./state.ts";

/** All of them where the history is shared with those who join, else what was received. */
export const reads = (user: User, message: Message, channel: Channel): boolean =>
  channel.history_public_to_subscribers || message.received.has(user.user_id);
