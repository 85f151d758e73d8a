/** JSON as the server's parser reads it: whole numbers of any size kept apart from others. */
import { parse as parseLossless } from "lossless-json";

/** A number written with a fraction or an exponent, `NaN` and the infinities included. */
export class Float {
  constructor(readonly value: number) {}
}

export type Json = null | boolean | string | number | bigint | Float | Json[] | { [name: string]: Json };

const deepest = 200;
const longestNumber = 4300;

// The parser that servers use takes Python's names for these three; the library does not, so they become other words for infinity.
const bare = /"(?:[^"\\]|\\.)*"|(?<![\w.+-])(?:-?Infinity|NaN)(?![\w.+-])/g;
const beyond = "1e999";

const number = (text: string): number | bigint | Float => {
  if (/[.eE]/.test(text)) return new Float(Number(text));
  if (text.length > longestNumber) throw new SyntaxError("number too long");
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
};

const tooDeep = (text: string): boolean => {
  let depth = 0;
  for (const [mark] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (mark === "[" || mark === "{") depth += 1;
    else if (mark === "]" || mark === "}") depth -= 1;
    if (depth > deepest) return true;
  }
  return false;
};

// With the u flag this finds surrogates that stand alone, and no others.
const alone = /\p{Surrogate}/u;
const wholeCharacters = (key: string, value: unknown): unknown => {
  if (alone.test(key) || (typeof value === "string" && alone.test(value))) throw new SyntaxError("lone surrogate");
  return value;
};

/** Throws `SyntaxError`. Of members with one name the last counts. */
export function parseJson(text: string): Json {
  if (tooDeep(text)) throw new SyntaxError("nested too deeply");
  const known = text.replace(bare, (found) => (found.startsWith('"') ? found : beyond));
  return parseLossless(known, /\\u[dD]/.test(text) ? wholeCharacters : null, {
    parseNumber: number,
    onDuplicateKey: ({ newValue }) => newValue,
  }) as Json;
}

export const isObject = (value: Json): value is { [name: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Float);
