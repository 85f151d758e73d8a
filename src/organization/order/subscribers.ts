/** Who is subscribed to channels. */
import { subscribe, unsubscribe } from "../../api/subscriptions.ts";
import { numbered, type OrderContext, whole } from "./context.ts";
import type { Draft, Facts } from "./draft.ts";

/** From this level on, subscribing can make a new channel one for all. */
const defaultsSince = 200;

/**
 * Channels are subscribed to by name, and one of which somebody has just changed the name would be made anew. No channel
 * can be made like this: the server refuses it then. Where there is one of that name it looks at neither.
 */
const makesNone = { invite_only: true, is_default_stream: true };

export const inside = (id: number) => `channel ${id} was seen from inside`;

export function membersDraft(
  of: number,
  id: number,
  name: string,
  [part, nth]: readonly ["subscribe" | "unsubscribe", number],
  people: readonly number[],
  { me, snapshot }: OrderContext,
): Draft {
  const facts =
    part === "subscribe"
      ? {
          follows: [`channel ${id} is open`],
          provides: [inside(id), `channel ${id} has its new subscribers`],
        }
      : // Whoever leaves a private channel cannot change it from inside any more.
        people.includes(me)
        ? { follows: [inside(id), `channel ${id} is private`, `channel ${id} is open`] }
        : {};
  return whole({
    of,
    part: numbered(part, nth),
    operation: part === "subscribe" ? subscribe : unsubscribe,
    args: {
      stream_id: id,
      subscriptions: [part === "subscribe" ? { name } : name],
      principals: [...people],
      ...(part === "subscribe" && snapshot.feature_level >= defaultsSince && makesNone),
    },
    fields: ["subscribers"],
    does: part === "subscribe" ? "subscribers added" : "subscribers removed",
    ...facts,
    provides: [...((facts as Facts).provides ?? []), `channel ${id} was changed`],
  });
}
