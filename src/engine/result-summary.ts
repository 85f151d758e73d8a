/** Summarizes results: records, counts, and the failure that a run ends with. */
import { counted, joinFirst } from "../common/counted.ts";
import { errorRecord } from "../common/error-record.ts";
import { namesOf } from "../common/object-members.ts";
import { Cancelled, Conflict, type Failure, Partial, Refused, Unknown } from "../errors.ts";
import { answerWithoutSecrets, type Change, type ChangeResult, showsSecret } from "./change.ts";
import type { RowCounts } from "./journal.ts";
import { concernsAll } from "./transport.ts";

export function resultRecord(
  change: Change,
  result: ChangeResult,
  withSecrets = showsSecret(change),
): Record<string, unknown> {
  if (result.outcome !== "done") return { outcome: result.outcome, error: errorRecord(result.failure) };
  const { answer, ignored } = result;
  if (result.unchanged)
    return {
      outcome: "done",
      ...(Object.keys(answer).length && { answer }),
      unchanged: true,
      ...(change.differs && { differs: change.differs }),
    };
  return {
    outcome: "done",
    answer: withSecrets ? answer : answerWithoutSecrets(change.operation, answer),
    ...(ignored.length && { ignored }),
  };
}

/** A change and its result. */
export interface ChangeAndResult {
  change: Change;
  result: ChangeResult;
}

/** Returns the results of the single things in a request. */
export function singleResults({ change, result }: ChangeAndResult): ChangeAndResult[] {
  const { several } = change.operation;
  if (!several) return [{ change, result }];
  const parts = (resultOf: (target: string) => ChangeResult): ChangeAndResult[] =>
    several.of(change.args).map((target: string) => ({
      change: { ...change, target, args: several.only(change.args, target) },
      result: resultOf(target),
    }));
  if (result.outcome !== "refused") return parts(() => result);
  const { details } = result.failure;
  const { errors, ...more } = details.more ?? {};
  const refusal = several.readRefusal({ code: details.code, fields: { errors, ...more } });
  return parts((target) => {
    const why = refusal?.reasonOf(target);
    if (why === undefined) return refusal?.othersDone ? { outcome: "done", answer: {}, ignored: [] } : result;
    const failure = new Refused(why, { ...details, outcome: "not_applied", hint: undefined, more });
    return { outcome: "refused", failure };
  });
}

const words = {
  refused: "refused",
  unknown: "unknown",
  not_sent: "not sent",
  invalid: "invalid",
  conflict: "changed since",
};
type FailedOutcome = keyof typeof words;
type RowOutcome = "done" | FailedOutcome;

/** The largest number of names in a message. The result contains all. */
const mostNames = 10;

/** The result of a row, or of one of several changes. */
export interface ResultReport {
  target: string;
  outcome: RowOutcome;
  failure?: Failure | undefined;
  /** Only a part of it is done. */
  partly?: boolean;
  /** It was not sent because of another change. Its failure says which. */
  blocked?: boolean;
  /** The parameters that the server ignored. */
  ignored?: readonly string[];
  /** It was done already. */
  unchanged?: boolean;
}

export class Tally {
  readonly counts: RowCounts = { done: 0, refused: 0, unknown: 0, not_sent: 0, invalid: 0 };
  total = 0;
  ignored = 0;
  readonly #ignoredNames = new Set<string>();
  partly = 0;
  /** How many of those that are done were done already. */
  unchanged = 0;
  readonly #failed: (ResultReport & { outcome: FailedOutcome })[] = [];

  add({ outcome, ignored = [], unchanged, ...report }: ResultReport): void {
    this.total++;
    this.counts[outcome] = (this.counts[outcome] ?? 0) + 1;
    if (outcome === "done") {
      if (ignored.length) this.ignored++;
      for (const name of ignored) this.#ignoredNames.add(name);
      if (unchanged) this.unchanged++;
      return;
    }
    // A stopped run gives all unsent changes the same failure.
    const { partly = outcome !== "not_sent" && report.failure?.kind === "partial" } = report;
    if (partly) this.partly++;
    this.#failed.push({ ...report, outcome, partly });
  }

  /** The parameters that the server ignored. */
  get ignoredNames(): string {
    return joinFirst([...this.#ignoredNames], mostNames);
  }

  #firstFailure(outcome: FailedOutcome): Failure | undefined {
    return this.#failed.find((each) => each.outcome === outcome)?.failure;
  }

  /** The first failure that stopped the run. */
  get #stopReason(): Failure | undefined {
    return this.#failed.find(({ outcome, failure }) => failure && outcome !== "invalid" && concernsAll(failure))
      ?.failure;
  }

  /** Why the rest was not sent, if there is a rest. After a signal the user knows. */
  get why(): string | undefined {
    const reason = this.counts.not_sent ? this.#stopReason : undefined;
    return reason instanceof Cancelled ? undefined : reason?.message;
  }

  /** How many were not done, and which. */
  get message(): string {
    const { total, partly, counts, why } = this;
    const failed = this.#failed;
    // The reason for unsent changes is stated once.
    const names = failed.slice(0, mostNames).map(({ target, outcome, failure, partly, blocked }) => {
      const isPlain = outcome === "not_sent" && !partly && !blocked;
      return `${target}: ${isPlain ? words.not_sent : (failure?.message ?? words[outcome])}`;
    });
    const refusals = failed.filter(({ outcome }) => outcome === "refused");
    const [common, another] = new Set(refusals.map(({ failure }) => failure?.message));
    if (refusals.length >= mostNames && another === undefined)
      names.splice(0, names.length, `${refusals.length} refused alike: ${common}`);
    else if (failed.length > mostNames) names.push(`and ${failed.length - mostNames} more`);
    const kinds = namesOf(words).flatMap((kind) => (counts[kind] ? `${counts[kind]} ${words[kind]}` : []));
    const parts = partly ? `; ${partly} done in part` : "";
    const rest = why ? `. Rest not sent: ${why}` : "";
    return `${failed.length} of ${total} not done (${kinds.join(", ")}${parts}): ${names.join("; ")}${rest}`;
  }

  /** Returns the failure of the run. Undefined if everything is done. The caller handles ignored parameters. */
  failure(): Failure | undefined {
    const { total, counts, partly, message } = this;
    const failed = this.#failed;
    if (!failed.length) return undefined;
    const more = this.record();
    if (counts.unknown)
      return new Unknown(message, { hint: this.#firstFailure("unknown")?.details.hint, outcome: "unknown", more });
    const reason = this.#stopReason;
    const { hint } = reason?.details ?? {};
    // Changes that the server is too old for are refused without sending.
    const isRefusedThere = failed.some((e) => e.outcome === "refused" && e.failure?.details.outcome !== "not_sent");
    const someDone = counts.done + partly > 0;
    if (reason instanceof Cancelled) {
      const outcome = someDone || isRefusedThere ? undefined : reason.details.outcome;
      return new Cancelled(reason.message, reason.signal, { ...reason.details, outcome, more });
    }
    if (counts.conflict && failed.every(({ failure }) => failure?.kind === "conflict"))
      return new Conflict(message, { more });
    // Errors in the input or on this machine mean that nothing was sent.
    if (someDone || (isRefusedThere && reason?.kind === "usage")) return new Partial(message, { hint, more });
    if (reason) return reason;
    if (counts.refused < total) return new Partial(message, { hint, more });
    const { code, httpStatus, request } = (total === 1 && this.#firstFailure("refused")?.details) || {};
    const maybe = failed.some(({ failure }) => failure?.details.outcome === "maybe_partial");
    const outcome = maybe ? "maybe_partial" : "not_applied";
    const [common, ...others] = new Set(failed.map(({ failure }) => failure?.details.hint));
    return new Refused(message, { code, httpStatus, request, outcome, more, hint: others.length ? undefined : common });
  }

  /** Returns the counts as members of the JSON error. */
  record(): Record<string, number> {
    const { done, ...failed } = this.counts;
    return {
      done,
      ...(this.unchanged && { unchanged: this.unchanged }),
      ...(this.partly && { partly: this.partly }),
      ...failed,
    };
  }
}

/**
 * Says in a failure that the changes without an answer are made, as reading has shown. Returns false if it is about others
 * too. `now`: `everything is applied`.
 */
export function saysVerified(failure: Failure | undefined, now: string): boolean {
  const { done, unchanged, partly, unknown, journal, ...others } = failure?.details.more ?? {};
  const isOnly = failure instanceof Unknown && Object.values(others).every((count) => !count);
  if (!isOnly) return false;
  const count = Number(unknown);
  failure.message = `${count} of ${counted(Number(done) + count, "change")} had no answer. Verified: ${now}, but it is unknown by whom`;
  return true;
}

/**
 * Returns the failure of one command line: of a single change its own, of several the result of `failureOf`. Undefined if
 * all are done.
 */
export function overallFailure(
  all: readonly ChangeAndResult[],
  failureOf = (tally: Tally) => tally.failure(),
): Failure | undefined {
  const results = all.map(({ result }) => result);
  const [only] = results;
  if (results.length === 1 && only) return only.outcome === "done" ? undefined : only.failure;
  const tally = new Tally();
  const isBlocked = (result: ChangeResult) => result.outcome === "not_sent" && result.failure.kind === "refused";
  for (const { change, result } of all) tally.add({ ...result, target: change.target, blocked: isBlocked(result) });
  const failure = failureOf(tally);
  const [refusal] = results.flatMap((result) => (result.outcome === "refused" ? [result.failure.details] : []));
  const nothingDone = results.every((result) => result.outcome === "refused" || isBlocked(result));
  if (!(failure instanceof Partial) || !refusal || !nothingDone) return failure;
  // Changes that were blocked by a refusal end like the refusal.
  const { code, httpStatus, request } = refusal;
  return new Refused(failure.message, { code, httpStatus, request, outcome: "not_applied", more: tally.record() });
}
