/** The members of an object of unknown shape. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns whether the value has members: an object or a list. */
export const hasMembers = (value: unknown): value is Fields => typeof value === "object" && value !== null;

/** Returns whether the value is an object, not a list. */
export const isMapping = (value: unknown): value is Fields => hasMembers(value) && !Array.isArray(value);

/** Returns the members of a value of unknown shape. A value without members has none. */
export const membersOf = (value: unknown): Fields => (hasMembers(value) ? value : {});

/** The same of a text. A text that is not JSON has none. */
export function membersOfJson(text: string): Fields {
  try {
    return membersOf(JSON.parse(text));
  } catch {
    return {};
  }
}

/** Returns a text, or null for any other value. */
export const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** Returns the numbers of a list, or the number itself. */
export function numbersIn(value: unknown): number[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.filter((each) => typeof each === "number");
}

/** Returns an object with a value for each name. */
export const keyed = <N extends string, T>(names: readonly N[], of: (name: N) => T): Record<N, T> =>
  keyedAs(names, (name) => name, of);

/** The same, with a member for each name that has another name. */
export const keyedAs = <N extends string, K extends string, T>(
  names: readonly N[],
  as: (name: N) => K,
  of: (name: N) => T,
): Record<K, T> => Object.fromEntries(names.map((name) => [as(name), of(name)])) as Record<K, T>;

/** Returns these members, in this order. */
export const pick = <T, N extends keyof T>(all: T, names: readonly N[]): Pick<T, N> =>
  Object.fromEntries(names.map((name) => [name, all[name]])) as Pick<T, N>;

/** Returns the names of an object whose type states them all. */
export const namesOf = <N extends string>(all: Readonly<Record<N, unknown>>): N[] => Object.keys(all) as N[];

/** Returns the value with a name. Undefined if there is none. */
export const valueNamed = <T>(all: Readonly<Record<string, T>>, name: unknown): T | undefined =>
  typeof name === "string" && Object.hasOwn(all, name) ? all[name] : undefined;

/** Returns the name of a value. Undefined if it has none. */
export const nameOf = <N extends string>(all: Readonly<Record<N, unknown>>, value: unknown): N | undefined =>
  namesOf(all).find((name) => all[name] === value);
