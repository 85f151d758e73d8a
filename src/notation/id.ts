/** Ids as people write them. */

/** Returns an id in its one decimal form. Undefined for other texts: `07`, `+7`, `7.0`. */
export function readId(text: string): number | undefined {
  const id = /^(?:0|[1-9]\d*)$/.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(id) ? id : undefined;
}

const flaws: readonly [form: RegExp, flaw: string][] = [
  [/^0\d+$/, "ids have no leading zeros"],
  [/^\d+$/, "ids are not so large"],
  [/^[+-]\d+$/, "ids have no sign"],
  [/^[+-]?(?:0[xob][\da-f]+|\d[\d_]*\.?\d*(?:e[+-]?\d+)?)$/i, "ids are whole numbers without other signs"],
  [/^\p{Nd}+$/u, "ids are written with the digits 0 to 9"],
];

/** Returns why a text that looks like a number is no id. Undefined for ids and other texts. */
export const idFlaw = (text: string): string | undefined =>
  readId(text) === undefined ? flaws.find(([form]) => form.test(text))?.[1] : undefined;

/** Where a text with a name comes from: `ids` are as zulipctl writes them, and digits in `data` may be a name. */
export type Origin = "typed" | "data" | "ids";

/** A text that names something. */
export interface Naming {
  readonly text: string;
  readonly origin: Origin;
  /** Where it stands in a list file, with the flag. */
  readonly place?: string | undefined;
}

/** Begins the name of a group where people are named. */
export const groupPrefix = "group:";
