/** Decides whether a request is repeated: only a read, or a request that certainly did nothing. */
import { type AnyOperation, isRead } from "../wire/operation.ts";
import type { Failed, Verdict } from "./verdict.ts";

interface Pause {
  /** Milliseconds. */
  ms: number;
  /** The part that counts for `--max-wait`. */
  counted: number;
}

const maxAttempts = 4;

/**
 * Returns the pause before the next attempt. Undefined for none. `attempt` counts from 1, `random` is from 0 up to 1.
 */
export function pauseBefore(
  operation: AnyOperation,
  verdict: Verdict,
  attempt: number,
  random: number,
): Pause | undefined {
  if (verdict.kind === "success") return undefined;
  if (verdict.kind !== "none" && verdict.status === 429) {
    // Every refused login counts against the account.
    if (operation.effect === "login") return undefined;
    const { retryAfter } = verdict;
    const growing = Math.min((retryAfter === undefined ? 1000 : 50) * 2 ** (attempt - 1), 30_000);
    const counted = Math.max((retryAfter ?? 0) * 1000, growing);
    return { ms: counted + 50 + random * 200, counted };
  }
  return attempt < maxAttempts && isTransient(operation, verdict)
    ? { ms: 500 * 2 ** (attempt - 1) * (0.5 + random), counted: 0 }
    : undefined;
}

function isTransient(operation: AnyOperation, verdict: Failed): boolean {
  if (isPermanent(verdict)) return false;
  if (verdict.kind !== "none") return isRead(operation);
  const { maybeSent, why } = verdict.failure;
  // A timeout is the caller's.
  if (why === "stopped" || why === "timeout") return false;
  return !maybeSent || isRead(operation);
}

/** Returns whether another attempt would fail too: certificates and passwords do not change within seconds. */
export const isPermanent = (verdict: Failed): boolean =>
  verdict.kind === "none" ? ["tls", "protocol", "proxy"].includes(verdict.failure.why) : verdict.status < 500;

/** Describes why a request is repeated. */
export function describeFailure(host: string, verdict: Failed): string {
  if (verdict.kind === "none") return `no answer from ${host}: ${verdict.failure.message}`;
  return verdict.status === 429 ? `${host} refuses more requests for now (429)` : `${host} answered ${verdict.status}`;
}

/** Limits how long 429 answers delay a run. Overlapping waits count once. */
export class RetryBudget {
  /** The total in milliseconds. */
  readonly budget: number;
  #left: number;
  #until = Number.NEGATIVE_INFINITY;

  constructor(budget: number) {
    this.budget = budget;
    this.#left = budget;
  }

  /** Returns false if a wait of `ms` is longer than what is left. */
  spend(ms: number, now: number): boolean {
    const cost = Math.max(0, now + ms - Math.max(now, this.#until));
    if (cost > this.#left) return false;
    this.#left -= cost;
    this.#until = Math.max(this.#until, now + ms);
    return true;
  }
}
