import { Unreachable } from "../errors.ts";
import type { Output } from "../world.ts";

const full = 64 * 1024;

/** stdout did not take what was to be written, for another reason than that its reader has gone. */
export class Unwritable extends Error {
  override readonly name = "Unwritable";
}

/** What it means for a command that has nothing else to tell. */
export const unwritten = (error: Unwritable): Unreachable =>
  new Unreachable(`cannot write the result to stdout: ${error.message}`, { cause: error });

export const write = async (output: Output, text: string | Uint8Array): Promise<void> => {
  try {
    await output.write(text);
  } catch (cause) {
    throw new Unwritable(cause instanceof Error ? cause.message : String(cause), { cause });
  }
};

/**
 * Gathers small pieces into writes of about 64 KiB. What is gathered also goes out when the event loop turns, so a
 * slow source is printed as it comes and a fast one costs few writes.
 */
export class BufferedWriter<T> {
  #pieces: T[] = [];
  #size = 0;
  #turn: NodeJS.Immediate | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly output: Output,
    private readonly render: (pieces: T[]) => string | Uint8Array,
    private readonly size: (piece: T) => number,
  ) {}

  /** A promise where the reader is behind: wait for it before the next piece. */
  add(piece: T): Promise<void> | undefined {
    this.#pieces.push(piece);
    this.#size += this.size(piece);
    if (this.#size >= full) return this.end();
    this.#turn ??= setImmediate(() => this.#flush());
    return undefined;
  }

  /** Resolves when everything is written. */
  end(): Promise<void> {
    this.#flush();
    return this.#writing;
  }

  #flush(): void {
    clearImmediate(this.#turn);
    this.#turn = undefined;
    if (!this.#pieces.length) return;
    const text = this.render(this.#pieces);
    this.#pieces = [];
    this.#size = 0;
    this.#writing = this.#writing.then(() => write(this.output, text));
    // Whoever waits for `end` hears of it; until then it must not count as unhandled.
    this.#writing.catch(() => {});
  }
}

/** Text, or the bytes of it. */
export type Piece = string | Uint8Array;

export const joined = (pieces: readonly Piece[]): Piece => {
  if (pieces.every((piece) => typeof piece === "string")) return pieces.join("");
  return Buffer.concat(pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece)));
};

export const bufferedTexts = (output: Output): BufferedWriter<Piece> =>
  new BufferedWriter(output, joined, ({ length }) => length);
