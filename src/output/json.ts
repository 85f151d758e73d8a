/** JSON text that nothing a server sends can break: any depth, any number, no raw control characters. */
import { escaped } from "./sanitize.ts";

type Exact = { value: string };

/** A number kept as the text it came in, such as lossless-json makes. A plain object of that shape is data. */
export const exact = (value: object): value is Exact =>
  "isLosslessNumber" in value && Object.getPrototypeOf(value) !== Object.prototype;

const prepared = (value: unknown): unknown => {
  const object = Object(value);
  return typeof object.toJSON === "function" ? object.toJSON() : value;
};

const brackets = (list: boolean): [string, string] => (list ? ["[", "]"] : ["{", "}"]);

/** Deeper than this nothing is indented, or the white space alone would grow with the square of the depth. */
const deepest = 100;

/** What `JSON.stringify` cannot do, without recursion: big integers, exact numbers, a hundred thousand levels. */
function written(root: unknown, indent: number): string {
  const texts: string[] = [];
  const rest: (string | { value: unknown; depth: number })[] = [{ value: root, depth: 0 }];
  const line = (depth: number) => (indent && depth <= deepest ? `\n${" ".repeat(indent * depth)}` : "");
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (typeof next === "string") {
      texts.push(next);
      continue;
    }
    const { depth } = next;
    const value = prepared(next.value);
    if (typeof value === "bigint") texts.push(String(value));
    else if (typeof value !== "object" || value === null) texts.push(JSON.stringify(value) ?? "null");
    else if (exact(value)) texts.push(value.value);
    else {
      const list = Array.isArray(value);
      const members = Object.entries(value).filter(([, member]) => list || member !== undefined);
      const [open, close] = brackets(list);
      rest.push(members.length ? `${line(depth)}${close}` : close);
      for (const [at, [name, member]] of [...members.entries()].reverse()) {
        rest.push({ value: member, depth: depth + 1 });
        const label = list ? "" : `${JSON.stringify(name)}:${indent ? " " : ""}`;
        rest.push(`${at ? "," : ""}${line(depth + 1)}${label}`);
      }
      texts.push(open);
    }
  }
  return texts.join("");
}

/** `indent` 0 gives one line. Control, bidirectional and invisible characters stand as `\uXXXX`. */
export function jsonText(value: unknown, indent = 0): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value, undefined, indent) ?? "null";
  } catch {
    // Big integers and very deep values are the two things that JSON.stringify refuses.
  }
  return escaped(text === undefined || text.includes('"isLosslessNumber":') ? written(value, indent) : text);
}
