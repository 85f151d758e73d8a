/** The result of a run: a record for each row as it finishes, and the failure at the end. */

import { formOf } from "../argv/flags.ts";
import { counted } from "../counted.ts";
import type { Engine } from "../engine/engine.ts";
import type { Run } from "../engine/run.ts";
import { Tally } from "../engine/summary.ts";
import { type Finished, keyOf } from "../engine/task.ts";
import { Cancelled, type Failure, orUndefined, Partial } from "../errors.ts";
import type { Column, Listing, Row } from "../output/form.ts";
import { lacksOf } from "../output/progress.ts";
import type { Context } from "../run/context.ts";
import type { FailedRows } from "./failed.ts";
import { Progress } from "./progress.ts";
import { type RowReport, reportOf } from "./record.ts";
import type { BatchRow } from "./validation.ts";

export const fields = ["row", "operation", "target", "outcome", "answer", "error"];

export interface Work {
  run: Run;
  engine: Engine<BatchRow>;
  rows: readonly BatchRow[];
  failed?: FailedRows | undefined;
  /** Unknown rows go into the file of failed rows too. */
  withUnknown?: boolean | undefined;
  /** The command that resumes. */
  again: string;
  /** The same, sending unknown changes again. */
  repeat?: string | undefined;
  /** Its input came through a pipe, and must do so again. */
  piped?: boolean;
  /** Another word for rows. */
  unit?: "change" | "message";
  /** Called for each finished row. */
  learn?(finished: Finished<BatchRow>): void;
}

const styles: Readonly<Record<string, "good" | "warn" | "bad" | "dim">> = {
  done: "good",
  refused: "bad",
  unknown: "warn",
  not_sent: "dim",
  invalid: "bad",
  conflict: "warn",
};

const columns: Column[] = [
  { head: "ROW", value: ({ row }) => row, align: "right", importance: "high" },
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

/** The largest number of rows in a terminal's table. */
const mostListed = 20;

class Results {
  readonly #context: Context;
  readonly #work: Work;
  readonly #tally = new Tally();
  /** The word for rows. */
  readonly #unit: string;
  readonly #onScreen: boolean;
  /** Rows for the table of a terminal. */
  #listed = 0;

  constructor(context: Context, work: Work) {
    this.#context = context;
    this.#work = work;
    this.#unit = work.unit ?? "row";
    this.#onScreen = formOf(context.flags) === "table" && context.world.stdout.isTerminal;
  }

  /** Returns the records of rows as they finish. With `-o ids` only new ids. */
  async *records(): AsyncGenerator<Row> {
    const { engine, rows, failed, withUnknown, run, unit } = this.#work;
    const { flags, warn } = this.#context;
    const form = formOf(flags);
    /** Whether an earlier run has finished a row. */
    const isFinished = ({ row, changes }: BatchRow) =>
      changes.length > 0 && changes.every((_, part) => run.isFinished(keyOf(row, part)));
    const earlier = rows.filter(isFinished).length;
    const stopped = () => engine.stopped !== undefined;
    const progress = new Progress(this.#context, { rows: rows.length, earlier, unit, stopped });
    let here = 0;
    try {
      for await (const finished of engine.run(rows)) {
        const report = reportOf(finished, { conflicts: unit !== undefined });
        const { outcome, target, row, failure, partly, ignored, record, ids } = report;
        this.#work.learn?.(finished);
        if (!isFinished(finished.row) && outcome !== "not_sent") here++;
        this.#tally.add(unit ? target : `row ${row} (${target})`, { outcome, failure, partly }, ignored.length > 0);
        if (outcome !== "done" && (outcome !== "unknown" || withUnknown)) await failed?.add(finished.row.raw);
        progress.update(here, this.#tally.lacking);
        if (form === "ids") for (const id of ids) yield { id };
        else if (this.#prints(report)) yield form === "table" ? { ...record, result: report.words() } : record;
      }
      // This warning repeats what the record says.
      await orUndefined(run.ended({ done: this.#tally.done, ...this.#tally.lacking }));
    } finally {
      progress.end();
      await failed?.close();
      await run.close();
      if (failed?.failure) await warn(`zulipctl: the file of --failed could not be written: ${failed.failure.message}`);
    }
  }

  /**
   * Returns whether a row is printed. A terminal's table only has the first rows that failed, without those that the
   * user skipped.
   */
  #prints({ outcome, ignored }: RowReport): boolean {
    if (!this.#onScreen) return true;
    if (outcome === "done" && !ignored.length) return false;
    const { stopped } = this.#work.engine;
    if (outcome === "not_sent" && (stopped instanceof Cancelled || stopped instanceof Partial)) return false;
    return ++this.#listed <= mostListed;
  }

  note(): string | undefined {
    const more = this.#listed - mostListed;
    return more > 0 ? `and ${counted(more, `more ${this.#unit}`)}` : undefined;
  }

  /** Counts rows by result, in words. */
  get #summary(): string {
    const { done, partly, lacking } = this.#tally;
    const all = `${done} of ${counted(this.#work.rows.length, this.#unit)} done`;
    return [all, ...lacksOf({ lacking })].join(", ") + (partly ? `; ${partly} done in part` : "");
  }

  /** Returns the failure to end with. The counts come last. */
  async ending(): Promise<Failure | undefined> {
    const { flags, note, warn } = this.#context;
    const { ignored, total, message } = this.#tally;
    const summary = this.#summary;
    if (ignored && flags.allowIgnored)
      await warn(`zulipctl: the server ignored parameters of ${counted(ignored, this.#unit)}`);
    let failure = this.#failure(summary);
    if (!failure && ignored && !flags.allowIgnored)
      failure = new Partial(
        `${ignored} of ${counted(total, this.#unit)} ${ignored === 1 ? "was" : "were"} done but for parameters that the server ignored`,
        { hint: "Pass --allow-ignored to make this a warning." },
      );
    const counts = [summary, message].some((counts) => failure?.message.includes(counts));
    if (!counts) await note(`zulipctl: ${summary}`);
    if (failure) this.#addHint(failure);
    return failure;
  }

  #failure(summary: string): Failure | undefined {
    const { message, why } = this.#tally;
    const failure = this.#tally.failure();
    // The table already shows the rows.
    if (failure?.message === message && this.#onScreen)
      failure.message = why ? `${summary}. Rest not sent: ${why}` : summary;
    if (failure instanceof Cancelled) failure.message = `${failure.message}: ${summary}`;
    return failure;
  }

  /** Names the journal, and the command that resumes. */
  #addHint({ details }: Failure): void {
    const { run, again, repeat, piped } = this.#work;
    const { unknown, not_sent } = this.#tally.lacking;
    details.more = { ...details.more, journal: run.place.path };
    if (!unknown && !not_sent) return;
    const how = piped ? "Resume with the same input" : "Go on with";
    const next = unknown && repeat ? `Send what is unknown again with: ${repeat}` : `${how}: ${again}`;
    const before = details.hint?.replace(/([^.])$/, "$1.");
    details.hint = before ? `${before} ${next}` : next;
  }
}

export function listing(context: Context, work: Work): Listing {
  const results = new Results(context, work);
  return {
    kind: "listing",
    records: results.records(),
    columns,
    id: ({ id }) => id,
    known: fields,
    rare: ["ignored", "unchanged"],
    persists: true,
    sparse: true,
    note: () => results.note(),
    ending: () => results.ending(),
  };
}
