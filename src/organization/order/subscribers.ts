/** Who is subscribed to channels. */
import { makesNone, subscribe, unsubscribe } from "../../api/subscriptions.ts";
import { numbered, type OrderContext, whole } from "./context.ts";
import type { Draft, Facts } from "./draft.ts";

export const inside = (id: number) => `channel ${id} was seen from inside`;

export function membersDraft(
  of: number,
  id: number,
  name: string,
  [part, nth]: readonly ["subscribe" | "unsubscribe", number],
  people: readonly number[],
  { me }: OrderContext,
): Draft {
  const facts =
    part === "subscribe"
      ? {
          follows: [`channel ${id} is open`],
          provides: [inside(id), `channel ${id} has its new subscribers`],
        }
      : // Whoever leaves a private channel cannot change it from inside any more.
        people.includes(me)
        ? // Where it was not opened after all, nothing would let the caller in again.
          { follows: [inside(id), `channel ${id} is private`], needs: [`channel ${id} is open`] }
        : {};
  return whole({
    of,
    part: numbered(part, nth),
    operation: part === "subscribe" ? subscribe : unsubscribe,
    args: {
      stream_id: id,
      subscriptions: [part === "subscribe" ? { name } : name],
      principals: [...people],
      ...(part === "subscribe" && makesNone),
    },
    fields: ["subscribers"],
    does: part === "subscribe" ? "subscribers added" : "subscribers removed",
    ...facts,
    provides: [...((facts as Facts).provides ?? []), `channel ${id} was changed`],
  });
}
