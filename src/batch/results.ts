/** The result of a run, a record a row, while it is at work; and the failure that it ends with. */
import type { Engine } from "../engine/engine.ts";
import type { Run } from "../engine/run.ts";
import { Tally } from "../engine/summary.ts";
import { type Failure, Partial } from "../errors.ts";
import type { Column, Listing, Row } from "../output/form.ts";
import { lacksOf } from "../output/rate.ts";
import type { Context } from "../shell/context.ts";
import { formOf } from "../shell/flags.ts";
import type { Examination, Found } from "./examination.ts";
import type { FailedRows } from "./failed.ts";
import { Progress } from "./progress.ts";
import { type RowOutcome, type Told, tell } from "./record.ts";

export const fields = ["row", "operation", "target", "outcome", "answer", "error"];

export interface Work {
  run: Run;
  engine: Engine<Found>;
  examination: Examination;
  failed: FailedRows | undefined;
  /** Rows that are still unknown go into the file of failed ones too. */
  withUnknown: boolean;
  /** What `--resume` takes to go on. */
  again: string;
}

const styles = { done: "good", refused: "bad", unknown: "warn", not_sent: "dim", invalid: "bad" } as const;

/** What only people see of a record. */
const words = new WeakMap<Row, string>();

const columns: Column[] = [
  { head: "ROW", value: ({ row }) => row, align: "right" },
  { head: "TARGET", value: ({ target }) => target },
  { head: "OUTCOME", value: ({ outcome }) => outcome, style: ({ outcome }) => styles[outcome as RowOutcome] },
  { head: "RESULT", value: (record) => words.get(record) },
];

class Count {
  readonly tally = new Tally();
  told = 0;

  constructor(readonly work: Work) {}

  add({ outcome, target, row, failure, ignored }: Told): void {
    this.told++;
    this.tally.add(`row ${row} (${target})`, { outcome, failure }, ignored.length > 0);
  }

  /** How many rows came to what, in words. */
  get summary(): string {
    const { done, lacking } = this.tally;
    const { rows } = this.work.examination;
    return [`${done} of ${rows} ${rows === 1 ? "row" : "rows"} done`, ...lacksOf({ lacking })].join(", ");
  }

  failure(allowIgnored: boolean): Failure | undefined {
    const { engine, run, again, examination } = this.work;
    const { tally, told } = this;
    const { stopped } = engine;
    let failure = tally.failure();
    // The input could not be read to its end again.
    if (!failure && told < examination.rows && stopped)
      failure = tally.done ? new Partial(`${stopped.message}; ${this.summary}`) : stopped;
    if (!failure && tally.ignored && !allowIgnored)
      failure = new Partial(
        `${tally.ignored} of ${tally.total} rows were done but for parameters that the server ignored`,
        {
          hint: "With --allow-ignored this is a warning.",
        },
      );
    if (!failure) return undefined;
    const open = tally.lacking.unknown + tally.lacking.not_sent > 0 || told < examination.rows;
    const on = open ? `Give the same words and --resume ${again} to go on.` : undefined;
    failure.details.hint = [on, failure.details.hint].filter(Boolean).join(" ") || undefined;
    failure.details.more = { ...failure.details.more, journal: run.path };
    return failure;
  }
}

export function listing(context: Context, work: Work): Listing {
  const { flags } = context;
  const count = new Count(work);
  const ids = formOf(flags) === "ids";
  return {
    kind: "listing",
    records: ids ? each(records(context, work, count)) : records(context, work, count),
    columns,
    id: ({ id }) => id,
    known: fields,
    rare: ["ignored"],
    persists: true,
    ending: () => count.failure(flags.allowIgnored ?? false),
  };
}

/** Ids alone, one a record. */
async function* each(records: AsyncIterable<Row>): AsyncGenerator<Row> {
  for await (const record of records) for (const id of created.get(record) ?? []) yield { id };
}

const created = new WeakMap<Row, unknown[]>();

async function* records(context: Context, work: Work, count: Count): AsyncGenerator<Row> {
  const { engine, examination, failed, withUnknown, run } = work;
  const { world, flags, note, warn } = context;
  const table = formOf(flags) === "table";
  const progress = new Progress(world, flags, examination.rows);
  try {
    for await (const finished of engine.run(examination.again())) {
      const told = tell(finished);
      count.add(told);
      if (told.outcome !== "done" && (told.outcome !== "unknown" || withUnknown)) await failed?.add(finished.row.raw);
      if (table) words.set(told.record, told.words);
      if (told.ids.length) created.set(told.record, told.ids);
      progress.told(count.tally);
      yield told.record;
    }
  } finally {
    progress.end();
    await failed?.close();
    await run.close();
    if (failed?.failure) await warn(`zulipctl: the file of --failed could not be written: ${failed.failure.message}`);
  }
  const { ignored } = count.tally;
  if (ignored && flags.allowIgnored) await warn(`zulipctl: the server ignored parameters of ${ignored} rows`);
  // Failures of several rows tell the counts themselves.
  const failure = count.tally.failure();
  if (!failure || failure.message !== count.tally.message) await note(`zulipctl: ${count.summary}`);
}
