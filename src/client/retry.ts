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
    return told(verdict.retryAfter, attempt, random);
  }
  return attempt < tries && worthwhile(operation, verdict)
    ? { ms: 500 * 2 ** (attempt - 1) * (0.5 + random), limited: 0 }
    : undefined;
}

/** What the server says, but growing where it goes on saying next to nothing; without a number, growing from a second. */
function told(seconds: number | undefined, attempt: number, random: number): Pause {
  const growing = Math.min((seconds === undefined ? 1000 : 50) * 2 ** (attempt - 1), 30_000);
  const limited = Math.max((seconds ?? 0) * 1000, growing);
  return { ms: limited + 50 + random * 200, limited };
}

function worthwhile(operation: AnyOperation, verdict: Failed): boolean {
  if (verdict.kind !== "none") return reads(operation) && [502, 503, 504].includes(verdict.status);
  const { left, why } = verdict.failure;
  // Certificates do not change within seconds, and a time limit that has run out is the caller's own.
  if (why === "stopped" || why === "tls" || why === "timeout" || why === "protocol") return false;
  return !left || reads(operation);
}

/** Why a request is sent another time, for people. */
export function why(host: string, verdict: Verdict): string {
  if (verdict.kind === "none") return `no answer from ${host}: ${verdict.failure.message}`;
  if (verdict.kind === "success") return `${host} answered`;
  return verdict.status === 429 ? `${host} refuses more requests for now (429)` : `${host} answered ${verdict.status}`;
}

/** Why a request is held back, for people. */
export const paced = (host: string): string => `${host} limits the requests of this account`;
