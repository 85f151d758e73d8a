/** A set of small whole numbers, with one bit for each. Sets of thousands are united and intersected fast. */
export class Bits {
  private constructor(private readonly words: Uint32Array) {}

  /** Makes a set of the given numbers, all below `size`. */
  static of(size: number, members: Iterable<number>): Bits {
    const words = new Uint32Array(Math.ceil(size / 32));
    for (const member of members) words[member >>> 5] = (words[member >>> 5] ?? 0) | (1 << (member & 31));
    return new Bits(words);
  }

  has(member: number): boolean {
    return (((this.words[member >>> 5] ?? 0) >>> (member & 31)) & 1) === 1;
  }

  and(other: Bits): Bits {
    return this.#combine(other, (one, another) => one & another);
  }

  or(other: Bits): Bits {
    return this.#combine(other, (one, another) => one | another);
  }

  /** Returns the members that are not in the other set. */
  without(other: Bits): Bits {
    return this.#combine(other, (one, another) => one & ~another);
  }

  #combine(other: Bits, operation: (one: number, another: number) => number): Bits {
    const words = this.words.slice();
    for (let index = 0; index < words.length; index++) words[index] = operation(words[index]!, other.words[index]!);
    return new Bits(words);
  }

  equals(other: Bits): boolean {
    return this.words.every((word, index) => word === other.words[index]);
  }

  get count(): number {
    let count = 0;
    for (const word of this.words) count += ones(word);
    return count;
  }

  /** Bit `n % 8` of byte `n / 8` is set if `n` is a member: Node's processors store the lowest byte first. */
  bytes(): Uint8Array {
    return new Uint8Array(this.words.buffer);
  }

  /** The members in ascending order. */
  *[Symbol.iterator](): Iterator<number> {
    for (const [index, word] of this.words.entries())
      for (let rest = word; rest !== 0; rest &= rest - 1) yield index * 32 + 31 - Math.clz32(rest & -rest);
  }
}

function ones(word: number): number {
  let n = word - ((word >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return (((n + (n >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
