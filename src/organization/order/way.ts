/** How things of a small collection are made, changed, removed and put in order. */
import type { Creation, Difference, Removal, Update } from "../difference.ts";
import type { OrderContext } from "./context.ts";
import type { Draft, Facts } from "./draft.ts";

export type Collection = "folders" | "profile_fields" | "linkifiers" | "domains" | "playgrounds";

export interface Way {
  create(context: OrderContext, of: number, creation: Creation): Draft[];
  update(context: OrderContext, of: number, update: Update): Draft[];
  remove?(context: OrderContext, of: number, removal: Removal): Draft[];
  reorder?(ids: readonly number[]): Pick<Draft, "operation" | "args">;
}

/** By number of the difference that makes one of an ordered collection, that of the one that comes before it there. */
export function turnsOf(differences: readonly (Difference | undefined)[]): Map<number, number> {
  const last = new Map<string, number>();
  const turns = new Map<number, number>();
  for (const [of, difference] of differences.entries()) {
    if (difference?.action !== "create") continue;
    const before = last.get(difference.section);
    if (before !== undefined) turns.set(of, before);
    last.set(difference.section, of);
  }
  return turns;
}

/** Of a request that makes one of an ordered collection: each stands where it is made, behind those before it. */
export function inTurn({ ids, turns }: OrderContext, section: Collection, of: number, facts: Facts): Facts {
  const before = turns.get(of);
  return {
    ...facts,
    provides: [...(facts.provides ?? []), `${ids.of(of)} is made`, `${section} are made`],
    ...(before !== undefined && { follows: [`${ids.of(before)} is made`] }),
  };
}
