/** A set of small whole numbers: one bit each, so that sets of thousands are joined and met in no time. */
export class Bits {
  readonly #words: Uint32Array;
  readonly #empty: boolean;
  readonly #full: boolean;
  #count: number | undefined;

  /** That a set is empty or full is only known where it was made so. */
  private constructor(words: Uint32Array, { empty = false, full = false } = {}) {
    this.#words = words;
    this.#empty = empty;
    this.#full = full;
  }

  /** Those of the numbers below `size` that are named. */
  static of(size: number, members: Iterable<number>): Bits {
    const words = new Uint32Array(Math.ceil(size / 32));
    let none = true;
    for (const member of members) {
      words[member >>> 5] = (words[member >>> 5] ?? 0) | (1 << (member & 31));
      none = false;
    }
    return new Bits(words, { empty: none });
  }

  /** All numbers below `size`. */
  static all(size: number): Bits {
    const words = new Uint32Array(Math.ceil(size / 32)).fill(0xffffffff);
    if (size % 32) words[words.length - 1] = 2 ** (size % 32) - 1;
    return new Bits(words, { full: true });
  }

  has(member: number): boolean {
    return (((this.#words[member >>> 5] ?? 0) >>> (member & 31)) & 1) === 1;
  }

  // Loops and these shortcuts take a fifth of the time of `map`: a large organization needs some hundred thousand of them.
  and(other: Bits): Bits {
    if (this === other || this.#empty || other.#full) return this;
    if (other.#empty || this.#full) return other;
    return this.#with(other, (mine, theirs) => mine & theirs);
  }

  or(other: Bits): Bits {
    if (this === other || this.#full || other.#empty) return this;
    if (other.#full || this.#empty) return other;
    return this.#with(other, (mine, theirs) => mine | theirs);
  }

  /** Those of this set that are not in the other. */
  without(other: Bits): Bits {
    if (this.#empty || other.#empty) return this;
    return this.#with(other, (mine, theirs) => mine & ~theirs);
  }

  #with(other: Bits, each: (mine: number, theirs: number) => number): Bits {
    const [words, theirs] = [this.#words.slice(), other.#words];
    for (let at = 0; at < words.length; at++) words[at] = each(words[at] ?? 0, theirs[at] ?? 0);
    return new Bits(words);
  }

  get count(): number {
    if (this.#count !== undefined) return this.#count;
    let all = 0;
    for (const word of this.#words) all += ones(word);
    this.#count = all;
    return all;
  }

  /** Bit `n % 8` of byte `n / 8` says whether `n` is in. */
  bytes(): Uint8Array {
    const bytes = new Uint8Array(this.#words.length * 4);
    for (const [at, word] of this.#words.entries()) for (let n = 0; n < 4; n++) bytes[at * 4 + n] = word >>> (n * 8);
    return bytes;
  }

  /** The members, the smallest first. */
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
