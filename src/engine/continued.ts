/** Calls that the server does in parts. Each repetition must leave less to do, or few more follow. */
import { Partial, undefinedOnFailure } from "../errors.ts";
import type { Continuation } from "../wire/operation.ts";
import { appliedResult, type ChangeResult } from "./change.ts";
import type { Request } from "./task.ts";
import type { Transport } from "./transport.ts";

/** The largest number of repetitions in a row without progress. */
const mostStalled = 5;

/** The repetitions of one call. */
export class Continued {
  #least = Number.POSITIVE_INFINITY;
  #stalled = 0;

  constructor(private readonly transport: Transport) {}

  /** Reads what is left after an unfinished call. Returns the result if nothing is left, or if repeating does not help. */
  async progress(
    { args, tasks }: Request,
    { read, argsOf, remaining }: Continuation<Record<string, unknown>>,
  ): Promise<"some" | ChangeResult> {
    const found = await undefinedOnFailure(this.transport.read(read, argsOf(args)));
    const left = found ? remaining(found) : this.#least;
    if (left === 0) return appliedResult;
    this.#stalled = left < this.#least ? 0 : this.#stalled + 1;
    this.#least = Math.min(this.#least, left);
    if (this.#stalled < mostStalled) return "some";
    const message = `the server did not finish: it was asked to continue ${mostStalled} times without progress; a part may be done`;
    const hint = `Check what is left with: ${tasks[0].change.verifyWith}`;
    return { outcome: "refused", failure: new Partial(message, { outcome: "maybe_partial", hint }) };
  }
}
