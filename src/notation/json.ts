/** JSON that people write: where it goes wrong is said by line and column. */
import { parse } from "lossless-json";
import { deepest, survey } from "../wire/json.ts";

export type Json = { value: unknown } | { wrong: string; line: number; column: number };

/** Line and column, from 1, of a place in a text. */
export function place(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: before.at(-1)!.length + 1 };
}

const changes = (literal: string): boolean => {
  const number = Number(literal);
  return !Number.isFinite(number) || (Number.isInteger(number) && !Number.isSafeInteger(number));
};

/** The first number that JavaScript would read as another one. */
function changed(text: string): string | undefined {
  if (!/\d{16}|\d[eE]\+?\d{2}/.test(text)) return undefined;
  let found: string | undefined;
  const parseNumber = (literal: string) => {
    if (changes(literal)) found ??= literal;
    return 0;
  };
  parse(text, undefined, { parseNumber, onDuplicateKey: ({ newValue }) => newValue });
  return found;
}

/** Where the first list or object begins that is nested too deeply. */
function tooDeep(text: string): number {
  let [depth, quoted] = [0, false];
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (quoted && sign === "\\") at++;
    else if (sign === '"') quoted = !quoted;
    else if (!quoted && (sign === "[" || sign === "{")) depth++;
    else if (!quoted && (sign === "]" || sign === "}")) depth--;
    if (depth > deepest) return at;
  }
  return 0;
}

/** As `JSON.parse` reads it, except that a number beyond 2^53 is wrong: another one would be sent in its place. */
export function readJson(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    if (survey([value]).deep) return { wrong: `nested deeper than ${deepest} levels`, ...place(text, tooDeep(text)) };
    const number = changed(text);
    if (number === undefined) return { value };
    return { wrong: `${number} is beyond 2^53 and cannot be sent exactly`, ...place(text, text.indexOf(number)) };
  } catch {
    // JSON.parse does not always say where; lossless-json does, but refuses repeated members, which the server takes.
    try {
      parse(text);
      return { wrong: "not valid JSON", line: 1, column: 1 };
    } catch (error) {
      if (error instanceof RangeError) return { wrong: "not valid JSON", line: 1, column: 1 };
      const message = error instanceof Error ? error.message : String(error);
      const [, wrong, at] = /^(.*) at position (\d+)$/s.exec(message) ?? [];
      return { wrong: `not valid JSON: ${wrong ?? message}`, ...place(text, Number(at ?? 0)) };
    }
  }
}
