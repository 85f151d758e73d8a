/** Splits bytes into lines while they arrive. */

const newline = 10;

interface ByteLine {
  /** From 1. */
  line: number;
  /** Without its newline. */
  bytes: Buffer;
  /** False for a last line without a newline. */
  hasNewline: boolean;
}

/** `tooLong` makes the error for a line of more than `longest` bytes. */
export async function* byteLines(
  chunks: AsyncIterable<Uint8Array>,
  { longest, tooLong }: { longest: number; tooLong: (line: number) => Error },
): AsyncGenerator<ByteLine> {
  let line = 1;
  let rest: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    rest.push(chunk);
    size += chunk.length;
    if (chunk.includes(newline)) {
      const all = rest.length > 1 ? Buffer.concat(rest) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
      let from = 0;
      for (let to = all.indexOf(newline); to >= 0; from = to + 1, to = all.indexOf(newline, from))
        yield { line: line++, bytes: all.subarray(from, to), hasNewline: true };
      rest = [all.subarray(from)];
      size = all.length - from;
    }
    if (size > longest) throw tooLong(line);
  }
  if (size) yield { line, bytes: Buffer.concat(rest), hasNewline: false };
}

/**
 * Yields the lines of a file that is read from its end, the last one first. `chunks`: its parts, the last one first. A line of
 * more than `longest` bytes is undefined.
 */
export async function* linesFromEnd(
  chunks: AsyncIterable<Uint8Array>,
  longest: number,
): AsyncGenerator<Buffer | undefined> {
  /** The parts of a line whose beginning is not read yet, the last one first. */
  let parts: Uint8Array[] = [];
  let size = 0;
  const add = (part: Uint8Array) => {
    size += part.length;
    // A line that is too long is not kept.
    if (size > longest) parts = [];
    else if (part.length) parts.push(part);
  };
  const take = (): Buffer | undefined => {
    const line = size > longest ? undefined : Buffer.concat(parts.reverse());
    parts = [];
    size = 0;
    return line;
  };
  for await (const chunk of chunks) {
    const all = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    let to = all.length;
    while (to > 0) {
      const at = all.lastIndexOf(newline, to - 1);
      add(all.subarray(at + 1, to));
      if (at < 0) break;
      yield take();
      to = at;
    }
  }
  yield take();
}
