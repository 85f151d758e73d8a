/** A redactor: takes the secrets of a request out of an answer, because proxies and error pages may quote them. */

// Shorter ones occur in ordinary words, and masking those would tell what they are.
const shortest = 5;

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");

/** A pattern for a number in hexadecimal, in upper and lower case. */
const hex = (number: number, digits: number): string =>
  number
    .toString(16)
    .padStart(digits, "0")
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

/** A pattern for one character: as it is, as URLs write it, and as JSON does. */
function written(character: string): string {
  const bytes = [...Buffer.from(character)].map((byte) => `%${hex(byte, 2)}`).join("");
  const units = Array.from(character.split(""), (unit) => `\\\\u${hex(unit.charCodeAt(0), 4)}`).join("");
  const texts = [JSON.stringify(character).slice(1, -1), character, ...(character === " " ? ["+"] : [])];
  return `(?:${[bytes, units, ...texts.map(literally)].join("|")})`;
}

/** A pattern for what stands in base64 or base64url where these bytes are `before` bytes behind a multiple of three. */
function inBase64(text: string, before: number): string {
  const all = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
  // The signs on either side stand for other bytes as well.
  const signs = all.toString("base64").slice(Math.ceil((before * 8) / 6), Math.floor((all.length * 8) / 6));
  const pattern = signs.replace(/[+/]/g, (sign) => (sign === "+" ? "(?:[-+]|%2[bB])" : "(?:[_/]|%2[fF])"));
  return `${before ? "[\\w+/-]?" : ""}${pattern}[\\w+/-]?(?:=|%3[dD]){0,2}`;
}

export class Redactor {
  readonly #secrets: readonly string[];
  readonly #encoded: readonly string[];
  #made: RegExp | undefined;

  /** `encoded` are texts that count as secret in base64 alone, such as an account with its key. */
  constructor(secrets: readonly string[], encoded: readonly string[] = []) {
    this.#secrets = secrets.filter(({ length }) => length >= shortest);
    this.#encoded = [...encoded, ...this.#secrets];
  }

  /** Most answers are successes, which need none. */
  get #pattern(): RegExp {
    const exact = this.#secrets.map((secret) => [...secret].map(written).join(""));
    const base64 = this.#encoded.flatMap((text) => [0, 1, 2].map((before) => inBase64(text, before)));
    this.#made ??= new RegExp([...exact, ...base64].join("|") || "(?!)", "g");
    return this.#made;
  }

  text(said: string): string {
    return said.replace(this.#pattern, "[secret]");
  }

  /** Of what `JSON.parse` gives, every text in it, names too. */
  value(said: unknown): unknown {
    if (typeof said === "string") return this.text(said);
    if (Array.isArray(said)) return said.map((each) => this.value(each));
    if (typeof said !== "object" || said === null) return said;
    // A number that is kept as a text.
    return Object.getPrototypeOf(said) === Object.prototype ? this.record(said) : said;
  }

  record(said: object): Record<string, unknown> {
    return Object.fromEntries(Object.entries(said).map(([name, each]) => [this.text(name), this.value(each)]));
  }
}
