/** Files and pipes that are read several times with the same content. */

import { createHash } from "node:crypto";
import { unreadableMessage } from "../argv/read-text.ts";
import { byteLines } from "../common/byte-lines.ts";
import { foreignContent, tellingBytes } from "../common/foreign-content.ts";
import { MiB } from "../common/unit-sizes.ts";
import { Failure, Usage } from "../errors.ts";
import type { Files } from "../world/world.ts";

export interface InputLine {
  /** From 1. */
  line: number;
  /** Without its line end. */
  text: string;
  end: "\n" | "\r\n" | "";
}

/** The largest line in bytes. A file with longer lines is not a list of rows. */
const maxLineBytes = 8 * MiB;

export class BatchInput {
  /** It is no part of the lines. Empty if the text has none. */
  byteOrderMark = "";
  #content: Uint8Array[] | undefined;

  constructor(
    /** The name in messages. */
    readonly name: string,
    private readonly open: () => AsyncIterable<Uint8Array>,
  ) {}

  /** A hash of the content. Undefined if it was not read to its end: a file may be missing. */
  get digest(): string | undefined {
    if (!this.#content) return undefined;
    const hash = createHash("sha256");
    for (const chunk of this.#content) hash.update(chunk);
    return hash.digest("hex");
  }

  /** Throws `Usage` if it cannot be read. */
  async *bytes(): AsyncGenerator<Uint8Array> {
    if (this.#content) return yield* this.#content;
    const content: Uint8Array[] = [];
    try {
      for await (const chunk of this.open()) {
        // Readers may reuse their buffer.
        content.push(Uint8Array.from(chunk));
        yield chunk;
      }
    } catch (error) {
      if (error instanceof Failure) throw error;
      throw new Usage(unreadableMessage(this.name, error), { cause: error });
    }
    this.#content = content;
  }

  /** Throws `Usage` if the first bytes are those of another kind of file. */
  async *#textBytes(): AsyncGenerator<Uint8Array> {
    const check = (bytes: Uint8Array) => {
      const foreign = foreignContent(bytes);
      if (foreign)
        throw new Usage(`${this.name} ${foreign.what}`, { hint: foreign.hint, more: { file: this.name, line: 1 } });
    };
    let beginning: Uint8Array | undefined = Buffer.alloc(0);
    for await (const chunk of this.bytes()) {
      if (!beginning) {
        yield chunk;
        continue;
      }
      beginning = Buffer.concat([beginning, chunk]);
      if (beginning.length < tellingBytes) continue;
      check(beginning);
      yield beginning;
      beginning = undefined;
    }
    if (!beginning) return;
    check(beginning);
    yield beginning;
  }

  /** Lines end with LF or CRLF. Throws `Usage` if the text is not UTF-8. A byte order mark is skipped. */
  async *lines(longest = maxLineBytes): AsyncGenerator<InputLine> {
    const { name } = this;
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    const tooLong = (line: number) =>
      new Usage(`${name}, line ${line}: no line may be longer than ${longest / MiB} MiB`);
    for await (const { line, bytes, hasNewline } of byteLines(this.#textBytes(), { longest, tooLong })) {
      let text: string;
      try {
        text = decoder.decode(bytes);
      } catch {
        const hint = 'Save it in the encoding UTF-8. Spreadsheet programs call it "CSV UTF-8".';
        throw new Usage(`${name}, line ${line}: not UTF-8 text`, { hint, more: { file: name, line } });
      }
      const column = text.indexOf("\0") + 1;
      if (column)
        throw new Usage(`${name}, line ${line}, column ${column}: contains U+0000`, { more: { file: name, line } });
      if (line === 1 && text.startsWith("\uFEFF")) {
        this.byteOrderMark = "\uFEFF";
        text = text.slice(1);
      }
      if (!hasNewline) yield { line, text, end: "" };
      else if (text.endsWith("\r")) yield { line, text: text.slice(0, -1), end: "\r\n" };
      else yield { line, text, end: "\n" };
    }
  }
}

/** Files that rows name. Each is read once. */
export class Attachments {
  readonly #inputs = new Map<string, BatchInput>();

  constructor(private readonly files: Pick<Files, "stream">) {}

  /** By path, in the order of rows. */
  digests(): [path: string, digest: string | undefined][] {
    return [...this.#inputs].map(([path, { digest }]) => [path, digest]);
  }

  stream(path: string): AsyncIterable<Uint8Array> {
    const input = this.#inputs.get(path) ?? new BatchInput(path, () => this.files.stream(path));
    this.#inputs.set(path, input);
    return input.bytes();
  }
}
