/** Returns the starting ids and everything that `next` leads to. */
export function reachableFrom<K>(from: Iterable<K>, next: (each: K) => Iterable<K> | undefined): Set<K> {
  const found = new Set(from);
  // Iterating over a growing set visits what is added meanwhile.
  for (const each of found) for (const more of next(each) ?? []) found.add(more);
  return found;
}
