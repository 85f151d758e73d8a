/** The result of a run: a record for each row as it finishes, and the failure at the end. */

import { outputForm } from "../../argv/global-flags.ts";
import { counted } from "../../common/counted.ts";
import { takenTexts, takesSomething } from "../../effects/policy.ts";
import { showsSecret } from "../../engine/change.ts";
import type { Engine } from "../../engine/engine.ts";
import type { JournaledRun } from "../../engine/journaled-run.ts";
import { Tally } from "../../engine/result-summary.ts";
import { type Finished, type TaskKey, taskKey } from "../../engine/task.ts";
import { Cancelled, type Failure, joinHints, Partial, undefinedOnFailure } from "../../errors.ts";
import type { Column, Listing, Row } from "../../output/form.ts";
import { programLine } from "../../output/line.ts";
import { onlyCopyOf } from "../commit.ts";
import type { Context } from "../context.ts";
import { type RowReport, rowReport } from "./record.ts";
import type { LeftOut, RunRow } from "./row.ts";
import { countTexts, showProgress } from "./run-progress.ts";

export const resultFields = ["row", "operation", "target", "outcome", "answer", "error"];
export const optionalResultFields = ["ignored", "unchanged"];

export interface MoreRows {
  readonly rows: readonly RunRow[];
  readonly order: readonly TaskKey[];
}

/** The file of `--failed`. */
export interface FailedRowsFile {
  /** Why it could not be written. */
  readonly failure: Error | undefined;
  add(raw: string): Promise<void>;
  close(): Promise<void>;
}

export interface RunWork {
  run: JournaledRun;
  engine: Engine<RunRow>;
  rows: readonly RunRow[];
  failed?: FailedRowsFile | undefined;
  /** Unknown rows go into the file of failed rows too. */
  withUnknown?: boolean | undefined;
  /** The command that resumes. */
  resumeCommand: string;
  /** The same, sending unknown changes again. */
  retryCommand?: string | undefined;
  /** Its input came through a pipe, and must do so again. */
  isPiped?: boolean;
  /** Another word for rows. */
  unit?: "change" | "message";
  /** Returns rows that follow from the results of all others. */
  more?(): Promise<MoreRows | undefined>;
  /** Called for each finished row. */
  onFinished?(finished: Finished<RunRow>): void;
}

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

/** Returns `3 rows skipped: empty`, `1 row not selected`. */
export const leftOutTexts = ({ skipped, not_selected }: Record<LeftOut, number>): string[] => [
  ...(skipped ? [`${counted(skipped, "row")} skipped: empty`] : []),
  ...(not_selected ? [`${counted(not_selected, "row")} not selected`] : []),
];

/** Runs the changes while their records are read. */
export function runListing(context: Context, work: RunWork): Listing {
  const { engine, failed, withUnknown, run, unit, resumeCommand, retryCommand, isPiped } = work;
  const { flags, note, warn, world } = context;
  const form = outputForm(flags);
  const unitName = unit ?? "row";
  const onScreen = form === "table" && world.stdout.isTerminal;
  const tally = new Tally();
  const leftOut = { skipped: 0, not_selected: 0 };
  for (const { leftOut: why } of work.rows) if (why) leftOut[why]++;
  let count = work.rows.length - leftOut.skipped - leftOut.not_selected;
  /** How many rows took something from people. */
  let taken = 0;
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
          taken++;
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
        count += more.rows.length;
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

  /** Counts rows by result, in words. */
  function summaryText(): string {
    const { done, ...failures } = tally.counts;
    const unchanged = tally.unchanged ? ` (${tally.unchanged} unchanged)` : "";
    const counts = [
      `${done} of ${counted(count, unitName)} done${unchanged}`,
      ...countTexts(failures),
      ...leftOutTexts(leftOut),
    ].join(", ");
    return [counts, ...(tally.partly ? [`${tally.partly} done in part`] : []), ...takenTexts(taken)].join("; ");
  }

  function failureOf(summary: string): Failure | undefined {
    const { message, why, ignored, total } = tally;
    const failure = tally.failure();
    // The table already shows the rows.
    if (failure?.message === message && onScreen) failure.message = why ? `${summary}. Rest not sent: ${why}` : summary;
    if (failure instanceof Cancelled) failure.message = `${failure.message}: ${summary}`;
    if (failure || !ignored || flags.allowIgnored) return failure;
    return new Partial(
      `${ignored} of ${counted(total, unitName)} ${ignored === 1 ? "was" : "were"} done but for parameters that the server ignored: ${tally.ignoredNames}`,
      { hint: "Pass --allow-ignored to make this a warning." },
    );
  }

  /** Names the journal, and the command that resumes. */
  function addHint({ details }: Failure): void {
    const { unknown, not_sent } = tally.counts;
    details.more = { ...details.more, journal: run.journalFile.path };
    if (!unknown && !not_sent) return;
    const how = isPiped ? "Resume with the same input" : "Resume with";
    const again = `Send what is unknown again with: ${retryCommand}`;
    const end = `If the change is there, remove the journal ${run.journalFile.path} to end the run. `;
    const next = unknown && retryCommand ? `${withUnknown ? end : ""}${again}` : `${how}: ${resumeCommand}`;
    details.hint = joinHints(details.hint, next);
  }

  /** Returns the failure to end with. The counts come last. */
  async function ending(): Promise<Failure | undefined> {
    const summary = summaryText();
    if (tally.ignored && flags.allowIgnored)
      await warn(
        programLine(`the server ignored parameters of ${counted(tally.ignored, unitName)}: ${tally.ignoredNames}`),
      );
    const failure = failureOf(summary);
    const lostReport =
      failed?.failure && !failure
        ? new Partial(`the file of --failed could not be written: ${failed.failure.message}`)
        : undefined;
    const hasCounts = [summary, tally.message].some((counts) => failure?.message.includes(counts));
    if (!hasCounts) await note(programLine(summary));
    if (failure) addHint(failure);
    return failure ?? lostReport;
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
    finish: ending,
  };
}
