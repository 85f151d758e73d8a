/** Records as lines of JSON in the very text that they came in. */
import { jsonText } from "./json.ts";
import { harmless } from "./sanitize.ts";
import type { Batch, Lines } from "./write-records.ts";

const [space, comma, brace] = [0x20, 0x2c, 0x7b];

/**
 * How often a list's text has `},{`, and where it is first; undefined where white space may separate what it lists.
 * Where that is one less than the objects that it lists, it separates them and stands nowhere else.
 */
function separators(text: string): { count: number; first: number } | undefined {
  let count = 0;
  let first = text.length - 1;
  for (let at = text.indexOf("}"); at >= 0; at = text.indexOf("}", at + 1)) {
    const next = text.charCodeAt(at + 1);
    const after = next === comma ? text.charCodeAt(at + 2) : 0;
    if (next === space || after === space) return undefined;
    if (after !== brace) continue;
    if (count++ === 0) first = at + 1;
  }
  return { count, first };
}

/**
 * All records of a batch, a line each, without writing each anew. Undefined where their text is not what `jsonText` makes
 * of them, as far as the first of each list tells, or might not be a line each.
 */
export function linesOf(batch: Batch<Record<string, unknown>>): Lines<string> {
  const { texts } = batch;
  if (!texts || !Array.isArray(batch) || !batch.every((record) => typeof record === "object" && record !== null))
    return undefined;
  const lines: string[] = [];
  let found = 0;
  for (const text of texts) {
    if (text === "[]") continue;
    const between = separators(text);
    if (!between || !harmless(text)) return undefined;
    if (text.slice(1, between.first) !== jsonText(batch[found])) return undefined;
    found += between.count + 1;
    lines.push(text.slice(1, -1).replaceAll("},{", "}\n{"), "\n");
  }
  return found === batch.length ? { piece: lines.join(""), count: found } : undefined;
}
