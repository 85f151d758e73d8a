/** Sends the changes of rows, one request after the other, and reports the result of each row. */
import { errorRecord } from "../error-record.ts";
import { Cancelled, type Failure, Partial, signalOf, Unknown, Unreachable } from "../errors.ts";
import type { Clock, Signals } from "../world.ts";
import { type Change, type ChangeResult, unchanged } from "./change.ts";
import { Dependencies } from "./dependencies.ts";
import { applied, Dispatch, notSent } from "./dispatch.ts";
import { type Journal, noJournal } from "./journal.ts";
import { type JournalReplay, type Lost, lost } from "./journal-replay.ts";
import { Pending } from "./pending.ts";
import { sentChangeOf } from "./sent-change.ts";
import { settlement } from "./settle.ts";
import { type ChangeRow, type Finished, isSome, type Key, keyOf, partial, type Request, type Task } from "./task.ts";
import type { Transport } from "./transport.ts";

/** The default number of rows read ahead. */
const most = 4096;
/** The run stops after so many requests in a row without an answer. */
const mostSilent = 20;

export interface Options {
  clock: Clock;
  signals: Signals;
  merge?: boolean;
  /** The number of rows read ahead, so that merged requests can fill. */
  ahead?: number;
  /** The order of changes, if it differs from the order of rows. All rows are read first. */
  order?: readonly Key[];
  /** How long a lost membership change is checked, in milliseconds. Undefined for never. */
  settle?: number;
  /** Nothing more is sent after so many refused or unknown changes. */
  mostFailures?: number;
  /** Returns why nothing more is sent after a refusal. Undefined if it concerns only its change. */
  refusesAll?: (change: Change, refusal: Failure) => Promise<Failure | undefined>;
  journal?: Journal;
  /** The state of an earlier run of the same input, and its requests without an answer. */
  earlier?: { replay: JournalReplay; lost: readonly Lost[] } | undefined;
  /** Unknown changes of the earlier run are sent again if settling does not clear them. */
  retryUnknown?: boolean;
}

export class Engine<R extends ChangeRow = ChangeRow> {
  readonly #transport: Transport;
  readonly #options: Options;
  readonly #dispatch: Dispatch;
  readonly #pending: Pending;
  readonly #dependencies = new Dependencies();
  /** Rows that are read and not yet reported. */
  readonly #rows: R[] = [];
  /** The results of their changes. */
  readonly #results = new Map<Key, ChangeResult>();
  #stopped: Failure | undefined;
  #failures = 0;
  /** Requests in a row without an answer. */
  #silent = 0;

  constructor(transport: Transport, options: Options) {
    this.#transport = transport;
    this.#options = options;
    const { clock, signals, settle, journal = noJournal, merge = true } = options;
    this.#pending = new Pending(merge);
    const learn = this.#pending.learn.bind(this.#pending);
    this.#dispatch = new Dispatch({ transport, journal, clock, signals, settle, learn }, this);
  }

  /** Why nothing more is sent. Undefined while sending continues. */
  get stopped(): Failure | undefined {
    const { stop } = this.#options.signals;
    if (stop.aborted) this.stop(new Cancelled("interrupted", signalOf(stop.reason), { outcome: "not_sent" }));
    return this.#stopped;
  }

  /** The first reason counts. */
  stop(why: Failure): void {
    this.#stopped ??= why;
  }

  /** Yields the result of each row, in the order of the source. Throws only bugs. */
  async *run(rows: readonly R[]): AsyncGenerator<Finished<R>> {
    const { order, ahead = order ? rows.length : most } = this.#options;
    await this.#recover();
    for (let next = 0; ; ) {
      for (let finished = this.#shift(); finished; finished = this.#shift()) yield finished;
      if (next < rows.length && this.#rows.length < ahead) {
        this.#admit(rows[next++]!);
        if (order && next === rows.length) this.#pending.arrange(order);
        continue;
      }
      const request = this.#pending.take();
      if (!request) return;
      await this.#perform(request);
    }
  }

  /** Returns the first row if it is finished. */
  #shift(): Finished<R> | undefined {
    const [row] = this.#rows;
    if (!row) return undefined;
    const keys = row.changes.map((_, part) => keyOf(row.row, part));
    const results = keys.flatMap((key) => this.#results.get(key) ?? []);
    if (results.length < keys.length) return undefined;
    for (const key of keys) this.#results.delete(key);
    this.#rows.shift();
    return { row, results };
  }

  #admit(row: R): void {
    const replay = this.#options.earlier?.replay;
    this.#rows.push(row);
    for (const [part, change] of row.changes.entries()) {
      const key = keyOf(row.row, part);
      const known = replay?.known(key);
      this.#dependencies.recall(change, known?.outcome);
      const doubt = known?.outcome === "unknown" ? known.failure : undefined;
      const again = doubt !== undefined || (replay?.again(key) ?? false);
      const task = { key, change, ...(row.changes.length > 1 && { parts: row.changes.length }), again, doubt };
      const result = this.#known(task, known, row.verdicts?.[part]);
      if (result) this.#conclude(task, result);
      else this.#pending.add(task);
    }
  }

  /** Returns a known result from an earlier run or from reading. */
  #known(
    { change, doubt }: Task,
    known: ChangeResult | undefined,
    verdict: ChangeResult | undefined,
  ): ChangeResult | undefined {
    if (known && !doubt) return known;
    const read = verdict ?? (change.unchanged && !change.relies ? unchanged : undefined);
    if (read?.outcome === "done" || !doubt) return read;
    return this.#options.retryUnknown ? undefined : this.#doubtful(doubt, change);
  }

  /** It stays unknown, with the command that finds out. */
  #doubtful({ message, details }: Failure, { verifyWith }: Change): ChangeResult {
    this.#options.signals.underway++;
    const hint = details.hint ?? `Check with: ${verifyWith}`;
    return { outcome: "unknown", failure: new Unknown(message, { ...details, hint }) };
  }

  /** Sends a request and its parts. */
  async #perform(whole: Request): Promise<void> {
    const { stopped } = this;
    const open: Task[] = [];
    for (const task of whole.tasks) {
      const verdict = stopped ? notSent(stopped) : this.#dependencies.verdict(task);
      if (verdict) this.#finish(task, verdict);
      else open.push(task);
    }
    if (!isSome(open)) return;
    const ready = partial(whole, open);
    const request = this.#dependencies.updated(ready);
    if ("outcome" in request) {
      for (const task of open) this.#finish(task, request);
      return;
    }
    const { known, rest } = await this.#dispatch.perform(request);
    for (const { task, result } of known) {
      this.#finish(task, result);
      if (result.outcome !== "refused") continue;
      const reason = await this.#options.refusesAll?.(task.change, result.failure);
      if (reason) this.stop(reason);
    }
    this.#count(known.map(({ result }) => result.outcome));
    for (const each of rest) await this.#perform(each);
  }

  #count(outcomes: readonly ChangeResult["outcome"][]): void {
    const { mostFailures = Number.POSITIVE_INFINITY, signals } = this.#options;
    const failed = outcomes.filter((each) => each === "refused" || each === "unknown").length;
    this.#failures += failed;
    if (failed && this.#failures >= mostFailures)
      this.stop(new Partial(`stopped after ${this.#failures === 1 ? "a failure" : `${this.#failures} failures`}`));
    if (outcomes.includes("unknown")) {
      signals.underway++;
      this.#silent++;
    } else this.#silent = 0;
    if (this.#silent >= mostSilent)
      this.stop(new Unreachable(`the last ${mostSilent} requests got no answer`, { outcome: "not_sent" }));
  }

  /** A repetition that was not sent or was refused says nothing about the first request. */
  #finish(task: Task, result: ChangeResult): void {
    const { change, doubt } = task;
    this.#dependencies.learn(change, result);
    this.#report(task, result);
    const open = doubt && (result.outcome === "not_sent" || result.outcome === "refused");
    this.#conclude(task, open ? this.#doubtful(doubt, change) : result);
  }

  #conclude(task: Task, result: ChangeResult): void {
    this.#dependencies.finished(task, result);
    this.#results.set(task.key, result);
  }

  /** Logs results. An earlier run has logged its own. */
  #report({ key, change }: Task, result: ChangeResult): void {
    if (!this.#transport.concluded) return;
    const sent = sentChangeOf(this.#dependencies.identified(change), result);
    if (sent) this.#transport.concluded({ ...sent, row: key });
  }

  /** Settles the requests of an earlier run before anything is sent. */
  async #recover(): Promise<void> {
    const { earlier } = this.#options;
    if (!earlier) return;
    const { replay } = earlier;
    for (const sent of replay.open()) await this.#dispatch.record({ unanswered: sent, error: errorRecord(lost()) });
    for (const { sent, request } of earlier.lost) {
      for (const { change } of request.tasks) this.#dependencies.recall(change, "unknown");
      const settled = await this.#dispatch.settle(request);
      const entry = settlement(sent, settled, lost());
      if (!entry) continue;
      await this.#dispatch.record(entry);
      replay.learn(entry);
      if (settled === "applied") for (const task of request.tasks) this.#report(task, applied);
    }
  }
}
