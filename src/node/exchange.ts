/** Sends one request: connects undici's handler to a promise and a body. */
import { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { asError } from "../errors.ts";
import { type Cause, type HttpRequest, type HttpResponse, NoAnswer, type Upload } from "../world.ts";
import { clock } from "./clock.ts";
import { brokenOff } from "./connection-errors.ts";

type Controller = Dispatcher.DispatchController;

export class Exchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<HttpResponse>;
  readonly #request: HttpRequest;
  readonly #body = new Readable({
    highWaterMark: 256 * 1024,
    read: () => this.#goOn(),
    destroy: (error, callback) => {
      this.#fail("the rest of the answer was not wanted", "stopped");
      callback(error);
    },
  });
  #resolve!: (response: HttpResponse) => void;
  #reject!: (error: Error) => void;
  /** Known from the moment before the first byte is written. */
  #controller: Controller | undefined;
  #answered = false;
  #over = false;
  /** Why the answer ends, where it is not whole. */
  #failure: Error | undefined;
  #timer: NodeJS.Timeout | undefined;
  #left: number;
  #since = 0;
  /** Bytes of the answer that have not come; NaN where it does not say how long it is. */
  #missing = Number.NaN;
  /** When the last part came or left, where that is what the time limit counts from. */
  #heard = 0;
  #atEnd: (() => void) | undefined;
  readonly #stop = () => this.#fail("the request was stopped", "stopped");

  constructor(request: HttpRequest) {
    this.#request = request;
    this.#left = request.timeout;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // It may end before it has a connection.
    this.answer.catch(() => undefined);
    if (request.signal?.aborted) this.#stop();
    else {
      request.signal?.addEventListener("abort", this.#stop);
      this.#runClock();
    }
  }

  /** True when nobody waits for an answer any more. */
  get over(): boolean {
    return this.#over;
  }

  /** `work` is done when it is over, or at once where it is. */
  onEnd(work: () => void): void {
    if (this.#over) work();
    else this.#atEnd = work;
  }

  /** The bytes of a body. The time limit begins anew with each part, and what reading it throws the exchange ends with. */
  async *sending(upload: Upload): AsyncGenerator<Uint8Array> {
    try {
      for await (const part of upload.bytes()) {
        this.#heard = clock.monotonic();
        yield part;
      }
    } catch (error) {
      this.#end(asError(error));
      throw error;
    }
  }

  // undici calls this just before it writes. Without it nothing has left this machine.
  onRequestStart(controller: Controller): void {
    // A request that is over must not be written; nor must one that undici puts back into its queue and starts again.
    if (this.#over || this.#controller) {
      controller.abort(new Error("not wanted"));
      return;
    }
    try {
      this.#request.leaves?.();
      this.#controller = controller;
    } catch (error) {
      controller.abort(asError(error));
      this.#end(asError(error));
    }
  }

  onResponseStart(_: Controller, status: number, headers: Record<string, string | string[] | undefined>): void {
    if (this.#over || status < 200) return;
    this.#answered = true;
    const last: Record<string, string> = {};
    for (const [name, value] of Object.entries(headers)) {
      const one = Array.isArray(value) ? value.at(-1) : value;
      if (one !== undefined) last[name] = one;
    }
    this.#missing = Number(last["content-length"] ?? Number.NaN);
    this.#resolve({ status, headers: last, body: this.#parts() });
  }

  onResponseData(controller: Controller, chunk: Uint8Array): void {
    if (this.#over) return;
    if (this.#request.patient) this.#heard = clock.monotonic();
    this.#missing -= chunk.length;
    // After its last byte nothing is held back: undici takes the end of the connection for that of a paused answer.
    if (!this.#body.push(chunk) && this.#missing !== 0) {
      controller.pause();
      // A reader that takes its time, such as a pager, does not use up the server's.
      this.#stopClock();
    }
  }

  onResponseEnd(): void {
    // undici takes one more turn of the event loop until the connection can be used again. A reader that learns of the
    // end before that, and sends its next request, would have a second connection opened for it.
    queueMicrotask(() => setImmediate(() => this.#end()));
  }

  onResponseError(_: Controller, error: Error): void {
    if (error instanceof NoAnswer) this.#fail(error.message, error.why);
    else if (!this.#controller) this.#fail(`cannot send the request: ${error.message}`, "protocol");
    else this.#end(brokenOff(error, this.#answered));
  }

  /** All that came, and then the failure if there was one. */
  async *#parts(): AsyncGenerator<Uint8Array> {
    yield* this.#body;
    if (this.#failure) throw this.#failure;
  }

  #goOn(): void {
    if (this.#over || !this.#controller?.paused) return;
    if (this.#request.patient) this.#left = this.#request.timeout;
    this.#runClock();
    this.#controller.resume();
  }

  #runClock(): void {
    this.#since = clock.monotonic();
    this.#timer = setTimeout(
      () => {
        // Looked at when the time is up: a timer that is set anew with each part would cost more than the part.
        if (this.#heard > this.#since) {
          this.#left = this.#request.timeout - (clock.monotonic() - this.#heard);
          if (this.#left > 0) return this.#runClock();
        }
        const seconds = `${this.#request.timeout / 1000} seconds`;
        if (!this.#controller) this.#fail(`cannot connect within ${seconds}`, "timeout");
        else if (!this.#answered) this.#fail(`timed out after ${seconds}`, "timeout");
        else if (this.#request.patient) this.#fail(`no data for ${seconds}`, "timeout");
        else this.#fail(`its answer was not complete within ${seconds}`, "timeout");
      },
      Math.min(this.#left, 2 ** 31 - 1),
    );
  }

  #stopClock(): void {
    clearTimeout(this.#timer);
    this.#left = Math.max(0, this.#left - (clock.monotonic() - this.#since));
  }

  #fail(message: string, why: Cause): void {
    this.#end(new NoAnswer(message, why, this.#controller !== undefined));
  }

  #end(error?: Error): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    this.#request.signal?.removeEventListener("abort", this.#stop);
    this.#failure = error;
    if (!this.#body.destroyed) this.#body.push(null);
    if (error) {
      this.#reject(error);
      this.#controller?.abort(error);
    }
    this.#atEnd?.();
  }
}
