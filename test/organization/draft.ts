/** A request of a plan, as short as can be. */
import type { Draft } from "../../src/organization/order/draft.ts";
import type { AnyOperation } from "../../src/wire/operation.ts";

export const draft = (operation: AnyOperation, args: object, more: Partial<Draft> = {}): Draft => ({
  of: 0,
  part: "x",
  operation,
  args: { ...args },
  pieces: [],
  ...more,
});
