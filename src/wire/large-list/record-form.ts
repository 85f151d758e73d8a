/** The forms of records: the names of their members in order. */
import { compile } from "../fits.ts";
import { alternativesOf, type Shape, shapeOf } from "../shape.ts";
import type { Type } from "../types.ts";

export interface RecordForm {
  readonly names: readonly string[];
}

/** The kinds of values that the first byte tells, as bits. */
export const [textKind, integerKind, booleanKind, nullKind] = [1, 2, 4, 8];
const anyKind = textKind | integerKind | booleanKind | nullKind;

/** Returns the kinds whose values always have the type. Values of other kinds are parsed. */
function sureKinds(shape: Shape): number {
  const { type, pipe, wrapped } = shape;
  if (pipe) return pipe.every((part) => sureKinds(part) & integerKind) ? integerKind : 0;
  if (wrapped) return sureKinds(wrapped) | (type === "nullable" ? nullKind : 0);
  switch (type) {
    case "unknown":
      return anyKind;
    case "string":
      return textKind;
    case "number":
    case "safe_integer":
      return integerKind;
    case "boolean":
      return booleanKind;
    case "union":
      return alternativesOf(shape).reduce((all, option) => all | sureKinds(option), 0);
    default:
      return 0;
  }
}

/**
 * `{"a":` and `,"b":` are compared as numbers of eight bytes. The last number overlaps the one before. Shorter ones are
 * compared as two numbers of four bytes.
 */
export interface KnownForm extends RecordForm {
  readonly lengths: Int32Array;
  readonly words: Float64Array;
  /** The index of the first word of each member, and the end. */
  readonly from: Int32Array;
  readonly short: Uint32Array;
  readonly sure: Int32Array;
  readonly fits: readonly ((value: unknown) => boolean)[];
}

/** Returns the form of a record of the type. Undefined if a name needs escapes. */
export function formOf(names: readonly string[], type: Type): KnownForm | undefined {
  if (!names.length || names.some((name) => !/^[ !#-[\]-~]*$/.test(name))) return undefined;
  const entries = shapeOf(type).entries ?? {};
  const labels = names.map((name, at) => Buffer.from(`${at ? "," : "{"}"${name}":`));
  const words: number[] = [];
  const from: number[] = [];
  for (const label of labels) {
    from.push(words.length);
    for (let at = 0; at + 8 < label.length; at += 8) words.push(label.readDoubleLE(at));
    if (label.length >= 8) words.push(label.readDoubleLE(label.length - 8));
  }
  from.push(words.length);
  const shapes = names.map((name) => (Object.hasOwn(entries, name) ? entries[name] : undefined));
  return {
    names,
    lengths: Int32Array.from(labels, ({ length }) => length),
    words: Float64Array.from(words),
    from: Int32Array.from(from),
    short: Uint32Array.from(labels.flatMap((label) => [label.readUInt32LE(), label.readUInt32LE(label.length - 4)])),
    sure: Int32Array.from(shapes, (shape) => (shape ? sureKinds(shape) : anyKind)),
    fits: shapes.map((shape) => (shape ? compile(shape) : () => true)),
  };
}
