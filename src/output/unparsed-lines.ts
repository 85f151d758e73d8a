/** Prints records that were not parsed: step 5 of `src/wire/large-list/unparsed-records.ts`. */
import type { RecordForm } from "../wire/large-list/record-form.ts";
import type { UnparsedRecords } from "../wire/large-list/unparsed-records.ts";
import { joinPieces, type OutputPiece } from "./buffered-writer.ts";
import type { OutputField } from "./chosen-fields.ts";
import type { Row } from "./form.ts";
import type { Lines } from "./write-records.ts";

const [quote, comma, tab, backslash, carriageReturn, newline] = [0x22, 0x2c, 0x09, 0x5c, 0x0d, 0x0a];
const [open, openList, beginNull, minus, zero, nine] = [0x7b, 0x5b, 0x6e, 0x2d, 0x30, 0x39];

/** Each record exactly as it came. */
export function unparsedJsonLines({ bytes, forms, places }: UnparsedRecords): Lines {
  const piece = Buffer.allocUnsafe(bytes.length + 1);
  piece.set(bytes);
  let at = 0;
  for (const { names } of forms) {
    at += 2 * names.length;
    // Its last value ends here, before the brace.
    piece[places[at - 1]! + 1] = newline;
  }
  return { piece, count: forms.length };
}

/** The longest number in JSON: a sign, seventeen digits, a point, an exponent. */
const longest = 25;

/** Returns the numbers in `member`, one a line. Undefined if other values occur. */
export function numbersOf(member: string, { bytes, forms, places }: UnparsedRecords): Lines | undefined {
  const piece = Buffer.allocUnsafe(forms.length * (longest + 1));
  let used = 0;
  let count = 0;
  let form: RecordForm | undefined;
  let place = 0;
  let record = 0;
  for (const next of forms) {
    if (next !== form) place = 2 * next.names.indexOf(member);
    form = next;
    const from = places[record + place]!;
    const first = bytes[from]!;
    if (place >= 0 && (first === minus || (first >= zero && first <= nine))) {
      for (let at = from; at < places[record + place + 1]!; at++) piece[used++] = bytes[at]!;
      piece[used++] = newline;
      count++;
    } else if (place >= 0 && first !== beginNull) return undefined;
    record += 2 * form.names.length;
  }
  return { piece: piece.subarray(0, used), count };
}

/** A cell that begins with one of these may be a formula, or look protected. The last byte begins full-width characters. */
const formula = new Set([..."=+-@'"].map((sign) => sign.charCodeAt(0)).concat(0xef));

/** Returns the index of each field among a record's values. -1 if it has none, undefined if records must be parsed. */
function placesOf({ names }: RecordForm, fields: readonly OutputField[]): Int32Array | undefined {
  const places = fields.map(({ member, column }) => {
    const at = member === undefined ? -1 : names.indexOf(member);
    return at < 0 && (column || member === undefined) ? Number.NaN : 2 * at;
  });
  const there = places.filter((place) => place >= 0);
  if (places.some(Number.isNaN) || new Set(there).size < there.length) return undefined;
  return Int32Array.from(places);
}

/** Copies a value as a cell and returns its end. -1 if it needs more than copying. */
function copied(bytes: Buffer, from: number, to: number, room: Buffer, begin: number, delimiter: number): number {
  const first = bytes[from];
  let used = begin;
  if (first === quote) {
    if (formula.has(bytes[from + 1]!)) return -1;
    for (let at = from + 1; at < to - 1; at++) {
      const byte = bytes[at]!;
      if (byte === backslash || byte === delimiter) return -1;
      room[used++] = byte;
    }
  } else if (first === open || first === openList) return -1;
  else if (first !== beginNull) for (let at = from; at < to; at++) room[used++] = bytes[at]!;
  return used;
}

/** Returns the same text as `read` for all records, copied from their bytes. Undefined if a field must be parsed. */
export function unparsedRows(
  form: "csv" | "tsv",
  fields: readonly OutputField[],
  read: (record: Row) => string,
): (unparsed: UnparsedRecords) => Lines | undefined {
  const known = new Map<RecordForm, Int32Array | undefined>();
  const delimiter = form === "csv" ? comma : tab;
  return (unparsed) => {
    const { bytes, forms, places } = unparsed;
    for (const one of new Set(forms)) if (!known.has(one)) known.set(one, placesOf(one, fields));
    if (forms.some((one) => !known.get(one))) return undefined;
    // Each value is in one cell at most, so the cells of a record never need more room than the record.
    const room = Buffer.allocUnsafe(bytes.length + forms.length * (fields.length + 2));
    const pieces: OutputPiece[] = [];
    let [begun, row, record, begin] = [0, 0, 0, 0];
    for (const one of forms) {
      const columns = known.get(one)!;
      const count = columns.length;
      let used = row;
      for (let nth = 0; nth < count && used >= 0; nth++) {
        if (nth > 0) room[used++] = delimiter;
        const place = columns[nth]!;
        if (place >= 0)
          used = copied(bytes, places[record + place]!, places[record + place + 1]!, room, used, delimiter);
      }
      record += 2 * one.names.length;
      const end = places[record - 1]! + 1;
      // A single empty cell is quoted.
      if (used < 0 || (count === 1 && used === row)) {
        pieces.push(room.subarray(begun, row), read(JSON.parse(bytes.toString("utf8", begin, end))));
        begun = row;
      } else {
        if (form === "csv") room[used++] = carriageReturn;
        room[used++] = newline;
        row = used;
      }
      begin = end + 1;
    }
    pieces.push(room.subarray(begun, row));
    return { piece: joinPieces(pieces), count: forms.length };
  };
}
