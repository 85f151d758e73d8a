/** The result of a run: a record for each row as it finishes, and the failure at the end. */

import { outputForm } from "../../argv/global-flags.ts";
import { counted } from "../../common/counted.ts";
import { takesSomething } from "../../effects/policy.ts";
import { showsSecret } from "../../engine/change.ts";
import type { JournaledRun } from "../../engine/journaled-run.ts";
import { type ResultReport, Tally } from "../../engine/result-summary.ts";
import { type TaskKey, taskKey } from "../../engine/task.ts";
import { Cancelled, Partial, undefinedOnFailure } from "../../errors.ts";
import type { Column, Listing, OutputForm, Row } from "../../output/form.ts";
import { programLine } from "../../output/line.ts";
import { onlyCopyOf } from "../commit.ts";
import type { Context } from "../context.ts";
import { finishRun, type RowNumbers } from "./ending.ts";
import { type RowReport, rowReport } from "./record.ts";
import type { RunRow } from "./row.ts";
import { showProgress } from "./run-progress.ts";
import type { RunWork } from "./run-work.ts";

export const resultFields = ["row", "operation", "target", "outcome", "answer", "error"];
export const optionalResultFields = ["ignored", "unchanged"];

const styles: Readonly<Record<string, "good" | "warn" | "bad" | "dim">> = {
  done: "good",
  refused: "bad",
  unknown: "warn",
  not_sent: "dim",
  invalid: "bad",
  conflict: "warn",
};

/** Rows of a file have the number of their line. JSON can have all of them on one line. */
const columnsFor = ({ unit, rows }: RunWork): Column[] => [
  unit || rows.some(({ line }, at) => line === rows[at - 1]?.line)
    ? { head: "ROW", value: ({ row }) => row, align: "right", importance: "high" }
    : { head: "LINE", value: ({ line }) => line, align: "right", importance: "high" },
  { head: "TARGET", value: ({ target }) => target, importance: "high" },
  {
    head: "OUTCOME",
    value: ({ outcome }) => outcome,
    style: ({ outcome }) => styles[String(outcome)],
    importance: "high",
    whole: true,
  },
  { head: "RESULT", value: ({ result }) => result, importance: "high" },
];

const mostListed = 20;

/** An earlier run has finished the row. */
const isFinishedIn = (run: JournaledRun, { row, changes }: RunRow): boolean =>
  changes.length > 0 && changes.every((_, part) => run.isFinished(taskKey(row, part)));

/** Runs the changes while their records are read. Counts them, and keeps the rows that failed. */
class RunResults {
  readonly tally = new Tally();
  readonly counts: RowNumbers;
  /** The number of rows for the table of a terminal. */
  listed = 0;
  readonly onScreen: boolean;
  readonly #context: Context;
  readonly #work: RunWork;
  readonly #form: OutputForm;

  constructor(context: Context, work: RunWork) {
    this.#context = context;
    this.#work = work;
    this.#form = outputForm(context.flags);
    this.onScreen = this.#form === "table" && context.world.stdout.isTerminal;
    this.counts = { all: work.rows.length, leftOut: { skipped: 0, not_selected: 0 }, taken: 0 };
    for (const { leftOut: why } of work.rows) if (why) this.counts.leftOut[why]++;
  }

  async *records(): AsyncGenerator<Row> {
    const { engine, failed, run, rows } = this.#work;
    try {
      yield* this.#recordsOf(rows);
      const more = engine.stopped ? undefined : await this.#work.more?.();
      if (more) {
        this.counts.all += more.rows.length;
        // If it cannot be written, neither can the first request.
        await undefinedOnFailure(run.write({ more: more.rows.length }));
        yield* this.#recordsOf(more.rows, more.order);
      }
      // This warning repeats what the record says.
      await undefinedOnFailure(run.ended(this.tally.counts));
    } finally {
      await failed?.close();
      await run.close();
      // Without another failure it is the failure of the run.
      if (failed?.failure && this.tally.failure())
        await this.#context.warn(programLine(`the file of --failed could not be written: ${failed.failure.message}`));
    }
  }

  /** Yields the records of rows as they finish. With `-o ids` only new ids. */
  async *#recordsOf(rows: readonly RunRow[], order?: readonly TaskKey[]): AsyncGenerator<Row> {
    const { engine, run, unit } = this.#work;
    const progress = showProgress(this.#context, {
      rows: rows.filter(({ leftOut }) => !leftOut).length,
      earlier: rows.filter((row) => isFinishedIn(run, row)).length,
      unit,
      isStopped: () => engine.stopped !== undefined,
    });
    try {
      for await (const finished of engine.run(rows, order)) {
        const report = rowReport(finished, { conflicts: unit !== undefined });
        const { outcome } = report;
        this.#work.onFinished?.(finished);
        if (outcome === "skipped" || outcome === "not_selected") {
          if (this.#form !== "ids" && this.#form !== "table") yield report.record;
          continue;
        }
        await this.#count(finished.row, { ...report, outcome });
        progress.update(!isFinishedIn(run, finished.row) && outcome !== "not_sent", this.tally.counts);
        yield* this.#shown(finished.row, report);
      }
    } finally {
      progress.end();
    }
  }

  async #count({ row, line = row, raw, problem, changes }: RunRow, report: ResultReport): Promise<void> {
    const { unit, withUnknown, failed } = this.#work;
    const { outcome, target, unchanged } = report;
    this.tally.add({ ...report, target: unit || problem ? target : `line ${line} (${target})` });
    if (outcome === "done" && !unchanged && changes.some(({ judged }) => takesSomething(judged))) this.counts.taken++;
    const isLeft = outcome !== "done" && (outcome !== "unknown" || withUnknown);
    if (isLeft && raw !== undefined) await failed?.add(raw);
  }

  #shown({ row, line = row }: RunRow, report: RowReport): Row[] {
    const { record, text, ids } = report;
    if (this.#form === "ids") return ids.map((id) => ({ id }));
    if (!this.#isPrinted(report)) return [];
    return [this.#form === "table" ? { ...record, line, result: text } : record];
  }

  /** A terminal's table only has the first rows that failed, without those that the user skipped. */
  #isPrinted({ outcome, ignored }: RowReport): boolean {
    if (!this.onScreen) return true;
    if (outcome === "done" && !ignored?.length) return false;
    const { stopped } = this.#work.engine;
    if (outcome === "not_sent" && (stopped instanceof Cancelled || stopped instanceof Partial)) return false;
    return ++this.listed <= mostListed;
  }
}

export function runListing(context: Context, work: RunWork): Listing {
  const results = new RunResults(context, work);
  const { tally, counts, onScreen } = results;
  const secrets = onlyCopyOf(work.rows.flatMap(({ changes }) => changes.filter(showsSecret)));
  /** The rows of the table that are not shown. */
  const more = () => results.listed - mostListed;
  return {
    kind: "listing",
    records: results.records(),
    columns: columnsFor(work),
    id: ({ id }) => id,
    allFields: resultFields,
    optionalFields: optionalResultFields,
    readsToEnd: true,
    onlyCopy: secrets && { ...secrets, what: "the answers" },
    hidesEmptyTable: true,
    note: () => (more() > 0 ? `and ${counted(more(), `more ${work.unit ?? "row"}`)}` : undefined),
    finish: () => finishRun(context, work, { tally, counts, onScreen }),
  };
}
