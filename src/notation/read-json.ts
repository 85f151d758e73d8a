/** Reads JSON that people write. Errors have a line and a column. */
import { parse } from "lossless-json";

export interface TextPosition {
  line: number;
  column: number;
}

export type ParsedJson = { value: unknown } | ({ error: string } & TextPosition);

/** Returns the line and column of an index, from 1. */
export function positionOf(text: string, at: number): TextPosition {
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: before.at(-1)!.length + 1 };
}

export function readJson(text: string): ParsedJson {
  try {
    return { value: JSON.parse(text) };
  } catch {
    // JSON.parse does not always give the place. lossless-json does, but accepts other texts in rare cases.
    try {
      parse(text);
      return { error: "not valid JSON", line: 1, column: 1 };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const [, description, at] = /^(.*) at position (\d+)$/s.exec(message) ?? [];
      return { error: `not valid JSON: ${description ?? message}`, ...positionOf(text, Number(at ?? 0)) };
    }
  }
}
