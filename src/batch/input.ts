/** A file or pipe that is read more than once and gives the same each time. */
import { createHash } from "node:crypto";
import { unreadable } from "../argv/text.ts";
import { Failure, Usage } from "../errors.ts";

const MiB = 1024 * 1024;
/** Up to so many bytes are kept. What is larger is opened again, and must not have changed meanwhile. */
const most = 32 * MiB;

const digestOf = (block: Uint8Array): string => createHash("sha256").update(block).digest("base64");

/** The same bytes in blocks of one MiB, whatever pieces they come in. */
async function* blocksOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let pieces: Uint8Array[] = [];
  let size = 0;
  for await (let rest of bytes) {
    while (size + rest.length >= MiB) {
      pieces.push(rest.subarray(0, MiB - size));
      rest = rest.subarray(MiB - size);
      yield Buffer.concat(pieces);
      pieces = [];
      size = 0;
    }
    if (rest.length) pieces.push(rest);
    size += rest.length;
  }
  if (size) yield Buffer.concat(pieces);
}

export class Input {
  /** What messages call it. */
  readonly name: string;
  readonly #open: () => AsyncIterable<Uint8Array>;
  readonly #once: boolean;
  #digests: string[] | undefined;
  #kept: Buffer[] | undefined;

  /** `once`: it cannot be opened again, so all of it is kept. */
  constructor(name: string, open: () => AsyncIterable<Uint8Array>, { once = false } = {}) {
    this.name = name;
    this.#open = open;
    this.#once = once;
  }

  /** A hash of all of it; throws where it was not read to its end yet. */
  get digest(): string {
    if (!this.#digests) throw new Error(`${this.name} was not read yet`);
    return createHash("sha256").update(this.#digests.join(" ")).digest("hex");
  }

  /** Throws `Usage` where it cannot be read, or is not what it was the first time. */
  async *bytes(): AsyncGenerator<Uint8Array> {
    if (this.#kept) {
      yield* this.#kept;
      return;
    }
    const before = this.#digests;
    const digests: string[] = [];
    const kept: Buffer[] = [];
    for await (const block of blocksOf(this.#readable())) {
      digests.push(digestOf(block));
      if (before && before[digests.length - 1] !== digests.at(-1)) throw this.#changed();
      if (!before && (this.#once || digests.length * MiB <= most)) kept.push(block);
      yield block;
    }
    if (before && before.length !== digests.length) throw this.#changed();
    this.#digests = digests;
    if (kept.length === digests.length) this.#kept = kept;
  }

  async *#readable(): AsyncGenerator<Uint8Array> {
    try {
      yield* this.#open();
    } catch (error) {
      if (error instanceof Failure) throw error;
      throw new Usage(unreadable(this.name, error as NodeJS.ErrnoException), { cause: error });
    }
  }

  #changed(): Usage {
    return new Usage(`${this.name} changed after it was checked`, { outcome: "not_sent" });
  }
}
