/** Reads the rows of tables out of the bytes of a JSON file: one object of arrays named after tables. */

import { membersOf } from "../common/object-members.ts";
import { MiB } from "../common/unit-sizes.ts";
import { asError, Usage } from "../errors.ts";
import type { Sink } from "./archive.ts";

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openObject, closeObject, openList, closeList] = [0x7b, 0x7d, 0x5b, 0x5d];

/** The largest number of bytes of a row, and of levels of nesting in it. */
const largestRow = 16 * MiB;
const deepestNesting = 64;

export type TableRow = Readonly<Record<string, unknown>>;

/** Receives the rows of one table. */
export type OnRow = (row: TableRow) => unknown;

const longNumber = /[[:,]\s*-?\d{16}/;

/** Returns whether the text has a number that JavaScript cannot represent exactly. */
function hasInexactNumber(value: unknown): boolean {
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === "object" && value !== null && Object.values(value).some(hasInexactNumber);
}

/**
 * `tables`: receivers of rows by table. Other tables are skipped. `onTable` gets the names of the tables that are there.
 * Throws `Usage` that names file and table.
 */
export function tableSink(
  file: string,
  tables: Readonly<Record<string, OnRow>>,
  onTable?: (table: string) => void,
): Sink {
  /** The beginning of a name or row, from earlier pieces. */
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let depth = 0;
  let inString = false;
  let escaped = false;
  let name = "";
  /** Receives the rows of the current table. */
  let onRow: OnRow | undefined;
  let hasBegun = false;
  let hasEnded = false;

  const damaged = (why: string): Usage =>
    new Usage(`the export is damaged: ${file}${onRow || name ? `, table ${JSON.stringify(name)}` : ""}: ${why}`);

  function textTo(bytes: Buffer, start: number, to: number): string {
    if (pending.length === 0) return bytes.toString("utf8", start, to);
    const text = Buffer.concat([...pending, bytes.subarray(0, to)]).toString("utf8");
    [pending, pendingBytes] = [[], 0];
    return text;
  }

  function parse(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw damaged(asError(error).message);
    }
  }

  function readRow(text: string): void {
    const row = membersOf(parse(text));
    if (longNumber.test(text) && hasInexactNumber(row)) throw damaged("it holds a number that is too large");
    onRow?.(row);
  }

  function push(part: Uint8Array): void {
    const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    /** The start of the current name or row. 0 if it began in an earlier piece, -1 without one. */
    let from = pendingBytes > 0 ? 0 : -1;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === backslash) escaped = true;
        else if (byte === quote) {
          inString = false;
          if (depth === 1) {
            name = String(parse(textTo(bytes, from, at + 1)));
            from = -1;
          } else if (depth === 2 && onRow) throw damaged("a row is not an object");
        }
      } else if (byte === quote) {
        inString = true;
        if (depth === 1) from = at;
      } else if (byte === openObject || byte === openList) {
        if (hasEnded || (depth === 0 && byte !== openObject)) throw damaged("it is not one JSON object");
        depth++;
        hasBegun = true;
        if (depth === 2) {
          onRow = byte === openList && Object.hasOwn(tables, name) ? tables[name] : undefined;
          if (onRow) onTable?.(name);
        }
        if (depth === 3 && onRow) {
          if (byte !== openObject) throw damaged("a row is not an object");
          from = at;
        }
        if (onRow && depth > deepestNesting) throw damaged("a row is nested too deeply");
      } else if (byte === closeObject || byte === closeList) {
        depth--;
        if (depth === 2 && onRow) {
          readRow(textTo(bytes, from, at + 1));
          from = -1;
        } else if (depth === 1) onRow = undefined;
        else if (depth === 0) hasEnded = true;
        else if (depth < 0) throw damaged("a bracket is closed that is not open");
      } else if (depth === 0 && byte > 0x20) throw damaged("it is not JSON");
      else if (depth === 2 && onRow && byte > 0x20 && byte !== comma) throw damaged("a row is not an object");
    }
    if (from < 0) return;
    const rest = Buffer.from(bytes.subarray(from));
    pending.push(rest);
    pendingBytes += rest.length;
    if (pendingBytes > largestRow) throw damaged(`a row has more than ${largestRow / MiB} MiB`);
  }

  return {
    push,
    end() {
      if (!hasBegun || !hasEnded) throw damaged("it ends early");
    },
  };
}
