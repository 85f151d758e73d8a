/** When a request is sent another time: only where the first certainly did nothing, or is a read. */
import { type AnyOperation, reads } from "../wire/operation.ts";
import type { Failed, Verdict } from "./verdict.ts";

export interface Pause {
  /** Milliseconds. */
  ms: number;
  /** The part of it that `--max-wait` limits. */
  limited: number;
}

const tries = 4;

/** The pause before the next try; undefined where there is none. `attempt` counts from 1, `random` goes from 0 up to 1. */
export function pauseBefore(
  operation: AnyOperation,
  verdict: Verdict,
  attempt: number,
  random: number,
): Pause | undefined {
  if (verdict.kind === "success") return undefined;
  if (verdict.kind !== "none" && verdict.status === 429) {
    // A refused log-in counts against the account, whatever it was refused for.
    if (operation.effect === "login") return undefined;
    const { retryAfter } = verdict;
    const growing = Math.min((retryAfter === undefined ? 1000 : 50) * 2 ** (attempt - 1), 30_000);
    const limited = Math.max((retryAfter ?? 0) * 1000, growing);
    return { ms: limited + 50 + random * 200, limited };
  }
  return attempt < tries && worthwhile(operation, verdict)
    ? { ms: 500 * 2 ** (attempt - 1) * (0.5 + random), limited: 0 }
    : undefined;
}

function worthwhile(operation: AnyOperation, verdict: Failed): boolean {
  if (verdict.kind !== "none") return reads(operation) && [502, 503, 504].includes(verdict.status);
  const { left, why } = verdict.failure;
  // Certificates do not change within seconds, and a time limit that has run out is the caller's own.
  if (why === "stopped" || why === "tls" || why === "timeout" || why === "protocol") return false;
  return !left || reads(operation);
}

/** Why a request is sent another time, for people. */
export function why(host: string, verdict: Failed): string {
  if (verdict.kind === "none") return `no answer from ${host}: ${verdict.failure.message}`;
  return verdict.status === 429 ? `${host} refuses more requests for now (429)` : `${host} answered ${verdict.status}`;
}

/** How long 429 answers may hold up a whole run. Waits that overlap cost once: reads may go side by side. */
export class RetryBudget {
  /** Milliseconds in all. */
  readonly budget: number;
  #left: number;
  #until = Number.NEGATIVE_INFINITY;

  constructor(budget: number) {
    this.budget = budget;
    this.#left = budget;
  }

  /** False, and nothing taken, where a wait of `ms` from `now` on is longer than what is left. */
  spend(ms: number, now: number): boolean {
    const cost = Math.max(0, now + ms - Math.max(now, this.#until));
    if (cost > this.#left) return false;
    this.#left -= cost;
    this.#until = Math.max(this.#until, now + ms);
    return true;
  }
}
