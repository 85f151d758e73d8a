/**
 * Sets of accounts as short text. Accounts are numbered in the order of the page, in which those of one role stand
 * together, so that most sets are a few runs, and most others differ little from one before them in the same row.
 * The page's script reads them back.
 */

/** Lengths of runs in base 36, the first of them one of accounts that are not in. */
function runs(bytes: Uint8Array): string {
  const lengths: string[] = [];
  let [start, inside] = [0, 0];
  for (const [at, byte] of bytes.entries()) {
    if (byte === (inside ? 0xff : 0)) continue;
    for (let n = 0; n < 8; n++) {
      if (((byte >> n) & 1) === inside) continue;
      lengths.push((at * 8 + n - start).toString(36));
      start = at * 8 + n;
      inside ^= 1;
    }
  }
  if (inside) lengths.push((bytes.length * 8 - start).toString(36));
  return lengths.join(" ");
}

/** In how many bytes they differ. */
function distance(one: Uint8Array, other: Uint8Array): number {
  let bytes = 0;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) bytes++;
  return bytes;
}

const shorter = (one: string, other: string): string => (other.length < one.length ? other : one);

/** Runs, or behind a point all bits in base 64. */
const alone = (bytes: Uint8Array): string => shorter(runs(bytes), `.${Buffer.from(bytes).toString("base64")}`);

/** Gives each different set a number and a text. */
export class Sets {
  readonly texts: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #sets: Uint8Array[] = [];

  /** `near`: numbers of sets by one of which this one may be told, as `<number>^<what differs>`. */
  number(bytes: Uint8Array, near: readonly number[]): number {
    const key = Buffer.from(bytes).toString("latin1");
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const off = (other: number) => distance(bytes, this.#sets[other] ?? bytes);
    const [nearest] = near.toSorted((a, b) => off(a) - off(b));
    const number = this.texts.length;
    this.texts.push(nearest === undefined ? alone(bytes) : shorter(alone(bytes), this.#by(nearest, bytes)));
    this.#numbers.set(key, number);
    this.#sets.push(bytes);
    return number;
  }

  #by(number: number, bytes: Uint8Array): string {
    const other = this.#sets[number];
    return `${number.toString(36)}^${alone(bytes.map((byte, at) => byte ^ (other?.[at] ?? 0)))}`;
  }
}
