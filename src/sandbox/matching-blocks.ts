/** The matching parts of two lists, found as Python's difflib does. */

interface Block {
  /** Where it begins in the first and in the second list. */
  a: number;
  b: number;
  size: number;
}

/** The longest common part of two ranges: of equal ones the earliest in the first list, then in the second. */
function longestMatch(
  a: readonly string[],
  b: readonly string[],
  range: readonly [number, number, number, number],
): Block {
  const [aFrom, aTo, bFrom, bTo] = range;
  let best: Block = { a: aFrom, b: bFrom, size: 0 };
  let lengths = new Map<number, number>();
  for (let i = aFrom; i < aTo; i += 1) {
    const next = new Map<number, number>();
    for (let j = bFrom; j < bTo; j += 1) {
      if (a[i] !== b[j]) continue;
      const size = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, size);
      if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size };
    }
    lengths = next;
  }
  return best;
}

/** All matching blocks in their order. Neighbors are one block. */
export function matchingBlocks(a: readonly string[], b: readonly string[]): Block[] {
  const found: Block[] = [];
  const find = (aFrom: number, aTo: number, bFrom: number, bTo: number): void => {
    const match = longestMatch(a, b, [aFrom, aTo, bFrom, bTo]);
    if (match.size === 0) return;
    find(aFrom, match.a, bFrom, match.b);
    const last = found.at(-1);
    if (last && last.a + last.size === match.a && last.b + last.size === match.b) last.size += match.size;
    else found.push(match);
    find(match.a + match.size, aTo, match.b + match.size, bTo);
  };
  find(0, a.length, 0, b.length);
  return found;
}
