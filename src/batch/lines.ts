/** Bytes as lines of text. */
import { Usage } from "../errors.ts";

export interface Line {
  /** From 1. */
  line: number;
  /** Without its end. */
  text: string;
  end: "\n" | "\r\n" | "";
}

const newline = 10;
/** Bytes of a line at most: what is longer is no list of rows. */
const longest = 8 * 1024 * 1024;

/** Lines end with LF or CRLF. Throws `Usage` for what is not UTF-8. A byte order mark is no text. */
export async function* linesOf(name: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let line = 0;
  const lineOf = (raw: Uint8Array, ended: boolean): Line => {
    line++;
    let text: string;
    try {
      text = decoder.decode(raw);
    } catch {
      throw new Usage(`${name}, line ${line}: this is not UTF-8 text`, { more: { file: name, line } });
    }
    if (line === 1) text = text.replace(/^\uFEFF/, "");
    if (!ended) return { line, text, end: "" };
    return text.endsWith("\r") ? { line, text: text.slice(0, -1), end: "\r\n" } : { line, text, end: "\n" };
  };
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of bytes) {
    const all = rest.length ? Buffer.concat([rest, chunk]) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    let from = 0;
    for (let to = all.indexOf(newline); to >= 0; to = all.indexOf(newline, from)) {
      yield lineOf(all.subarray(from, to), true);
      from = to + 1;
    }
    rest = all.subarray(from);
    if (rest.length > longest) throw new Usage(`${name}, line ${line + 1}: no line may be longer than 8 MiB`);
  }
  if (rest.length) yield lineOf(rest, false);
}
