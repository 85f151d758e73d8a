/** The results and the exit code of rows. */

import { errorRecord } from "../../common/error-record.ts";
import {
  answerWithoutSecrets,
  type Change,
  type ChangeResult,
  createdBy,
  noChanges,
  sentenceOf,
  unchangedSentence,
  worstOf,
} from "../../engine/change.ts";
import {
  type ChangeAndResult,
  overallFailure,
  type ResultReport,
  resultRecord,
  singleResults,
} from "../../engine/result-summary.ts";
import type { Finished } from "../../engine/task.ts";
import type { Failure } from "../../errors.ts";
import type { Row as ResultRow } from "../../output/form.ts";
import { invalid, type LeftOut, type RowProblem, type RunRow } from "./row.ts";

export interface RowReport extends Omit<ResultReport, "outcome"> {
  outcome: ResultReport["outcome"] | LeftOut;
  record: ResultRow;
  text: string;
  ids: unknown[];
}

const distinct = <T>(all: readonly T[]): readonly T[] => [...new Set(all)];

type Done = ChangeResult & { outcome: "done"; change: Change };

/** Says once what several requests of a row did. */
function sentencesOf(done: readonly Done[]): string {
  const told = done.filter(({ unchanged, change }) => !unchanged || change.already);
  const sentences = told.map(({ change, answer, ignored, unchanged, sentence }) =>
    unchanged ? unchangedSentence(change) : (sentence ?? sentenceOf(change, answer, ignored)),
  );
  return distinct(sentences).filter(Boolean).join(" ") || noChanges;
}

const masked = (each: Done): Done => ({ ...each, answer: answerWithoutSecrets(each.change.operation, each.answer) });

const isRefusedAs = (kind: Failure["kind"]) => (result: ChangeResult) =>
  result.outcome === "refused" && result.failure.kind === kind;

/** Several requests for one thing: the failure names the purpose of each. */
function failureOfParts(parts: readonly ChangeAndResult[]): Failure | undefined {
  const failures = parts.flatMap(({ result }) => (result.outcome === "done" ? [] : [result.failure]));
  const [first] = failures;
  const conflict = failures.find(({ kind }) => kind === "conflict");
  if (conflict) return conflict;
  if (failures.length === parts.length && failures.every(({ message }) => message === first?.message)) return first;
  return overallFailure(
    parts.map(({ change, result }) => ({ change: { ...change, target: change.words?.what ?? change.target }, result })),
  );
}

const placeOf = ({ line, row }: RowProblem): string => `line ${line}${row === undefined ? "" : `, row ${row}`}`;

/** `conflicts`: changes of others are conflicts, not refusals. */
export function rowReport(
  { row: { row, changes: sent, problem, leftOut }, results: received }: Finished<RunRow>,
  { conflicts = false } = {},
): RowReport {
  if (leftOut) return { outcome: leftOut, target: "", record: { row, outcome: leftOut }, text: "", ids: [] };
  if (problem) {
    const failure = invalid(problem);
    const record = { row, outcome: "invalid", error: errorRecord(failure) };
    return { outcome: "invalid", target: placeOf(problem), failure, record, text: failure.message, ids: [] };
  }
  const parts = sent.flatMap((change, n): ChangeAndResult[] => {
    const result = received[n];
    if (!result) return [];
    return result.outcome === "refused" ? singleResults({ change, result }) : [{ change, result }];
  });
  const results = parts.map(({ result }) => result);
  const target = distinct(parts.map(({ change }) => change.target)).join(", ");
  const operation = distinct(parts.map(({ change }) => change.operation.name)).join(", ");
  const done = parts.flatMap(({ change, result }): Done[] =>
    result.outcome === "done" ? [{ change, ...result }] : [],
  );
  const failure = conflicts ? failureOfParts(parts) : overallFailure(parts);
  // A row that is done in part says so: the file of `--failed` has the whole row.
  if (failure && done.length && !conflicts)
    failure.message = `${failure.message.replace(/\.$/, "")}. Done: ${sentencesOf(done.map(masked))}`;
  const isConflict = conflicts && worstOf(results) === "refused" && results.some(isRefusedAs("conflict"));
  const outcome = isConflict ? "conflict" : worstOf(results);
  const ignored = distinct(done.flatMap(({ ignored }) => ignored));
  const several = (): ResultRow => ({
    outcome,
    ...(done.length && {
      answer: parts.map(({ change, result }) =>
        result.outcome === "done" ? answerWithoutSecrets(change.operation, result.answer) : undefined,
      ),
    }),
    ...(failure ? { error: errorRecord(failure) } : ignored.length && { ignored }),
  });
  const unchanged =
    outcome === "done" && results.every((result) => result.outcome === "done" && result.unchanged === true);
  const [only] = parts;
  const members = unchanged
    ? { ...(only && { operation, target }), outcome, unchanged }
    : parts.length === 1 && only
      ? { operation, target, ...resultRecord(only.change, only.result), outcome }
      : { operation, target, ...several() };
  return {
    outcome,
    target,
    failure,
    partly: outcome !== "done" && (done.length > 0 || results.some(isRefusedAs("partial"))),
    ignored,
    unchanged,
    record: { row, ...members },
    text: failure?.message ?? sentencesOf(done),
    ids: done.flatMap(({ change, answer }) => createdBy(change, answer)),
  };
}
