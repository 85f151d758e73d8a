/** Recognizes files that are not UTF-8 text by their bytes: people get them from other programs under any name. */

interface ForeignContent {
  /** Follows the name of the file. */
  readonly what: string;
  readonly hint: string;
}

const asCsv = 'Save the table as "CSV UTF-8", and pass that file.';
/** Says how to save a text that has another encoding. */
export const asUtf8 = 'Save it in the encoding UTF-8. Spreadsheet programs call it "CSV UTF-8".';

/** So many bytes tell what a file is. */
export const tellingBytes = 512;

const utf32: ForeignContent = { what: "is UTF-32 text, not UTF-8", hint: asUtf8 };
const utf16: ForeignContent = { what: "is UTF-16 text, not UTF-8", hint: asUtf8 };

const signatures: readonly [bytes: readonly number[], content: ForeignContent][] = [
  [[0x50, 0x4b, 3, 4], { what: "is a zip archive or a spreadsheet (xlsx, ods), not text", hint: asCsv }],
  [[0xd0, 0xcf, 0x11, 0xe0], { what: "is a spreadsheet (xls), not text", hint: asCsv }],
  [[0x1f, 0x8b], { what: "is compressed (gzip), not text", hint: "Decompress it first, such as with gunzip." }],
  [[0x25, 0x50, 0x44, 0x46, 0x2d], { what: "is a PDF file, not text", hint: asCsv }],
  [[0xff, 0xfe, 0, 0], utf32],
  [[0, 0, 0xfe, 0xff], utf32],
  [[0xff, 0xfe], utf16],
  [[0xfe, 0xff], utf16],
];

/** UTF-16 has a zero byte beside each ASCII character, always on the same side. UTF-8 text has none. */
function isUtf16(bytes: Uint8Array): boolean {
  const sides = [0, 0];
  for (const [at, byte] of bytes.entries()) if (byte === 0) sides[at % 2]!++;
  const [even = 0, odd = 0] = sides;
  return even + odd > 1 && (even === 0 || odd === 0);
}

/** Judges the first bytes of a file, or all of them. Undefined for what may be UTF-8 text. */
export function foreignContent(bytes: Uint8Array): ForeignContent | undefined {
  const beginning = bytes.subarray(0, tellingBytes);
  const known = signatures.find(([signature]) => signature.every((byte, at) => beginning[at] === byte));
  if (known) return known[1];
  return isUtf16(beginning) ? { what: "is UTF-16 text without a byte order mark, not UTF-8", hint: asUtf8 } : undefined;
}

/** The same for a text in which U+FFFD stands for bytes that are not UTF-8. */
export const foreignText = (text: string): ForeignContent | undefined =>
  foreignContent(Buffer.from(text.slice(0, tellingBytes).replace(/^\ufffd\ufffd/, "\xff\xfe"), "latin1"));

/** Returns the line and the column of the first U+0000 of a text, which no server stores. Undefined without one. */
export function placeOfNull(text: string): string | undefined {
  const at = text.indexOf("\0");
  if (at < 0) return undefined;
  const before = text.slice(0, at).split("\n");
  return `line ${before.length}, column ${before.at(-1)!.length + 1}`;
}
