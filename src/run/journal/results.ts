/** The result of a run: a record for each row as it finishes, and the failure at the end. */

import { outputForm } from "../../argv/global-flags.ts";
import { counted } from "../../common/counted.ts";
import { takesSomething } from "../../effects/policy.ts";
import { showsSecret } from "../../engine/change.ts";
import { Tally } from "../../engine/result-summary.ts";
import { type TaskKey, taskKey } from "../../engine/task.ts";
import { Cancelled, Partial, undefinedOnFailure } from "../../errors.ts";
import type { Column, Listing, Row } from "../../output/form.ts";
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

/** Runs the changes while their records are read. */
export function runListing(context: Context, work: RunWork): Listing {
  const { engine, failed, withUnknown, run, unit } = work;
  const { flags, warn, world } = context;
  const form = outputForm(flags);
  const unitName = unit ?? "row";
  const onScreen = form === "table" && world.stdout.isTerminal;
  const tally = new Tally();
  const counts: RowNumbers = { all: work.rows.length, leftOut: { skipped: 0, not_selected: 0 }, taken: 0 };
  for (const { leftOut: why } of work.rows) if (why) counts.leftOut[why]++;
  /** The number of rows for the table of a terminal. */
  let listed = 0;

  /** A terminal's table only has the first rows that failed, without those that the user skipped. */
  function isPrinted({ outcome, ignored }: RowReport): boolean {
    if (!onScreen) return true;
    if (outcome === "done" && !ignored?.length) return false;
    const { stopped } = engine;
    if (outcome === "not_sent" && (stopped instanceof Cancelled || stopped instanceof Partial)) return false;
    return ++listed <= mostListed;
  }

  /** An earlier run has finished the row. */
  const isFinished = ({ row, changes }: RunRow) =>
    changes.length > 0 && changes.every((_, part) => run.isFinished(taskKey(row, part)));

  /** Yields the records of rows as they finish. With `-o ids` only new ids. */
  async function* recordsOf(rows: readonly RunRow[], order?: readonly TaskKey[]): AsyncGenerator<Row> {
    const progress = showProgress(context, {
      rows: rows.filter(({ leftOut }) => !leftOut).length,
      earlier: rows.filter(isFinished).length,
      unit,
      isStopped: () => engine.stopped !== undefined,
    });
    try {
      for await (const finished of engine.run(rows, order)) {
        const report = rowReport(finished, { conflicts: unit !== undefined });
        const { outcome, target, record, text, ids } = report;
        const { row, line = row, raw, problem } = finished.row;
        work.onFinished?.(finished);
        if (outcome === "skipped" || outcome === "not_selected") {
          if (form !== "ids" && form !== "table") yield record;
          continue;
        }
        const place = problem ? target : `line ${line} (${target})`;
        tally.add({ ...report, outcome, target: unit ? target : place });
        if (
          outcome === "done" &&
          !report.unchanged &&
          finished.row.changes.some(({ judged }) => takesSomething(judged))
        )
          counts.taken++;
        const isLeft = outcome !== "done" && (outcome !== "unknown" || withUnknown);
        if (isLeft && raw !== undefined) await failed?.add(raw);
        progress.update(!isFinished(finished.row) && outcome !== "not_sent", tally.counts);
        if (form === "ids") for (const id of ids) yield { id };
        else if (isPrinted(report)) yield form === "table" ? { ...record, line, result: text } : record;
      }
    } finally {
      progress.end();
    }
  }

  async function* records(): AsyncGenerator<Row> {
    try {
      yield* recordsOf(work.rows);
      const more = engine.stopped ? undefined : await work.more?.();
      if (more) {
        counts.all += more.rows.length;
        // If it cannot be written, neither can the first request.
        await undefinedOnFailure(run.write({ more: more.rows.length }));
        yield* recordsOf(more.rows, more.order);
      }
      // This warning repeats what the record says.
      await undefinedOnFailure(run.ended(tally.counts));
    } finally {
      await failed?.close();
      await run.close();
      // Without another failure it is the failure of the run.
      if (failed?.failure && tally.failure())
        await warn(programLine(`the file of --failed could not be written: ${failed.failure.message}`));
    }
  }

  const secrets = onlyCopyOf(work.rows.flatMap(({ changes }) => changes.filter(showsSecret)));
  return {
    kind: "listing",
    records: records(),
    columns: columnsFor(work),
    id: ({ id }) => id,
    allFields: resultFields,
    optionalFields: optionalResultFields,
    readsToEnd: true,
    onlyCopy: secrets && { ...secrets, what: "the answers" },
    hidesEmptyTable: true,
    note: () => (listed > mostListed ? `and ${counted(listed - mostListed, `more ${unitName}`)}` : undefined),
    finish: () => finishRun(context, work, { tally, counts, onScreen }),
  };
}
