/** A set of small whole numbers, one bit each, so that sets of thousands are joined and intersected fast. */
export class Bits {
  readonly #words: Uint32Array;

  private constructor(words: Uint32Array) {
    this.#words = words;
  }

  /** Makes a set of the given numbers, all below `size`. */
  static of(size: number, members: Iterable<number>): Bits {
    const words = new Uint32Array(Math.ceil(size / 32));
    for (const member of members) words[member >>> 5] = (words[member >>> 5] ?? 0) | (1 << (member & 31));
    return new Bits(words);
  }

  has(member: number): boolean {
    return (((this.#words[member >>> 5] ?? 0) >>> (member & 31)) & 1) === 1;
  }

  and(other: Bits): Bits {
    return this.#with(other, (mine, theirs) => mine & theirs);
  }

  or(other: Bits): Bits {
    return this.#with(other, (mine, theirs) => mine | theirs);
  }

  /** Returns the members that are not in the other set. */
  without(other: Bits): Bits {
    return this.#with(other, (mine, theirs) => mine & ~theirs);
  }

  #with(other: Bits, each: (mine: number, theirs: number) => number): Bits {
    const [words, theirs] = [this.#words.slice(), other.#words];
    for (let at = 0; at < words.length; at++) words[at] = each(words[at] ?? 0, theirs[at] ?? 0);
    return new Bits(words);
  }

  equals(other: Bits): boolean {
    return this.#words.every((word, at) => word === other.#words[at]);
  }

  get count(): number {
    let all = 0;
    for (const word of this.#words) all += ones(word);
    return all;
  }

  /** Bit `n % 8` of byte `n / 8` is set if `n` is a member: Node's processors store the lowest byte first. */
  bytes(): Uint8Array {
    return new Uint8Array(this.#words.buffer);
  }

  /** The members in ascending order. */
  *[Symbol.iterator](): Iterator<number> {
    for (const [at, word] of this.#words.entries())
      for (let rest = word; rest !== 0; rest &= rest - 1) yield at * 32 + 31 - Math.clz32(rest & -rest);
  }
}

function ones(word: number): number {
  let n = word - ((word >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return (((n + (n >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
