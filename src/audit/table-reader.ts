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
export const tableSink = (
  file: string,
  tables: Readonly<Record<string, OnRow>>,
  onTable?: (table: string) => void,
): Sink => new TableReader(file, tables, onTable);

class TableReader implements Sink {
  readonly #file: string;
  readonly #tables: Readonly<Record<string, OnRow>>;
  readonly #onTable: ((table: string) => void) | undefined;
  /** The beginning of a name or row, from earlier pieces. */
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  /** The start of the current name or row in this piece. 0 if it began in an earlier piece, -1 without one. */
  #from = -1;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** The last name of a table. */
  #name = "";
  /** Receives the rows of the current table. */
  #onRow: OnRow | undefined;
  #hasBegun = false;
  #hasEnded = false;

  constructor(file: string, tables: Readonly<Record<string, OnRow>>, onTable?: (table: string) => void) {
    this.#file = file;
    this.#tables = tables;
    this.#onTable = onTable;
  }

  push(part: Uint8Array): void {
    const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    this.#from = this.#pendingBytes > 0 ? 0 : -1;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (this.#inString) this.#readInString(byte, bytes, at);
      else if (byte === quote) {
        this.#inString = true;
        if (this.#depth === 1) this.#from = at;
      } else if (byte === openObject || byte === openList) this.#open(byte, at);
      else if (byte === closeObject || byte === closeList) this.#close(bytes, at);
      else if (byte > 0x20) this.#checkOther(byte);
    }
    this.#keepRest(bytes);
  }

  end(): void {
    if (!this.#hasBegun || !this.#hasEnded) throw this.#damaged("it ends early");
  }

  #readInString(byte: number, bytes: Buffer, at: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === backslash) this.#escaped = true;
    else if (byte === quote) {
      this.#inString = false;
      if (this.#depth === 1) {
        this.#name = String(this.#parse(this.#textTo(bytes, at + 1)));
        this.#from = -1;
      } else if (this.#depth === 2 && this.#onRow) throw this.#damaged("a row is not an object");
    }
  }

  #open(byte: number, at: number): void {
    if (this.#hasEnded || (this.#depth === 0 && byte !== openObject)) throw this.#damaged("it is not one JSON object");
    this.#depth++;
    this.#hasBegun = true;
    if (this.#depth === 2) {
      this.#onRow = byte === openList && Object.hasOwn(this.#tables, this.#name) ? this.#tables[this.#name] : undefined;
      if (this.#onRow) this.#onTable?.(this.#name);
    }
    if (this.#depth === 3 && this.#onRow) {
      if (byte !== openObject) throw this.#damaged("a row is not an object");
      this.#from = at;
    }
    if (this.#onRow && this.#depth > deepestNesting) throw this.#damaged("a row is nested too deeply");
  }

  #close(bytes: Buffer, at: number): void {
    this.#depth--;
    if (this.#depth === 2 && this.#onRow) {
      this.#readRow(this.#textTo(bytes, at + 1));
      this.#from = -1;
    } else if (this.#depth === 1) this.#onRow = undefined;
    else if (this.#depth === 0) this.#hasEnded = true;
    else if (this.#depth < 0) throw this.#damaged("a bracket is closed that is not open");
  }

  /** Neither white space, a string nor a bracket. */
  #checkOther(byte: number): void {
    if (this.#depth === 0) throw this.#damaged("it is not JSON");
    if (this.#depth === 2 && this.#onRow && byte !== comma) throw this.#damaged("a row is not an object");
  }

  #textTo(bytes: Buffer, to: number): string {
    if (this.#pending.length === 0) return bytes.toString("utf8", this.#from, to);
    const text = Buffer.concat([...this.#pending, bytes.subarray(0, to)]).toString("utf8");
    this.#pending = [];
    this.#pendingBytes = 0;
    return text;
  }

  /** Keeps the beginning of a name or row for the next piece. */
  #keepRest(bytes: Buffer): void {
    if (this.#from < 0) return;
    const rest = Buffer.from(bytes.subarray(this.#from));
    this.#pending.push(rest);
    this.#pendingBytes += rest.length;
    if (this.#pendingBytes > largestRow) throw this.#damaged(`a row has more than ${largestRow / MiB} MiB`);
  }

  #readRow(text: string): void {
    const row = membersOf(this.#parse(text));
    if (longNumber.test(text) && hasInexactNumber(row)) throw this.#damaged("it holds a number that is too large");
    this.#onRow?.(row);
  }

  #parse(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw this.#damaged(asError(error).message);
    }
  }

  #damaged(why: string): Usage {
    const table = this.#onRow || this.#name ? `, table ${JSON.stringify(this.#name)}` : "";
    return new Usage(`the export is damaged: ${this.#file}${table}: ${why}`);
  }
}
