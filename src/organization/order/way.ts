/** How things of a small collection are made, changed, removed and put in order. */
import type { Creation, Removal, Update } from "../difference.ts";
import type { OrderContext } from "./context.ts";
import type { Draft, Facts } from "./draft.ts";

export type Collection = "folders" | "profile_fields" | "linkifiers" | "domains" | "playgrounds";

export interface Way {
  create(context: OrderContext, of: number, creation: Creation): Draft[];
  update(context: OrderContext, of: number, update: Update): Draft[];
  remove?(context: OrderContext, of: number, removal: Removal): Draft[];
  reorder?(ids: readonly number[]): Pick<Draft, "operation" | "args">;
}

/** What a request provides that makes one of an ordered collection. */
export const inTurn = (section: Collection, made: number, facts: Facts): Facts => ({
  ...facts,
  provides: [...(facts.provides ?? []), `${made} is made`, `${section} are made`],
});
