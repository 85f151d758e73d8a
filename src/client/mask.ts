/** Takes the secrets of a request out of what comes back: proxies and error pages may quote it. */

// Shorter ones occur in ordinary words, and masking those would tell what they are.
const shortest = 5;

const encodings: ((text: string) => string)[] = [
  (text) => text,
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => new URLSearchParams([["", text]]).toString().slice(1),
  encodeURIComponent,
];

export class Mask {
  readonly #secrets: readonly string[];
  #made: readonly string[] | undefined;

  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
  }

  /** Most answers are successes, which need none. */
  get #forms(): readonly string[] {
    const long = this.#secrets.filter(({ length }) => length >= shortest);
    this.#made ??= [...new Set(long.flatMap((secret) => encodings.map((encode) => encode(secret))))];
    return this.#made;
  }

  text(said: string): string {
    return this.#forms.reduce((left, form) => left.replaceAll(form, "[secret]"), said);
  }

  /** Of what `JSON.parse` gives, every text in it, names too. */
  value(said: unknown): unknown {
    if (typeof said === "string") return this.text(said);
    if (Array.isArray(said)) return said.map((each) => this.value(each));
    if (typeof said !== "object" || said === null) return said;
    return Object.fromEntries(Object.entries(said).map(([name, each]) => [this.text(name), this.value(each)]));
  }
}
