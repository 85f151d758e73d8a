/** Summarizes results: records, counts, and the failure that a run ends with. */
import { errorRecord } from "../error-record.ts";
import { Cancelled, Conflict, type Failure, Partial, Refused, Unknown } from "../errors.ts";
import { type Change, type ChangeResult, withoutSecrets } from "./change.ts";
import { concernsAll } from "./transport.ts";

/** Returns the members of a result record. */
export function outcome({ operation }: Pick<Change, "operation">, result: ChangeResult): Record<string, unknown> {
  if (result.outcome !== "done") return { outcome: result.outcome, error: errorRecord(result.failure) };
  if (result.unchanged) return { outcome: "done", unchanged: true };
  const { answer, ignored } = result;
  return { outcome: "done", answer: withoutSecrets(operation, answer), ...(ignored.length && { ignored }) };
}

const words = {
  refused: "refused",
  unknown: "unknown",
  not_sent: "not sent",
  invalid: "invalid",
  conflict: "changed by somebody else",
};
export type Lack = keyof typeof words;
const lacks: readonly Lack[] = ["refused", "unknown", "not_sent", "invalid", "conflict"];

/** The largest number of names in a message. The result contains all. */
const most = 10;

interface Outcome {
  outcome: "done" | Lack;
  failure?: Failure;
  /** Something of it was done. */
  partly?: boolean;
  /** It was not sent because of another change. Its failure says which. */
  kept?: boolean;
}

/** Counts results as they arrive. */
export class Tally {
  total = 0;
  done = 0;
  /** Done, but the server ignored parameters. */
  ignored = 0;
  /** Not done, but a part of it was. */
  partly = 0;
  readonly lacking: Record<Exclude<Lack, "conflict">, number> & { conflict?: number } = {
    refused: 0,
    unknown: 0,
    not_sent: 0,
    invalid: 0,
  };
  readonly #undone: (Outcome & { outcome: Lack; target: string })[] = [];

  add(target: string, result: Outcome, ignored = false): void {
    const { outcome, failure } = result;
    this.total++;
    if (outcome === "done") {
      this.done++;
      if (ignored) this.ignored++;
      return;
    }
    this.lacking[outcome] = (this.lacking[outcome] ?? 0) + 1;
    // A stopped run gives all unsent changes the same failure.
    const { partly = outcome !== "not_sent" && failure?.kind === "partial" } = result;
    if (partly) this.partly++;
    this.#undone.push({ ...result, outcome, target, partly });
  }

  /** The first failure that stopped the run. */
  get #stopper(): Failure | undefined {
    return this.#undone.find(({ outcome, failure }) => failure && outcome !== "invalid" && concernsAll(failure))
      ?.failure;
  }

  /** Why the rest was not sent, if there is a rest. After a signal the user knows. */
  get why(): string | undefined {
    const stopper = this.lacking.not_sent ? this.#stopper : undefined;
    return stopper instanceof Cancelled ? undefined : stopper?.message;
  }

  /** How many were not done, and which. */
  get message(): string {
    const { total, partly, lacking, why } = this;
    const undone = this.#undone.length;
    // The reason for unsent changes is stated once.
    const named = this.#undone.slice(0, most).map(({ target, outcome, failure, partly, kept }) => {
      const plain = outcome === "not_sent" && !partly && !kept;
      return `${target}: ${plain ? words.not_sent : (failure?.message ?? words[outcome])}`;
    });
    const all = [...named, ...(undone > most ? [`and ${undone - most} more`] : [])].join("; ");
    const counted = lacks.filter((kind) => lacking[kind]);
    const kinds = counted.map((kind) => `${lacking[kind]} ${words[kind]}`).join(", ");
    const parts = partly ? `; ${partly} done in part` : "";
    return `${undone} of ${total} not done (${kinds}${parts}): ${all}${why ? `. Rest not sent: ${why}` : ""}`;
  }

  /** Returns the failure of the run. Undefined if everything is done. The caller handles ignored parameters. */
  failure(): Failure | undefined {
    const { total, done, partly, lacking, message } = this;
    const undone = this.#undone;
    if (!undone.length) return undefined;
    const more = this.counts();
    const first = (kind: Lack) => undone.find(({ outcome }) => outcome === kind)?.failure;
    if (lacking.unknown)
      return new Unknown(message, { hint: first("unknown")?.details.hint, outcome: "unknown", more });
    const stopper = this.#stopper;
    // Changes that the server is too old for are refused without sending.
    const refusedThere = undone.some((e) => e.outcome === "refused" && e.failure?.details.outcome !== "not_sent");
    if (stopper instanceof Cancelled) {
      const sent = done + partly > 0 || refusedThere;
      const outcome = sent ? undefined : stopper.details.outcome;
      return new Cancelled(stopper.message, stopper.signal, { ...stopper.details, outcome, more });
    }
    if (lacking.conflict && undone.every(({ failure }) => failure?.kind === "conflict"))
      return new Conflict(message, { more });
    const { hint } = stopper?.details ?? {};
    // Errors in the input or on this machine mean that nothing was sent.
    if (done || partly || (refusedThere && stopper?.kind === "usage")) return new Partial(message, { hint, more });
    if (stopper) return stopper;
    if (lacking.refused < total) return new Partial(message, { hint, more });
    const { code, httpStatus, request } = (total === 1 && first("refused")?.details) || {};
    const maybe = undone.some(({ failure }) => failure?.details.outcome === "maybe_partial");
    return new Refused(message, { code, httpStatus, request, outcome: maybe ? "maybe_partial" : "not_applied", more });
  }

  counts(): Record<string, number> {
    return { done: this.done, ...(this.partly && { partly: this.partly }), ...this.lacking };
  }
}

/**
 * Returns the failure of one command line: of a single change its own, of several the result of `failureOf`. Undefined if
 * all are done.
 */
export function overallFailure(
  changes: readonly Change[],
  results: readonly ChangeResult[],
  failureOf = (tally: Tally) => tally.failure(),
): Failure | undefined {
  const [only] = results;
  if (results.length === 1 && only) return only.outcome === "done" ? undefined : only.failure;
  const tally = new Tally();
  // Not sent because a requirement was not done.
  const isKept = (result: ChangeResult) => result.outcome === "not_sent" && result.failure.kind === "refused";
  for (const [n, result] of results.entries()) tally.add(changes[n]!.target, { ...result, kept: isKept(result) });
  const failure = failureOf(tally);
  const [refusal] = results.flatMap((result) => (result.outcome === "refused" ? [result.failure.details] : []));
  const nothingDone = results.every((result) => result.outcome === "refused" || isKept(result));
  if (!(failure instanceof Partial) || !refusal || !nothingDone) return failure;
  // Changes kept back after a refusal end like the refusal.
  const { code, httpStatus, request } = refusal;
  return new Refused(failure.message, { code, httpStatus, request, outcome: "not_applied", more: tally.counts() });
}
