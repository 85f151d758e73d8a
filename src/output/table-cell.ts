/** One cell of a table: a line of safe parts. */

import { jsonText, sanitizeLine } from "./sanitize.ts";
import { Moment } from "./when.ts";

export interface CellPart {
  text: string;
  isHit: boolean;
}

/** Text with highlighted parts. Only tables show the highlights. */
export class HighlightedText {
  constructor(readonly parts: readonly CellPart[]) {}
  toString(): string {
    return this.parts.map(({ text }) => text).join("");
  }
  toJSON(): string {
    return this.toString();
  }
}

const textOf = (value: unknown): string => {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return sanitizeLine(value);
  if (value instanceof Moment) return sanitizeLine(String(value));
  if (Array.isArray(value) && value.every((item) => typeof item !== "object")) return sanitizeLine(value.join(", "));
  return typeof value === "object" ? jsonText(value) : sanitizeLine(String(value));
};

export const cellParts = (value: unknown): CellPart[] =>
  value instanceof HighlightedText
    ? value.parts.map(({ text, isHit }) => ({ text: sanitizeLine(text), isHit }))
    : [{ text: textOf(value), isHit: false }];

export const cellText = (value: unknown): string =>
  cellParts(value)
    .map(({ text }) => text)
    .join("");
