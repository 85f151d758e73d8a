/** What is deleted with an account. */
import type { deactivateUser } from "../../api/people.ts";
import { groupBy } from "../../common/group-by.ts";
import type { ArgsOf } from "../../wire/operation.ts";
import { hasPermission } from "../access.ts";
import { badRequest } from "../answers.ts";
import { aBoolean, type Check, instanceOf } from "../decode.ts";
import * as events from "../events/users.ts";
import type { HandlerCall } from "../router.ts";
import { isBot, type StoredMessage, type StoredUser, topicKey } from "../state.ts";
import { removeMessages } from "./single-messages.ts";

export type Deletions = Required<NonNullable<ArgsOf<typeof deactivateUser>["actions"]>>;

export const aDeletion: Check<Deletions> = (value, path) => {
  const actions = instanceOf("DeactivateUserActions")(value, path);
  const is = (name: string) => aBoolean(actions[name] ?? false, `${path}["${name}"]`);
  return {
    delete_profile: is("delete_profile"),
    delete_public_channel_messages: is("delete_public_channel_messages"),
    delete_private_channel_messages: is("delete_private_channel_messages"),
    delete_direct_messages: is("delete_direct_messages"),
  };
};

/** From this level on, the address is deleted too, and nobody can reactivate the account. */
const deletedForGood = 490;

/** Refuses to delete messages for callers who could not delete each of them. */
export function checkDeletions({ state, caller }: HandlerCall, { delete_profile: _, ...messages }: Deletions): void {
  if (Object.values(messages).includes(true) && !hasPermission(state, caller, "can_delete_any_message_group"))
    throw badRequest("User is not allowed to delete other user's messages.");
}

/** From level 490 on, names are those of Zulip's older deletion of accounts: others are not documented. */
export function deleteProfile(call: HandlerCall, user: StoredUser): void {
  const { state, level } = call;
  if (level < deletedForGood) user.full_name = isBot(user) ? "Deactivated bot" : "Deleted user";
  else {
    user.is_deleted = true;
    user.full_name = `Deleted user ${user.user_id}`;
  }
  events.sendNameChanged(call, user);
  if (level >= deletedForGood) {
    user.delivery_email = `deleteduser${user.user_id}@${state.organization.host}`;
    events.sendAddressChanged(call, user);
  }
  if (user.avatar_source === "upload") {
    user.avatar_source = "gravatar";
    user.avatar_version += 1;
    events.sendPictureChanged(call, user);
  }
  for (const id of user.profile.keys()) events.sendProfileChanged(call, user, id, null);
  user.profile.clear();
}

/** Deletes messages of an account, one conversation after the other. */
export function deleteMessagesOf(call: HandlerCall, { user_id }: StoredUser, actions: Deletions): void {
  const { state } = call;
  const isIncluded = ({ sender_id, stream_id }: StoredMessage): boolean => {
    if (sender_id !== user_id) return false;
    if (stream_id === null) return actions.delete_direct_messages;
    return state.channels.get(stream_id)?.invite_only
      ? actions.delete_private_channel_messages
      : actions.delete_public_channel_messages;
  };
  const conversationOf = ({ stream_id, topic, recipients }: StoredMessage) =>
    stream_id === null ? recipients.join() : topicKey(stream_id, topic);
  for (const messages of groupBy([...state.messages.values()].filter(isIncluded), conversationOf).values())
    removeMessages(call, messages);
}
