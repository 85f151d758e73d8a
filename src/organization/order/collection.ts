/** The requests that the differences of a small collection take: each of its sections says so itself. */
import type { Difference } from "../difference.ts";
import { sections } from "../file.ts";
import type { OrderContext } from "./context.ts";
import { type Draft, phases } from "./draft.ts";

export function collectionDrafts(context: OrderContext, of: number, difference: Difference): Draft[] {
  const { section } = difference;
  const stated = sections[section];
  const collection = "requests" in stated ? stated.requests : undefined;
  if (!collection) throw new Error(`cannot ${difference.action} ${section}`);
  if ("fields" in difference) return collection.update(context, of, difference);
  if (difference.action === "remove") return collection.remove?.(context, of, difference) ?? [];
  if (difference.action !== "reorder") return collection.create(context, of, difference);
  const request = collection.reorder?.(context.ids.all(section, difference.to));
  return request ? [{ of, part: "order", phase: phases.orders, does: "put in order", ...request }] : [];
}
