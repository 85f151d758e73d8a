/** Orders of which a file tells a part: those listed share out the places that they hold. */

export function arranged<T>(all: readonly T[], listed: readonly T[]): T[] {
  const places = new Set(listed);
  const next = listed[Symbol.iterator]();
  return all.map((each) => (places.has(each) ? (next.next().value as T) : each));
}
