/** Rows of CSV and TSV from records that were not read. */
import type { Form } from "../wire/form.ts";
import type { Skimmed } from "../wire/skim.ts";
import { joined, type Piece } from "./buffered-writer.ts";
import type { Field } from "./fields.ts";
import type { Row } from "./form.ts";
import type { Lines } from "./write-records.ts";

const [quote, comma, tab, backslash, carriageReturn, newline] = [0x22, 0x2c, 0x09, 0x5c, 0x0d, 0x0a];
const [open, openList, beginNull] = [0x7b, 0x5b, 0x6e];

/** A cell that begins with one of these may be a formula; those of full width begin with the last. */
const formula = new Set([..."=+-@"].map((sign) => sign.charCodeAt(0)).concat(0xef));

/** The place of each field's value among those of a record; -1 where it has none, undefined where it must be read for it. */
function placesOf({ names }: Form, fields: readonly Field[]): Int32Array | undefined {
  const places = fields.map(({ member, column }) => {
    const at = member === undefined ? -1 : names.indexOf(member);
    return at < 0 && (column || member === undefined) ? Number.NaN : 2 * at;
  });
  const there = places.filter((place) => place >= 0);
  if (places.some(Number.isNaN) || new Set(there).size < there.length) return undefined;
  return Int32Array.from(places);
}

/**
 * What `read` gives of each record, in one piece, made without it where a record's cells stand in a row as they stand in
 * the record. Undefined where none is.
 */
export function rowsOf(
  form: "csv" | "tsv",
  fields: readonly Field[],
  read: (record: Row) => string,
): (skimmed: Skimmed) => Lines<Piece> | undefined {
  const known = new Map<Form, Int32Array | undefined>();
  const [delimiter, ends] = form === "csv" ? [comma, [carriageReturn, newline]] : [tab, [newline]];
  return ({ bytes, forms, places }) => {
    for (const one of new Set(forms)) if (!known.has(one)) known.set(one, placesOf(one, fields));
    if (forms.some((one) => !known.get(one))) return undefined;
    // No value stands in two cells, so that the cells of a record take no more room than it does.
    const room = Buffer.allocUnsafe(bytes.length + forms.length * (fields.length + ends.length));
    const pieces: Piece[] = [];
    let [begun, used] = [0, 0];

    /** False where it takes more than to copy. */
    const copy = (from: number, to: number): boolean => {
      const first = bytes[from]!;
      if (first === open || first === openList) return false;
      if (first === beginNull) return fields.length > 1;
      if (first !== quote) {
        for (let at = from; at < to; at++) room[used++] = bytes[at]!;
        return true;
      }
      if (formula.has(bytes[from + 1]!) || (fields.length === 1 && to === from + 2)) return false;
      for (let at = from + 1; at < to - 1; at++) {
        const byte = bytes[at]!;
        if (byte === backslash || byte === delimiter) return false;
        room[used++] = byte;
      }
      return true;
    };

    let [record, begin] = [0, 0];
    for (const one of forms) {
      const wanted = known.get(one)!;
      const row = used;
      let copied = true;
      for (let nth = 0; nth < wanted.length && copied; nth++) {
        if (nth > 0) room[used++] = delimiter;
        const place = wanted[nth]!;
        copied = place < 0 ? wanted.length > 1 : copy(places[record + place]!, places[record + place + 1]!);
      }
      record += 2 * one.names.length;
      const end = places[record - 1]! + 1;
      if (copied) for (const byte of ends) room[used++] = byte;
      else {
        used = row;
        pieces.push(room.subarray(begun, used), read(JSON.parse(bytes.toString("utf8", begin, end)) as Row));
        begun = used;
      }
      begin = end + 1;
    }
    pieces.push(room.subarray(begun, used));
    return { piece: joined(pieces), count: forms.length };
  };
}
