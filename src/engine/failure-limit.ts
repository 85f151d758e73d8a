/** When a run is given up: after so many failures, or when nobody answers any more. */
import { type Failure, Partial, Unreachable } from "../errors.ts";

/** Requests in a row that got no answer, before the run is given up. */
const mostSilent = 20;

export class FailureLimit {
  readonly #most: number;
  #failures = 0;
  #silent = 0;

  /** After so many refused or unknown changes nothing new is sent. */
  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most;
  }

  /** So many changes were refused, or are unknown. Gives why nothing new is sent from now on, where that is so. */
  failed(changes: number): Failure | undefined {
    this.#failures += changes;
    if (!changes || this.#failures < this.#most) return undefined;
    return new Partial(`stopped after ${this.#failures === 1 ? "a failure" : `${this.#failures} failures`}`);
  }

  answered(): undefined {
    this.#silent = 0;
  }

  /** A request got no answer. */
  silent(): Failure | undefined {
    if (++this.#silent < mostSilent) return undefined;
    return new Unreachable(`the last ${mostSilent} requests got no answer`, { outcome: "not_sent" });
  }
}
