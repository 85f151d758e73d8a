/** The shape of JSON: the types of values, by path. */

export type Shape = Record<string, string>;

/** Ids, addresses and dates are data, not names of members. */
const isData = (key: string): boolean => /^\d|[@/ ]|^$/.test(key);

export const kindOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "list" : typeof value;

/** Returns the shape of several values. `[].name` is a member of the objects in a list. */
export function shapeOf(values: readonly unknown[]): Shape {
  const kinds = new Map<string, Set<string>>();
  const add = (path: string, value: unknown): void => {
    kinds.set(path, (kinds.get(path) ?? new Set()).add(kindOf(value)));
    if (Array.isArray(value)) for (const each of value) add(`${path}[]`, each);
    else if (typeof value === "object" && value !== null)
      for (const [key, each] of Object.entries(value)) add(`${path}.${isData(key) ? "*" : key}`, each);
  };
  for (const value of values) add("", value);
  return Object.fromEntries(
    [...kinds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, all]) => [path, [...all].sort().join("|")]),
  );
}
