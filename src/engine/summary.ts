/** What became of changes, as records and as the failure that a run of them ends with. */
import { errorRecord } from "../error-record.ts";
import { Cancelled, Conflict, type Failure, Partial, Refused, Unknown } from "../errors.ts";
import { type Change, type ChangeResult, withoutSecrets } from "./change.ts";
import { concernsAll } from "./transport.ts";

/** The members of a result record for the outcome of a change. */
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

/** How many are named in a message; the result names them all. */
const most = 10;

interface Outcome {
  outcome: "done" | Lack;
  failure?: Failure;
  /** Something of it was done. */
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
    // A run that was stopped says so by a failure of the same kind, of all that it has not sent.
    const { partly = outcome !== "not_sent" && failure?.kind === "partial" } = result;
    if (partly) this.partly++;
    this.#undone.push({ ...result, outcome, target, partly });
  }

  /** The first failure that stopped the run. */
  get #stopper(): Failure | undefined {
    return this.#undone.find(({ outcome, failure }) => failure && outcome !== "invalid" && concernsAll(failure))
      ?.failure;
  }

  /** Why the rest was not sent, where there is a rest. A signal is known to whoever sent it. */
  get why(): string | undefined {
    const stopper = this.lacking.not_sent ? this.#stopper : undefined;
    return stopper instanceof Cancelled ? undefined : stopper?.message;
  }

  /** How many were not done, and which. */
  get message(): string {
    const { total, partly, lacking, why } = this;
    const undone = this.#undone.length;
    // Why nothing of them was sent is said once, for all.
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

  /** Undefined where everything was done. Ignored parameters are the caller's to judge. */
  failure(): Failure | undefined {
    const { total, done, partly, lacking, message } = this;
    const undone = this.#undone;
    if (!undone.length) return undefined;
    const more = this.counts();
    const first = (kind: Lack) => undone.find(({ outcome }) => outcome === kind)?.failure;
    if (lacking.unknown)
      return new Unknown(message, { hint: first("unknown")?.details.hint, outcome: "unknown", more });
    const stopper = this.#stopper;
    // What a server is too old for is refused without being sent.
    const refusedThere = undone.some((e) => e.outcome === "refused" && e.failure?.details.outcome !== "not_sent");
    if (stopper instanceof Cancelled) {
      const sent = done + partly > 0 || refusedThere;
      const outcome = sent ? undefined : stopper.details.outcome;
      return new Cancelled(stopper.message, stopper.signal, { ...stopper.details, outcome, more });
    }
    if (lacking.conflict && undone.every(({ failure }) => failure?.kind === "conflict"))
      return new Conflict(message, { more });
    const { hint } = stopper?.details ?? {};
    // What was wrong with the input or this machine says that nothing was sent.
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
  // Not sent because something that it needs was not done.
  const isKept = (result: ChangeResult) => result.outcome === "not_sent" && result.failure.kind === "refused";
  for (const [n, result] of results.entries()) tally.add(changes[n]!.target, { ...result, kept: isKept(result) });
  const failure = judge(tally);
  const [refusal] = results.flatMap((result) => (result.outcome === "refused" ? [result.failure.details] : []));
  const nothingDone = results.every((result) => result.outcome === "refused" || isKept(result));
  if (!(failure instanceof Partial) || !refusal || !nothingDone) return failure;
  // What was kept back for a refusal ends as the refusal does.
  const { code, httpStatus, request } = refusal;
  return new Refused(failure.message, { code, httpStatus, request, outcome: "not_applied", more: tally.counts() });
}
