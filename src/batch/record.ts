/** The results and the exit code of rows. */
import { type Change, type ChangeResult, createdBy, sentenceOf, withoutSecrets, worstOf } from "../engine/change.ts";
import { type Lack, outcome, overallFailure } from "../engine/summary.ts";
import type { Finished } from "../engine/task.ts";
import { errorRecord } from "../error-record.ts";
import type { Failure } from "../errors.ts";
import type { Row as ResultRow } from "../output/form.ts";
import { type BatchRow, invalid } from "./validation.ts";

export type RowOutcome = "done" | Lack;

/** A finished row. */
export interface RowReport {
  row: number;
  outcome: RowOutcome;
  target: string;
  failure?: Failure;
  /** Only some of its changes are done. */
  partly: boolean;
  ignored: readonly string[];
  record: ResultRow;
  /** The cells of a table. */
  words(): string;
  ids: unknown[];
}

const distinct = <T>(all: readonly T[]): readonly T[] => (all.length < 2 ? all : [...new Set(all)]);

type Done = ChangeResult & { outcome: "done"; change: Change };

const sentencesOf = (done: readonly Done[]): string =>
  done.every(({ unchanged }) => unchanged)
    ? "No changes."
    : done
        .filter(({ unchanged }) => !unchanged)
        .map(({ change, answer, ignored }) => sentenceOf(change, answer, ignored))
        .join(" ");

const isRefusedAs = (result: ChangeResult, kind: Failure["kind"]): boolean =>
  result.outcome === "refused" && result.failure.kind === kind;

/** Several requests for one thing: the failure names the purpose of each. */
function failureOfParts(changes: readonly Change[], results: readonly ChangeResult[]): Failure | undefined {
  const failures = results.flatMap((result) => (result.outcome === "done" ? [] : [result.failure]));
  const [first] = failures;
  const conflict = failures.find(({ kind }) => kind === "conflict");
  if (conflict) return conflict;
  if (failures.length === results.length && failures.every(({ message }) => message === first!.message)) return first;
  return overallFailure(
    changes.map((change) => ({ ...change, target: change.words?.what ?? change.target })),
    results,
  );
}

/** `conflicts`: changes of others are conflicts, not refusals. */
export function reportOf(
  { row: { row, changes, problem }, results }: Finished<BatchRow>,
  { conflicts = false } = {},
): RowReport {
  if (problem) {
    const failure = invalid(problem);
    const record = { row, outcome: "invalid", error: errorRecord(failure) };
    const rest = { partly: false, ignored: [], ids: [], words: () => failure.message };
    return { row, outcome: "invalid", target: `line ${problem.line}`, failure, record, ...rest };
  }
  const target = distinct(changes.map(({ target }) => target)).join(", ");
  const operation = distinct(changes.map(({ operation }) => operation.name)).join(", ");
  const answers = results.map((result, n) =>
    result.outcome === "done" && changes[n] ? withoutSecrets(changes[n].operation, result.answer) : undefined,
  );
  const ignored = distinct(results.flatMap((result) => (result.outcome === "done" ? result.ignored : [])));
  const failure = conflicts ? failureOfParts(changes, results) : overallFailure(changes, results);
  const done = results.flatMap((result, n): Done[] => {
    const change = changes[n];
    return result.outcome === "done" && change ? [{ ...result, change }] : [];
  });
  // A row that is done in part says so: the file of `--failed` has the whole row.
  if (failure && done.length && !conflicts) failure.message += `. Done: ${sentencesOf(done)}`;
  const [result] = results;
  const [only] = changes;
  const what =
    results.length === 1 && result && only
      ? outcome(only, result)
      : !changes.length
        ? { outcome: "done", unchanged: true }
        : failure
          ? { outcome: worstOf(results), ...(done.length && { answer: answers }), error: errorRecord(failure) }
          : { outcome: "done", answer: answers, ...(ignored.length && { ignored }) };
  const worst = worstOf(results);
  const conflict = conflicts && worst === "refused" && results.some((result) => isRefusedAs(result, "conflict"));
  const came = conflict ? "conflict" : worst;
  return {
    row,
    outcome: came,
    target,
    ...(failure && { failure }),
    partly: came !== "done" && (done.length > 0 || results.some((result) => isRefusedAs(result, "partial"))),
    ignored,
    record: { row, ...(changes.length && { operation, target }), ...what, ...(conflict && { outcome: came }) },
    words: () => failure?.message ?? sentencesOf(done),
    ids: done.flatMap(({ change, answer }) => createdBy(change, answer)),
  };
}
