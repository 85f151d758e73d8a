/** What became of changes, as records and as the failure that a run of them ends with. */
import { errorRecord } from "../error-record.ts";
import { Cancelled, Conflict, type Failure, Partial, Refused, Unknown } from "../errors.ts";
import type { Change, ChangeResult } from "./change.ts";
import { concernsAll } from "./transport.ts";

/** The members of a result record that tell what became of it. */
export function outcome(result: ChangeResult): Record<string, unknown> {
  if (result.outcome !== "done") return { outcome: result.outcome, error: errorRecord(result.failure) };
  if (result.unchanged) return { outcome: "done", unchanged: true };
  const { answer, ignored } = result;
  return { outcome: "done", answer, ...(ignored.length && { ignored }) };
}

const words = {
  refused: "refused",
  unknown: "unknown",
  not_sent: "not sent",
  invalid: "invalid",
  conflict: "changed by somebody else",
};
export type Lack = keyof typeof words;
const lacks = ["refused", "unknown", "not_sent", "invalid", "conflict"] as const satisfies readonly Lack[];

/** How many are named in a message; the result names them all. */
const most = 10;

interface Outcome {
  outcome: "done" | Lack;
  failure?: Failure;
  /** Something of it was done; where that is not said, the failure tells. */
  partly?: boolean;
  /** It was not sent because of what became of another change, which its failure says. */
  kept?: boolean;
}

/** Counts outcomes as they come. */
export class Tally {
  total = 0;
  done = 0;
  /** Done, but for parameters that the server ignored. */
  ignored = 0;
  /** Not done, though something of it was. */
  partly = 0;
  /** The server may have done something of what it has refused. */
  #maybePartly = false;
  readonly lacking: Record<Exclude<Lack, "conflict">, number> & { conflict?: number } = {
    refused: 0,
    unknown: 0,
    not_sent: 0,
    invalid: 0,
  };
  /** Those that are in a conflict, or depend on one that is. */
  #conflicts = 0;
  readonly #named: string[] = [];
  #unknown: Failure | undefined;
  #refused: Failure | undefined;
  #stopper: Failure | undefined;
  /** Something that was refused had been sent: what a server is too old for never is. */
  #refusedThere = false;

  add(target: string, { outcome, failure, partly, kept = false }: Outcome, ignored = false): void {
    this.total++;
    if (outcome === "done") {
      this.done++;
      if (ignored) this.ignored++;
      return;
    }
    this.lacking[outcome] = (this.lacking[outcome] ?? 0) + 1;
    if (failure?.kind === "conflict") this.#conflicts++;
    // A run that was stopped says so by a failure of the same kind, of all that it has not sent.
    const inPart = outcome === "not_sent" ? Boolean(failure?.details.more?.done) : failure?.kind === "partial";
    if (partly ?? inPart) this.partly++;
    if (failure?.details.outcome === "maybe_partial") this.#maybePartly = true;
    // Why nothing of them was sent is told once, for all.
    const plain = outcome === "not_sent" && !failure?.details.more?.done && !kept;
    const said = plain ? words.not_sent : (failure?.message ?? words[outcome]);
    if (this.#named.length < most) this.#named.push(`${target}: ${said}`);
    if (outcome === "unknown") this.#unknown ??= failure;
    if (outcome === "refused") {
      this.#refused ??= failure;
      this.#refusedThere ||= failure?.details.outcome !== "not_sent";
    }
    if (failure && outcome !== "invalid" && concernsAll(failure)) this.#stopper ??= failure;
  }

  /** Why the rest was not sent, where there is a rest. A signal is known to whoever sent it. */
  get why(): string | undefined {
    const stopper = this.lacking.not_sent ? this.#stopper : undefined;
    return stopper instanceof Cancelled ? undefined : stopper?.message;
  }

  /** How many were not done, and which. */
  get message(): string {
    const { total, done, partly, lacking, why } = this;
    const more = total - done - this.#named.length;
    const named = `${this.#named.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
    const counted = lacks.filter((kind) => (lacking[kind] ?? 0) > 0);
    const kinds = counted.map((kind) => `${lacking[kind]} ${words[kind]}`).join(", ");
    const parts = partly ? `; ${partly} done in part` : "";
    return `${total - done} of ${total} not done (${kinds}${parts}): ${named}${why ? `. Rest not sent: ${why}` : ""}`;
  }

  /** Undefined where everything was done. Ignored parameters are the caller's to judge. */
  failure(): Failure | undefined {
    const { total, done, partly, lacking, message } = this;
    if (done === total) return undefined;
    if (lacking.unknown)
      return new Unknown(message, { hint: this.#unknown?.details.hint, outcome: "unknown", more: this.counts() });
    if (this.#stopper instanceof Cancelled) return this.#interrupted(this.#stopper);
    if (lacking.conflict && this.#conflicts === total - done) return new Conflict(message, { more: this.counts() });
    const { hint } = this.#stopper?.details ?? {};
    // What was wrong with the input or this machine says that nothing was sent.
    const sent = this.#refusedThere && this.#stopper?.kind === "usage";
    if (done > 0 || partly > 0 || sent) return new Partial(message, { hint, more: this.counts() });
    if (this.#stopper) return this.#stopper;
    if (lacking.refused < total) return new Partial(message, { hint, more: this.counts() });
    const { code, httpStatus, request } = (total === 1 && this.#refused?.details) || {};
    const outcome = this.#maybePartly ? "maybe_partial" : "not_applied";
    return new Refused(message, { code, httpStatus, request, outcome, more: this.counts() });
  }

  /** That one change was not sent says nothing of those before it. */
  #interrupted({ message, signal, details }: Cancelled): Cancelled {
    const sent = this.done + this.partly > 0 || this.#refusedThere;
    return new Cancelled(message, signal, {
      ...details,
      outcome: sent ? undefined : details.outcome,
      more: this.counts(),
    });
  }

  counts(): Record<string, number> {
    return { done: this.done, ...(this.partly && { partly: this.partly }), ...this.lacking };
  }
}

/** It was not sent because something that it needs was not done. */
const isKept = (result: ChangeResult): boolean => result.outcome === "not_sent" && result.failure.kind === "refused";

/**
 * The failure that the changes of one command line end with: of one alone its own, of several what `judge` makes of
 * their tally. Undefined where all were done.
 */
export function overallFailure(
  changes: readonly Change[],
  results: readonly ChangeResult[],
  judge = (tally: Tally) => tally.failure(),
): Failure | undefined {
  const [only] = results;
  if (results.length === 1 && only) return only.outcome === "done" ? undefined : only.failure;
  const tally = new Tally();
  const kept = results.map(isKept);
  for (const [n, result] of results.entries()) tally.add(changes[n]!.target, { ...result, kept: kept[n] ?? false });
  const failure = judge(tally);
  const [refusal] = results.flatMap((result) => (result.outcome === "refused" ? [result.failure.details] : []));
  const nothingDone = results.every(({ outcome }, n) => outcome === "refused" || kept[n]);
  if (!(failure instanceof Partial) || !refusal || !nothingDone) return failure;
  // What was kept back for a refusal ends as the refusal does.
  const { code, httpStatus, request } = refusal;
  return new Refused(failure.message, { code, httpStatus, request, outcome: "not_applied", more: tally.counts() });
}
