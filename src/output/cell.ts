/** One cell of a table: a line of safe parts. */

import { jsonText } from "./json.ts";
import { Marked, type Part } from "./marked.ts";
import { safe } from "./safe.ts";

const told = (value: unknown): string => {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return safe(value);
  if (Array.isArray(value) && value.every((item) => typeof item !== "object")) return safe(value.join(", "));
  return typeof value === "object" ? jsonText(value) : safe(String(value));
};

export const cellParts = (value: unknown): Part[] =>
  value instanceof Marked
    ? value.parts.map(({ text, hit }) => ({ text: safe(text), hit }))
    : [{ text: told(value), hit: false }];

export const cellText = (value: unknown): string =>
  cellParts(value)
    .map(({ text }) => text)
    .join("");
