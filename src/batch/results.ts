/** The result of a run, a record a row, while it is at work; and the failure that it ends with. */

import { formOf } from "../argv/flags.ts";
import { counted } from "../counted.ts";
import type { Engine } from "../engine/engine.ts";
import type { Run } from "../engine/run.ts";
import { Tally } from "../engine/summary.ts";
import type { Finished, Key } from "../engine/task.ts";
import { Cancelled, type Failure, orUndefined, Partial } from "../errors.ts";
import type { Column, Listing, Row } from "../output/form.ts";
import { lacksOf } from "../output/rate.ts";
import type { Context } from "../run/context.ts";
import type { FailedRows } from "./failed.ts";
import { Progress } from "./progress.ts";
import { type RowOutcome, type RowReport, tell } from "./record.ts";
import { type Found, isFinished } from "./validation.ts";

export const fields = ["row", "operation", "target", "outcome", "answer", "error"];

export interface Work {
  run: Run;
  engine: Engine<Found>;
  examination: { rows: number; finished: number; found: readonly Found[] };
  failed: FailedRows | undefined;
  /** Rows that are still unknown go into the file of failed ones too. */
  withUnknown: boolean;
  /** The command that goes on. */
  again: string;
  /** The same, which sends once more what is still unknown. */
  repeat?: string | undefined;
  /** Its input came through a pipe, and must do so again. */
  piped: boolean;
  /** An earlier run has finished it. */
  over(key: Key): boolean;
  /** What rows are called where that is not what they are. */
  unit?: "change";
  /** Told of each that is finished. */
  learn?(finished: Finished<Found>): void;
}

const styles = {
  done: "good",
  refused: "bad",
  unknown: "warn",
  not_sent: "dim",
  invalid: "bad",
  conflict: "warn",
} as const;

/** What only people see of a record. */
const words = new WeakMap<Row, string>();

const columns: Column[] = [
  { head: "ROW", value: ({ row }) => row, align: "right", importance: "high" },
  { head: "TARGET", value: ({ target }) => target, importance: "high" },
  {
    head: "OUTCOME",
    value: ({ outcome }) => outcome,
    style: ({ outcome }) => styles[outcome as RowOutcome],
    importance: "high",
    whole: true,
  },
  { head: "RESULT", value: (record) => words.get(record), importance: "high" },
];

/** How many rows a terminal's table lists. */
const mostListed = 20;

class Count {
  readonly tally = new Tally();
  /** Rows that this run has finished; those that were not sent are not. */
  here = 0;
  /** Rows for the table of a terminal, and how many of them it lacks. */
  listed = 0;
  more = 0;

  constructor(
    readonly work: Work,
    readonly onScreen: boolean,
  ) {}

  add({ outcome, target, row, failure, partly, ignored }: RowReport, earlier: boolean): void {
    if (!earlier && outcome !== "not_sent") this.here++;
    const name = this.work.unit ? target : `row ${row} (${target})`;
    this.tally.add(name, { outcome, failure, partly }, ignored.length > 0);
  }

  /**
   * Whether a row is printed. People look for what went wrong: a terminal's table has only the first of the rows that
   * are not done, and not those that a person has chosen not to send.
   */
  prints({ outcome, ignored }: RowReport): boolean {
    if (!this.onScreen) return true;
    if (outcome === "done" && !ignored.length) return false;
    const { stopped } = this.work.engine;
    if (outcome === "not_sent" && (stopped instanceof Cancelled || stopped instanceof Partial)) return false;
    if (this.listed === mostListed) this.more++;
    else this.listed++;
    return this.more === 0;
  }

  /** How many rows came to what, in words. */
  get summary(): string {
    const { done, partly, lacking } = this.tally;
    const { rows } = this.work.examination;
    const all = [`${done} of ${counted(rows, this.work.unit ?? "row")} done`, ...lacksOf({ lacking })].join(", ");
    return partly ? `${all}; ${partly} done in part` : all;
  }

  failure(allowIgnored: boolean): Failure | undefined {
    const { run, again, repeat, piped } = this.work;
    const { tally, summary } = this;
    let failure = tally.failure();
    // The rows stand in the table already.
    if (failure?.message === tally.message && this.onScreen)
      failure.message = tally.why ? `${summary}. Rest not sent: ${tally.why}` : summary;
    if (failure instanceof Cancelled) failure.message = `${failure.message}: ${summary}`;
    if (!failure && tally.ignored && !allowIgnored)
      failure = new Partial(
        `${tally.ignored} of ${counted(tally.total, this.work.unit ?? "row")} ${tally.ignored === 1 ? "was" : "were"} done but for parameters that the server ignored`,
        { hint: "Pass --allow-ignored to make this a warning." },
      );
    if (!failure) return undefined;
    const open = tally.lacking.unknown + tally.lacking.not_sent > 0;
    const how = piped ? "Resume with the same input" : "Go on with";
    const on = open
      ? tally.lacking.unknown && repeat
        ? `Send what is unknown again with: ${repeat}`
        : `${how}: ${again}`
      : undefined;
    const before = failure.details.hint?.replace(/([^.])$/, "$1.");
    if (on) failure.details.hint = before ? `${before} ${on}` : on;
    failure.details.more = { ...failure.details.more, journal: run.path };
    return failure;
  }
}

export function listing(context: Context, work: Work): Listing {
  const { flags, world } = context;
  const form = formOf(flags);
  const count = new Count(work, form === "table" && world.stdout.isTerminal);
  const ids = form === "ids";
  return {
    kind: "listing",
    records: ids ? each(records(context, work, count)) : records(context, work, count),
    columns,
    id: ({ id }) => id,
    known: fields,
    rare: ["ignored", "unchanged"],
    persists: true,
    sparse: true,
    note: () => (count.more ? `and ${counted(count.more, `more ${work.unit ?? "row"}`)}` : undefined),
    ending: () => ended(context, count),
  };
}

/** The counts come last, in the failure where it tells them. */
async function ended({ flags, note, warn }: Context, count: Count): Promise<Failure | undefined> {
  const { ignored } = count.tally;
  if (ignored && flags.allowIgnored)
    await warn(`zulipctl: the server ignored parameters of ${counted(ignored, count.work.unit ?? "row")}`);
  const failure = count.failure(flags.allowIgnored ?? false);
  const told = [count.summary, count.tally.message].some((counts) => failure?.message.includes(counts));
  if (!told) await note(`zulipctl: ${count.summary}`);
  return failure;
}

/** Ids alone, one a record. */
async function* each(records: AsyncIterable<Row>): AsyncGenerator<Row> {
  for await (const record of records) for (const id of created.get(record) ?? []) yield { id };
}

const created = new WeakMap<Row, unknown[]>();

async function* records(context: Context, work: Work, count: Count): AsyncGenerator<Row> {
  const { engine, examination, failed, withUnknown, run, over } = work;
  const { world, flags, warn, waits } = context;
  const table = formOf(flags) === "table";
  const progress = new Progress(world, flags, {
    rows: examination.rows,
    earlier: examination.finished,
    unit: work.unit,
    stopped: () => engine.stopped !== undefined,
  });
  // Where rows arrive on the screen in place of a bar, a wait among them is told as anywhere else.
  const resume = progress.shown ? waits.pause() : undefined;
  try {
    for await (const finished of engine.run(examination.found)) {
      const told = tell(finished, { conflicts: work.unit !== undefined });
      work.learn?.(finished);
      count.add(told, isFinished(finished.row, over));
      if (told.outcome !== "done" && (told.outcome !== "unknown" || withUnknown)) await failed?.add(finished.row.raw);
      if (table) words.set(told.record, told.words());
      if (told.ids.length) created.set(told.record, told.ids);
      progress.told(count.here, count.tally.lacking);
      if (count.prints(told)) yield told.record;
    }
    // It says nothing that cannot be found out without it.
    await orUndefined(run.ended({ done: count.tally.done, ...count.tally.lacking }));
  } finally {
    progress.end();
    resume?.();
    await failed?.close();
    await run.close();
    if (failed?.failure) await warn(`zulipctl: the file of --failed could not be written: ${failed.failure.message}`);
  }
}
