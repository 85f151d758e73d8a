/** A redactor removes the secrets of a request from its answer: proxies and error pages may quote them. */

// Shorter ones occur in ordinary words, and masking those would reveal them.
const minLength = 5;

/** Returns a text in its forms for URLs, forms and JSON. */
const spellings = (text: string): string[] => {
  const url = encodeURIComponent(Buffer.from(text).toString());
  const form = new URLSearchParams({ "": text }).toString().slice(1);
  return [text, url, form, JSON.stringify(text).slice(1, -1)];
};

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");

/** Hexadecimal digits after `%` may be in lower case. */
const pattern = (text: string): string =>
  escapePattern(text).replace(
    /%[\dA-F]{2}/g,
    (sign) => `%${sign.slice(1).replace(/[A-F]/g, (c) => `[${c}${c.toLowerCase()}]`)}`,
  );

/** Returns a pattern for these bytes in base64 or base64url, at an offset of `before` bytes. */
function inBase64(text: string, before: number): string {
  const all = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
  // The characters on both sides contain bits of other bytes.
  const signs = all.toString("base64").slice(Math.ceil((before * 8) / 6), Math.floor((all.length * 8) / 6));
  const signsOrEscapes = signs.replace(/[+/]/g, (sign) => (sign === "+" ? "(?:[-+]|%2[bB])" : "(?:[_/]|%2[fF])"));
  return `${before ? "[\\w+/-]?" : ""}${signsOrEscapes}[\\w+/-]?(?:=|%3[dD]){0,2}`;
}

export class Redactor {
  readonly #secrets: readonly string[];
  readonly #encoded: readonly string[];
  #compiled: RegExp | undefined;

  /** `encoded`: texts that are secret only in base64, such as an account with its key. */
  constructor(secrets: readonly string[], encoded: readonly string[] = []) {
    this.#secrets = secrets.filter(({ length }) => length >= minLength);
    this.#encoded = [...encoded, ...this.#secrets];
  }

  /** Made on first use: most answers are successes, which need none. */
  get #pattern(): RegExp {
    if (!this.#compiled) {
      const texts = this.#secrets.flatMap(spellings).sort((one, other) => other.length - one.length);
      const base64 = this.#encoded.flatMap((text) => [0, 1, 2].map((before) => inBase64(text, before)));
      this.#compiled = new RegExp([...texts.map(pattern), ...base64].join("|") || "(?!)", "g");
    }
    return this.#compiled;
  }

  text(text: string): string {
    return text.replace(this.#pattern, "[secret]");
  }

  /** Redacts every text in a JSON value, also names. */
  value(value: unknown): unknown {
    if (typeof value === "string") return this.text(value);
    if (Array.isArray(value)) return value.map((each) => this.value(each));
    return typeof value === "object" && value !== null ? this.record(value) : value;
  }

  record(record: object): Record<string, unknown> {
    return Object.fromEntries(Object.entries(record).map(([name, each]) => [this.text(name), this.value(each)]));
  }
}
