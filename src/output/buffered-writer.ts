import { Unreachable } from "../errors.ts";
import type { Output } from "../world/world.ts";

const flushSize = 64 * 1024;

/** Writing to stdout failed, although its reader is there. */
export class Unwritable extends Error {
  override readonly name = "Unwritable";
}

/** The failure of a command that has nothing else to report. */
export const unwritableFailure = (error: Unwritable): Unreachable =>
  new Unreachable(`cannot write the result to stdout: ${error.message}`, { cause: error });

/** Text or bytes. */
export type OutputPiece = string | Uint8Array;

export const write = async (output: Output, piece: OutputPiece): Promise<void> => {
  try {
    await output.write(piece);
  } catch (cause) {
    throw new Unwritable(cause instanceof Error ? cause.message : String(cause), { cause });
  }
};

export const joinPieces = (pieces: readonly OutputPiece[]): OutputPiece => {
  if (pieces.every((piece) => typeof piece === "string")) return pieces.join("");
  return Buffer.concat(pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece)));
};

/**
 * Joins small pieces into writes of about 64 KiB. It also writes when the event loop turns: slow sources are printed at
 * once, fast ones with few writes.
 */
export class BufferedWriter {
  #pieces: OutputPiece[] = [];
  #size = 0;
  #turn: NodeJS.Immediate | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(private readonly output: Output) {}

  /** Returns a promise if the reader is slow: await it before the next piece. */
  add(piece: OutputPiece): Promise<void> | undefined {
    this.#pieces.push(piece);
    this.#size += piece.length;
    if (this.#size >= flushSize) return this.end();
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
    const piece = joinPieces(this.#pieces);
    this.#pieces = [];
    this.#size = 0;
    this.#writing = this.#writing.then(() => write(this.output, piece));
    // `end` throws the error. Until then it must not count as unhandled.
    this.#writing.catch(() => {});
  }
}
