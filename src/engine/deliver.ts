/** Sends changes one after the other and says what became of each. */
import type { Server } from "../client/server.ts";
import { Cancelled, Failure, NeedsLogin, Unknown, Unreachable } from "../errors.ts";
import type { Change, Delivery } from "./change.ts";

/** What became of one change; a bug is thrown, a failure is not. */
export async function deliver(server: Server, { operation, args, check }: Change): Promise<Delivery> {
  try {
    return { outcome: "done", ...(await server.deliver(operation, args as never, { check })) };
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    const { outcome } = failure.details;
    if (failure instanceof Unknown) return { outcome: "unknown", failure };
    return { outcome: outcome === "not_sent" || outcome === undefined ? "not_sent" : "refused", failure };
  }
}

/** True where what stopped this change stops all others of the account too. */
export const stopsAll = (delivery: Delivery): boolean =>
  delivery.outcome !== "done" &&
  (delivery.failure instanceof NeedsLogin ||
    delivery.failure instanceof Unreachable ||
    delivery.failure instanceof Cancelled);

/** In order; after a failure that concerns them all the rest is not sent. */
export async function deliverAll(server: Server, changes: readonly Change[]): Promise<Delivery[]> {
  const deliveries: Delivery[] = [];
  for (const change of changes) {
    const last = deliveries.at(-1);
    if (last && last.outcome !== "done" && stopsAll(last)) {
      deliveries.push({ outcome: "not_sent", failure: last.failure });
      continue;
    }
    deliveries.push(await deliver(server, change));
  }
  return deliveries;
}
