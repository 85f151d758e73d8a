/** Sends the changes of rows, one or a hundred thousand: in order for each target, side by side for different ones. */
import { Cancelled, Failure, signalOf } from "../errors.ts";
import { BatchSizer } from "./batch-sizer.ts";
import { applied, Dispatch } from "./dispatch.ts";
import { noJournal } from "./journal.ts";
import type { Options } from "./options.ts";
import { notSent, Outcomes } from "./outcomes.ts";
import { recover } from "./recovery.ts";
import type { ChangeRow, Finished } from "./reorder-buffer.ts";
import { RunState } from "./run-state.ts";
import { TargetQueues } from "./target-queues.ts";
import { type Key, keyOf, type Task } from "./task.ts";
import type { Transport } from "./transport.ts";

/** Rows that are read ahead where nothing else is said. */
const most = 4096;

export class Engine<R extends ChangeRow = ChangeRow> {
  readonly #options: Options;
  readonly #dispatch: Dispatch;
  readonly #queues: TargetQueues;
  readonly #state = new RunState();
  readonly #outcomes: Outcomes<R>;
  readonly #ahead: number;
  /** Tasks of lost requests that are sent again: they wait in their line before their rows are read. */
  readonly #repeated = new Set<Key>();
  #active = 0;
  /** All rows are read. */
  #ended = false;

  constructor(transport: Transport, options: Options) {
    this.#options = options;
    this.#ahead = options.ahead ?? most;
    const { clock, signals, settle, journal = noJournal, merge = true } = options;
    const sizer = new BatchSizer(merge);
    this.#queues = new TargetQueues((task) => sizer.most(task));
    this.#outcomes = new Outcomes(this.#state, this.#queues, transport, options);
    this.#dispatch = new Dispatch({ transport, journal, sizer, clock, signals, settle }, this.#outcomes);
  }

  /** Why nothing new is sent any more; undefined while it is. */
  get stopped(): Failure | undefined {
    return this.#state.stopped;
  }

  /** How many requests are on their way, or being settled. */
  get underway(): number {
    return this.#active;
  }

  /** What became of each row, in the order of the source. Throws only what is a bug. */
  async *run(source: Iterable<R> | AsyncIterable<R>): AsyncGenerator<Finished<R>> {
    const { stop } = this.#options.signals;
    const interrupted = () => this.#outcomes.stop(cancelled(stop));
    if (stop.aborted) interrupted();
    else stop.addEventListener("abort", interrupted, { once: true });
    let over = false;
    const pumping = this.#pump(source)
      .catch((bug) => this.#state.broken(bug))
      .finally(() => {
        over = true;
        this.#state.notify();
      });
    try {
      for (;;) {
        const finished = this.#outcomes.buffer.shift();
        if (finished) {
          this.#state.notify();
          yield finished;
        } else if (over) break;
        else await this.#state.wait();
      }
      this.#state.throwBug();
    } finally {
      stop.removeEventListener("abort", interrupted);
      if (!over) {
        this.#state.abandon();
        this.#outcomes.stop(cancelled(stop));
      }
      await pumping;
    }
  }

  /** Reads rows and starts requests until every row is finished and nothing is on its way. */
  async #pump(source: Iterable<R> | AsyncIterable<R>): Promise<void> {
    const { buffer } = this.#outcomes;
    const state = this.#state;
    await this.#recover();
    const rows = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
    while (!state.over) {
      while (!state.over && !this.#ended && buffer.size < this.#ahead) {
        const next = await this.#next(rows);
        if (next?.done) this.#ended = true;
        else if (next) this.#admit(next.value);
        this.#start();
      }
      if (this.#ended && buffer.size === 0 && this.#active === 0) return;
      this.#start();
      this.#insist();
      if (!state.over) await state.wait();
    }
    while (this.#active + this.#dispatch.unwritten > 0) await state.wait();
    await rows.return?.();
  }

  /** A source that fails ends the run, and so does a bug in it. */
  async #next(rows: Iterator<R> | AsyncIterator<R>): Promise<IteratorResult<R> | undefined> {
    try {
      return await rows.next();
    } catch (failure) {
      if (failure instanceof Failure) this.#outcomes.stop(failure);
      else this.#state.broken(failure);
      this.#ended = true;
      return undefined;
    }
  }

  /** What waits and can never go is a mistake of whoever made the order. */
  #insist(): void {
    if (!this.#ended || this.#active + this.#dispatch.unwritten > 0 || !this.#outcomes.dependencies.size) return;
    this.#state.broken(new Error("changes wait for each other, or for none of the run"));
  }

  #admit(row: R): void {
    const { buffer, revision, recollection } = this.#outcomes;
    buffer.add(row);
    const parts = row.changes.length > 1 ? { parts: row.changes.length } : {};
    for (const [part, change] of row.changes.entries()) {
      const key = keyOf(row.row, part);
      if (this.#repeated.delete(key) || !buffer.waitsFor(key)) continue;
      revision.recall(change, this.#options.earlier?.known(key)?.outcome);
      const { result, again, doubt } = recollection.of(key, change, row.verdicts?.[part], this.stopped);
      if (result) this.#outcomes.conclude(key, change, result);
      else this.#enqueue({ key, change, ...parts, again, doubt });
    }
    this.#state.notify();
  }

  /** It goes to its line as soon as all that it needs is done. */
  #enqueue(task: Task): void {
    const { stopped } = this;
    const verdict = stopped ? notSent(stopped) : this.#outcomes.dependencies.admit(task);
    if (verdict === "ready") this.#queues.add(task);
    else if (verdict !== "waits") this.#outcomes.finishTask(task, verdict);
  }

  /** Starts what can start. */
  #start(): void {
    const { concurrency = 1 } = this.#options;
    while (!this.stopped && !this.#state.over && this.#active < concurrency) {
      const taken = this.#queues.take(this.#ended || this.#outcomes.buffer.size >= this.#ahead);
      if (!taken) return;
      const request = this.#outcomes.revision.of(taken);
      if ("outcome" in request) {
        this.#outcomes.finish(taken, request);
        this.#queues.release(taken.queue);
        continue;
      }
      this.#active++;
      this.#dispatch
        .perform(request)
        .catch((bug) => this.#state.broken(bug))
        .finally(() => {
          this.#active--;
          this.#queues.release(request.queue);
          this.#start();
          this.#state.notify();
        });
    }
  }

  /** Settles what an earlier run has left without an answer. */
  async #recover(): Promise<void> {
    const { earlier, concurrency = 1 } = this.#options;
    if (!earlier) return;
    const { revision } = this.#outcomes;
    for (const { repetition } of earlier.lost)
      for (const { change } of repetition.tasks) revision.recall(change, "unknown");
    await recover(earlier, this.#dispatch, concurrency, {
      applied: (request) => this.#outcomes.finish(request, applied),
      notApplied: (request) => {
        if (!this.stopped) for (const { key } of request.tasks) this.#repeated.add(key);
        this.#outcomes.putBack([request]);
      },
    });
  }
}

const cancelled = ({ reason }: AbortSignal): Cancelled =>
  new Cancelled("interrupted", signalOf(reason), { outcome: "not_sent" });
