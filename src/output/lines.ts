/** Records as lines without reading them. */
import type { Form } from "../wire/large-list/form.ts";
import type { Skimmed } from "../wire/large-list/skimmed.ts";
import type { Lines } from "./write-records.ts";

const [newline, minus, zero, nine, beginNull] = [0x0a, 0x2d, 0x30, 0x39, 0x6e];

/** Each in the very text that it came in. */
export function linesOf({ bytes, forms, places }: Skimmed): Lines<Uint8Array> {
  const piece = Buffer.allocUnsafe(bytes.length + 1);
  piece.set(bytes);
  let at = 0;
  for (const { names } of forms) {
    at += 2 * names.length;
    // Its last value ends here, and then comes the brace.
    piece[places[at - 1]! + 1] = newline;
  }
  return { piece, count: forms.length };
}

/** Letters of a number as JSON has it, at most: a sign, seventeen digits, a point, an exponent. */
const longest = 25;

/** The numbers that stand as `member`, one a line; undefined where other values do. */
export function numbersOf(member: string, { bytes, forms, places }: Skimmed): Lines<Uint8Array> | undefined {
  const piece = Buffer.allocUnsafe(forms.length * (longest + 1));
  let used = 0;
  let count = 0;
  let form: Form | undefined;
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
