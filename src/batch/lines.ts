/** Bytes as lines of text. */
import { type ByteLine, byteLines } from "../byte-lines.ts";
import { Usage } from "../errors.ts";

export interface Line {
  /** From 1. */
  line: number;
  /** Without its end. */
  text: string;
  end: "\n" | "\r\n" | "";
}

/** Bytes of a line at most: what is longer is no list of rows. */
const longest = 8 * 1024 * 1024;

/** Lines end with LF or CRLF. Throws `Usage` for what is not UTF-8. A byte order mark is skipped. */
export async function* linesOf(name: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const lineOf = ({ line, bytes, ended }: ByteLine): Line => {
    let text: string;
    try {
      text = decoder.decode(bytes);
    } catch {
      throw new Usage(`${name}, line ${line}: not UTF-8 text`, { more: { file: name, line } });
    }
    if (line === 1) text = text.replace(/^\uFEFF/, "");
    if (!ended) return { line, text, end: "" };
    return text.endsWith("\r") ? { line, text: text.slice(0, -1), end: "\r\n" } : { line, text, end: "\n" };
  };
  const tooLong = (line: number) => new Usage(`${name}, line ${line}: no line may be longer than 8 MiB`);
  for await (const each of byteLines(chunks, { longest, tooLong })) yield lineOf(each);
}
