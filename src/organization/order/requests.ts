/** What the module of a section says of the requests that its differences take. */
import type { Creation, Removal, Update } from "../difference.ts";
import type { OrderContext } from "./context.ts";
import { type Draft, phases } from "./draft.ts";

/** How things of a section are made, changed, removed and put in order. */
export interface Requests {
  create(context: OrderContext, of: number, creation: Creation): Draft[];
  update(context: OrderContext, of: number, update: Update): Draft[];
  remove?(context: OrderContext, of: number, removal: Removal): Draft[];
  reorder?(ids: readonly number[]): Pick<Draft, "operation" | "args">;
}

export const creating = { part: "create", phase: phases.collections + 0.1 };
export const updating = { part: "update", phase: phases.collections };
export const removing = { part: "remove", phase: phases.removals, does: "removed" };
