/** Reads JSON that somebody else wrote: what is too much is told before it is read, what is too deep before it is printed. */

/** No server nests its data deeper than a dozen levels. Printing what is nested much deeper would exhaust the stack. */
export const deepest = 200;

/** Values that are read at once: during that no signal is heard and no time limit ends it. */
const mostAtOnce = 2_000_000;
/** Values of one answer that are kept: each takes up to twenty times the room that it takes as text. */
export const mostKept = 10_000_000;

/** A text holds more values than can be read at once. */
export class TooMuch extends Error {
  override readonly name = "TooMuch";
}

/** At most so many values are counted. */
function valuesIn(text: string, most: number): number {
  let count = 1;
  for (let at = 0; at < text.length && count <= most; at++) {
    const code = text.charCodeAt(at);
    // A comma, an opening bracket or brace: whatever comes behind it is one more.
    if (code === 0x2c || code === 0x5b || code === 0x7b) count++;
    else if (code === 0x22)
      do {
        at = text.indexOf('"', at + 1);
        if (at < 0) return count;
      } while (isEscaped(text, at));
  }
  return count;
}

function isEscaped(text: string, at: number): boolean {
  let from = at;
  while (text.charCodeAt(from - 1) === 0x5c) from--;
  return (at - from) % 2 === 1;
}

/** Like `JSON.parse`; throws `TooMuch` for a text of millions of values. */
export function parse(text: string): unknown {
  if (text.length > mostAtOnce && valuesIn(text, mostAtOnce) > mostAtOnce) throw new TooMuch();
  return JSON.parse(text);
}

/** What stands in values that were read. */
export interface Survey {
  count: number;
  /** One of them is nested too deeply. */
  deep: boolean;
  /** There is a number that JavaScript may have read as another one. */
  inexact: boolean;
}

export function survey(values: readonly unknown[]): Survey {
  let count = 0;
  let inexact = false;
  // One walk for all, and without a call for each text, because lists of a hundred thousand records go through here.
  const tooDeep = (value: unknown, depth: number): boolean => {
    count++;
    if (typeof value === "object" && value !== null) return depth === deepest || holdsTooDeep(value, depth + 1);
    if (typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER) inexact = true;
    return false;
  };
  const holdsTooDeep = (value: object, depth: number): boolean => {
    if (Array.isArray(value)) {
      for (const item of value)
        if (typeof item === "string") count++;
        else if (tooDeep(item, depth)) return true;
    } else
      for (const name in value) {
        const member = (value as Record<string, unknown>)[name];
        if (typeof member === "string") count++;
        else if (tooDeep(member, depth)) return true;
      }
    return false;
  };
  const deep = values.some((value) => tooDeep(value, 0));
  return { count, deep, inexact };
}
