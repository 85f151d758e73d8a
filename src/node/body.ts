/** The body of an answer between the network, which pushes, and one reader, who takes. */
export class Body implements AsyncIterable<Uint8Array>, AsyncIterator<Uint8Array> {
  readonly #chunks: Uint8Array[] = [];
  #held = 0;
  #ended = false;
  #error: Error | undefined;
  #wake: (() => void) | undefined;
  readonly #flow: { more(): void; abandon(): void };

  /** `more` is called when the reader has room again, `abandon` when it wants nothing further. */
  constructor(flow: { more(): void; abandon(): void }) {
    this.#flow = flow;
  }

  /** False when the reader lags behind and no more should be pushed until `more`. */
  push(chunk: Uint8Array): boolean {
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    this.#wake?.();
    return this.#held < 256 * 1024;
  }

  /** The reader still gets what came before. */
  end(error?: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#error = error;
    this.#wake?.();
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    for (;;) {
      const chunk = this.#chunks.shift();
      if (chunk) {
        this.#held -= chunk.length;
        if (this.#held < 64 * 1024) this.#flow.more();
        return { value: chunk, done: false };
      }
      if (this.#error) throw this.#error;
      if (this.#ended) return { value: undefined, done: true };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#chunks.length = 0;
    if (!this.#ended) {
      this.end();
      this.#flow.abandon();
    }
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
