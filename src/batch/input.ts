/** A file or pipe that is read more than once and gives the same each time. */
import { createHash } from "node:crypto";
import { unreadable } from "../argv/text.ts";
import { Failure, Usage } from "../errors.ts";

export class Input {
  /** What messages call it. */
  readonly name: string;
  readonly #open: () => AsyncIterable<Uint8Array>;
  #kept: Uint8Array[] | undefined;

  constructor(name: string, open: () => AsyncIterable<Uint8Array>) {
    this.name = name;
    this.#open = open;
  }

  /** A hash of all of it; throws where it was not read to its end yet. */
  get digest(): string {
    if (!this.#kept) throw new Error(`${this.name} was not read yet`);
    const hash = createHash("sha256");
    for (const chunk of this.#kept) hash.update(chunk);
    return hash.digest("hex");
  }

  /** Throws `Usage` where it cannot be read. */
  async *bytes(): AsyncGenerator<Uint8Array> {
    if (this.#kept) return yield* this.#kept;
    const kept: Uint8Array[] = [];
    try {
      for await (const chunk of this.#open()) {
        // Whoever reads may use its buffer again.
        kept.push(Uint8Array.from(chunk));
        yield chunk;
      }
    } catch (error) {
      if (error instanceof Failure) throw error;
      throw new Usage(unreadable(this.name, error), { cause: error });
    }
    this.#kept = kept;
  }
}
