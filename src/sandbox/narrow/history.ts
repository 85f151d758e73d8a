/** Where a narrow opens the shared history of channels, so that messages are found which the account never received. */

import { hasContentAccess } from "../access.ts";
import { channelNamed } from "../new-channel.ts";
import type { Call } from "../router.ts";
import { type Channel, isGuest, type Message } from "../state.ts";
import type { Term } from "./terms.ts";

/** The history of a channel that was not received is open: to all where anybody may read it, else where it is shared. */
function opens({ state, caller }: Call, channel: Channel): boolean {
  if (channel.is_web_public) return true;
  if (isGuest(caller)) return !channel.is_archived && shares(channel) && channel.subscribers.has(caller.user_id);
  if (!channel.invite_only) return true;
  return !channel.is_archived && shares(channel) && hasContentAccess(state, caller, channel);
}

const shares = ({ history_public_to_subscribers }: Channel): boolean => history_public_to_subscribers;

/** Terms about what a message is to the account look at what it received. */
const personal = ({ operator, operand }: Term): boolean => operator === "is" && operand !== "resolved";

export function historyTerms(call: Call, terms: readonly Term[]): (message: Message) => boolean {
  const { state, caller } = call;
  if (terms.some(personal)) return () => false;
  let open: ((message: Message) => boolean) | undefined;
  for (const { operator, operand, negated } of terms) {
    if (negated) continue;
    if (operator === "channel" || operator === "stream") {
      const found = typeof operand === "string" ? channelNamed(state, operand) : state.channels.get(Number(operand));
      if (found && opens(call, found)) open = ({ stream_id }) => stream_id === found.stream_id;
    }
    if ((operator === "channels" || operator === "streams") && operand === "public" && !isGuest(caller)) {
      open = ({ stream_id }) => stream_id !== null && !state.channels.get(stream_id)!.invite_only;
    }
  }
  return open ?? (() => false);
}
