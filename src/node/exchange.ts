/** One request and its answer: turns the events of undici into a promise and a body. */
import { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { asError } from "../errors.ts";
import { type Cause, type HttpRequest, type HttpResponse, NoAnswer, type Upload } from "../world/world.ts";
import { clock } from "./clock.ts";
import { connectionBroken, throughProxy } from "./connection-errors.ts";
import type { ProxyServer } from "./proxy.ts";

type Controller = Dispatcher.DispatchController;

export class Exchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<HttpResponse>;
  readonly #request: HttpRequest;
  readonly #body = new Readable({
    highWaterMark: 256 * 1024,
    read: () => this.#resume(),
    destroy: (error, callback) => {
      this.#fail("the rest of the answer was not wanted", "stopped");
      callback(error);
    },
  });
  #resolve!: (response: HttpResponse) => void;
  #reject!: (error: Error) => void;
  /** Set just before the first byte is written. */
  #controller: Controller | undefined;
  #hasAnswer = false;
  /** Nobody waits for an answer any more. */
  isOver = false;
  /** Why the answer is incomplete. */
  #failure: Error | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The rest of the timeout, and when it began to run, in milliseconds. */
  #remaining: number;
  #clockStart = 0;
  /** The bytes of the answer still to come. NaN if its length is unknown. */
  #bytesLeft = Number.NaN;
  /** When the last part came or left, if the timeout counts from there. */
  #lastPart = 0;
  #onEnd: (() => void) | undefined;
  readonly #stop = () => this.#fail("the request was stopped", "stopped");

  constructor(
    request: HttpRequest,
    readonly proxy?: ProxyServer,
  ) {
    this.#request = request;
    this.#remaining = request.timeout;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // It may end before anybody waits for it.
    this.answer.catch(() => undefined);
    if (request.signal?.aborted) this.#stop();
    else {
      request.signal?.addEventListener("abort", this.#stop);
      this.#runClock();
    }
  }

  /** Calls `work` at the end, or at once after it. */
  onEnd(work: () => void): void {
    if (this.isOver) work();
    else this.#onEnd = work;
  }

  /** Yields the bytes of a body. The timeout starts again with each part. An error of reading ends the exchange. */
  async *sending(upload: Upload): AsyncGenerator<Uint8Array> {
    try {
      for await (const part of upload.bytes()) {
        this.#lastPart = clock.monotonic();
        yield part;
      }
    } catch (error) {
      this.#end(asError(error));
      throw error;
    }
  }

  // undici calls this just before it writes. Before that, nothing was sent.
  onRequestStart(controller: Controller): void {
    // undici must not write a request that is over, and must not repeat one.
    if (this.isOver || this.#controller) {
      controller.abort(new Error("not wanted"));
      return;
    }
    try {
      this.#request.beforeSend?.();
      this.#controller = controller;
    } catch (error) {
      controller.abort(asError(error));
      this.#end(asError(error));
    }
  }

  onResponseStart(_: Controller, status: number, headers: Record<string, string | string[] | undefined>): void {
    if (this.isOver || status < 200) return;
    this.#hasAnswer = true;
    const last: Record<string, string> = {};
    for (const [name, value] of Object.entries(headers)) {
      const one = Array.isArray(value) ? value.at(-1) : value;
      if (one !== undefined) last[name] = one;
    }
    this.#bytesLeft = Number(last["content-length"] ?? Number.NaN);
    this.#resolve({ status, headers: last, body: this.#parts() });
  }

  onResponseData(controller: Controller, chunk: Uint8Array): void {
    if (this.isOver) return;
    if (this.#request.limitsSilence) this.#lastPart = clock.monotonic();
    this.#bytesLeft -= chunk.length;
    // It must not pause after the last byte: undici would take the end of the connection for an error.
    if (!this.#body.push(chunk) && this.#bytesLeft !== 0) {
      controller.pause();
      // A slow reader, such as a pager, does not use up the timeout.
      this.#stopClock();
    }
  }

  onResponseEnd(): void {
    // The connection can be used again only after a turn of the event loop. A reader that sends its next request before
    // that would get a second connection.
    queueMicrotask(() => setImmediate(() => this.#end()));
  }

  onResponseError(_: Controller, error: Error): void {
    if (error instanceof NoAnswer) this.#fail(error.message, error.why, error.hint);
    else if (!this.#controller) this.#fail(`cannot send the request: ${error.message}`, "protocol");
    else this.#end(connectionBroken(error, this.#hasAnswer));
  }

  /** Yields everything that came, then throws the failure, if any. */
  async *#parts(): AsyncGenerator<Uint8Array> {
    yield* this.#body;
    if (this.#failure) throw this.#failure;
  }

  #resume(): void {
    if (this.isOver || !this.#controller?.paused) return;
    if (this.#request.limitsSilence) this.#remaining = this.#request.timeout;
    this.#runClock();
    this.#controller.resume();
  }

  #runClock(): void {
    this.#clockStart = clock.monotonic();
    this.#timer = setTimeout(
      () => {
        // Setting the timer again with each part would be slow.
        if (this.#lastPart > this.#clockStart) {
          this.#remaining = this.#request.timeout - (clock.monotonic() - this.#lastPart);
          if (this.#remaining > 0) return this.#runClock();
        }
        const seconds = `${this.#request.timeout / 1000} seconds`;
        if (!this.#controller) this.#fail(`cannot connect${throughProxy(this.proxy)} within ${seconds}`, "timeout");
        else if (!this.#hasAnswer) this.#fail(`timed out after ${seconds}`, "timeout");
        else if (this.#request.limitsSilence) this.#fail(`no data for ${seconds}`, "timeout");
        else this.#fail(`its answer was not complete within ${seconds}`, "timeout");
      },
      Math.min(this.#remaining, 2 ** 31 - 1),
    );
  }

  #stopClock(): void {
    clearTimeout(this.#timer);
    this.#remaining = Math.max(0, this.#remaining - (clock.monotonic() - this.#clockStart));
  }

  #fail(message: string, why: Cause, hint?: string): void {
    this.#end(new NoAnswer(message, why, this.#controller !== undefined, hint));
  }

  #end(error?: Error): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.#timer);
    this.#request.signal?.removeEventListener("abort", this.#stop);
    this.#failure = error;
    if (!this.#body.destroyed) this.#body.push(null);
    if (error) {
      this.#reject(error);
      this.#controller?.abort(error);
    }
    this.#onEnd?.();
  }
}
