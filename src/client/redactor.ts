/** A redactor: takes the secrets of a request out of what comes back, for proxies and error pages may quote it. */
import { found, type Wanted } from "./quoted.ts";

// Shorter ones occur in ordinary words, and masking those would tell what they are.
const shortest = 5;

interface Form {
  wanted: Wanted;
  base64: boolean;
}

/**
 * In base64 the same bytes look in three ways, by how many others come before them. These are the signs that stand for
 * nothing else.
 */
const inBase64 = (text: string): Form[] =>
  [0, 1, 2].map((before) => {
    const all = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
    const signs = all.toString("base64").slice(Math.ceil((before * 8) / 6), Math.floor((all.length * 8) / 6));
    // URLs have an alphabet of their own.
    const wanted = [...signs].map((sign) => (sign === "+" ? ["+", "-"] : sign === "/" ? ["/", "_"] : [sign]));
    return { wanted, base64: true };
  });

const plain = (text: string): Form => ({ wanted: [...text].map((character) => [character]), base64: false });

/** A sign on either side that stands for a part of it as well, and the padding. */
const partly = (said: string, [from, to]: [number, number]): [number, number] => [
  from - (/[\w+/-]$/.test(said.slice(from - 1, from)) ? 1 : 0),
  to + /^[\w+/-]?(?:=|%3[dD]|&#0{0,8}61;|\\{1,8}u003[dD]){0,2}/.exec(said.slice(to, to + 32))![0].length,
];

export class Redactor {
  readonly #secrets: readonly string[];
  readonly #encoded: readonly string[];
  #made: Form[] | undefined;

  /** `encoded` are texts that count as secret in base64 alone, such as an account with its key. */
  constructor(secrets: readonly string[], encoded: readonly string[] = []) {
    this.#secrets = secrets;
    this.#encoded = encoded;
  }

  /** Most answers are successes, which need none. */
  get #forms(): readonly Form[] {
    const long = this.#secrets.filter(({ length }) => length >= shortest);
    this.#made ??= [...long.map(plain), ...[...this.#encoded, ...long].flatMap(inBase64)];
    return this.#made;
  }

  text(said: string): string {
    const spans: [number, number][] = [];
    for (const { wanted, base64 } of this.#forms)
      for (const span of found(said, wanted, { wrapped: base64 })) spans.push(base64 ? partly(said, span) : span);
    if (!spans.length) return said;
    let [left, end] = ["", 0];
    for (const [from, to] of spans.sort(([a], [b]) => a - b)) {
      // What overlaps is one secret, or several run into one another.
      if (from >= end) left += `${said.slice(end, from)}[secret]`;
      end = Math.max(end, to);
    }
    return left + said.slice(end);
  }

  /** Of what `JSON.parse` gives, every text in it, names too. */
  value(said: unknown): unknown {
    if (typeof said === "string") return this.text(said);
    if (Array.isArray(said)) return said.map((each) => this.value(each));
    if (typeof said !== "object" || said === null) return said;
    // A number that is kept as a text.
    if (Object.getPrototypeOf(said) !== Object.prototype) return said;
    return Object.fromEntries(Object.entries(said).map(([name, each]) => [this.text(name), this.value(each)]));
  }
}
