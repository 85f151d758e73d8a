/** Values that a run makes once: all rows of a batch share them. */
import type { Context } from "./context.ts";

/** Returns a function that makes a value at its first call in a run, and returns the same value from then on. */
export function oncePerRun<A extends [context: Pick<Context, "names">, ...rest: unknown[]], T>(
  make: (...args: A) => T,
): (...args: A) => T {
  const made = new WeakMap<Context["names"], { readonly value: T }>();
  return (...args) => {
    const [{ names }] = args;
    const known = made.get(names) ?? { value: make(...args) };
    made.set(names, known);
    return known.value;
  };
}
