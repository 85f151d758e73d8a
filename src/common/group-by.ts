/** Groups items like `Map.groupBy` of newer Node versions. No group is empty. */
export function groupBy<K, T>(all: Iterable<T>, keyOf: (each: T) => K): Map<K, [T, ...T[]]> {
  const groups = new Map<K, [T, ...T[]]>();
  for (const each of all) {
    const key = keyOf(each);
    const group = groups.get(key);
    if (group) group.push(each);
    else groups.set(key, [each]);
  }
  return groups;
}

/** Returns the items by key. Of several with the same key, the last one. */
export const keyBy = <K, T>(all: readonly T[], keyOf: (each: T) => K): Map<K, T> =>
  new Map(all.map((each) => [keyOf(each), each]));
