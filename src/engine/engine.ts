/** Sends the changes of rows, one or a hundred thousand: in order for each target, side by side for different ones. */
import { errorRecord } from "../error-record.ts";
import { Cancelled, Failure, Partial, signalOf, TooOld, Unreachable } from "../errors.ts";
import { BatchSizer } from "./batch-sizer.ts";
import type { Change, ChangeResult } from "./change.ts";
import { Condition } from "./condition.ts";
import { Dependencies } from "./dependencies.ts";
import { applied, Dispatch, type DispatchListener, type Lacking } from "./dispatch.ts";
import { noJournal } from "./journal.ts";
import { lost } from "./journal-replay.ts";
import type { Options } from "./options.ts";
import { Recollection } from "./recollection.ts";
import { type ChangeRow, type Finished, ReorderBuffer } from "./reorder-buffer.ts";
import { Revision } from "./revision.ts";
import { settleable } from "./settle.ts";
import { TargetQueues } from "./target-queues.ts";
import { halves, type Key, keyOf, type Request, shares, type Task } from "./task.ts";
import type { Transport } from "./transport.ts";

/** Rows that are read ahead where nothing else is said. */
const most = 4096;
/** Changes in a row that got no answer, before the run is given up. */
const mostSilent = 20;

export class Engine<R extends ChangeRow = ChangeRow> {
  readonly #options: Options;
  readonly #dispatch: Dispatch;
  readonly #queues: TargetQueues;
  readonly #buffer = new ReorderBuffer<R>();
  readonly #condition = new Condition();
  readonly #dependencies = new Dependencies();
  readonly #revision = new Revision();
  readonly #recollection: Recollection;
  readonly #ahead: number;
  /** Tasks of lost requests that are sent again: they wait in their line before their rows are read. */
  readonly #repeated = new Set<Key>();
  #active = 0;
  #abandoned = false;
  #failures = 0;
  #silent = 0;
  #ended = false;
  #stopped: Failure | undefined;
  #bug: unknown;

  constructor(transport: Transport, options: Options) {
    this.#options = options;
    this.#recollection = new Recollection(options);
    this.#ahead = options.ahead ?? most;
    const { clock, signals, settle, journal = noJournal, merge = true } = options;
    const sizer = new BatchSizer(merge);
    this.#queues = new TargetQueues((task) => sizer.most(task));
    this.#dispatch = new Dispatch({ transport, journal, sizer, clock, signals, settle }, this.#listener());
  }

  #listener(): DispatchListener {
    const stopped = () => this.#stopped;
    return {
      get stopped() {
        return stopped();
      },
      finish: (request, result) => this.#finish(request, result),
      refused: (request, result) => this.#refused(request, result),
      judged: (explained, rest) => this.#judged(explained, rest),
      unknown: (request, result) => this.#unknown(request, result),
      answered: (request, result) => {
        this.#silent = 0;
        if (result.outcome === "done") this.#revision.answered(request, result);
      },
      stop: (why) => this.#stop(why),
      broken: (bug) => this.#broken(bug),
    };
  }

  /** Why nothing new is sent any more; undefined while it is. */
  get stopped(): Failure | undefined {
    return this.#stopped;
  }

  /** How many requests are on their way, or being settled. */
  get underway(): number {
    return this.#active;
  }

  /** What became of each row, in the order of the source. Throws only what is a bug. */
  async *run(source: Iterable<R> | AsyncIterable<R>): AsyncGenerator<Finished<R>> {
    const { stop } = this.#options.signals;
    const interrupted = () => this.#stop(cancelled(stop));
    if (stop.aborted) interrupted();
    else stop.addEventListener("abort", interrupted, { once: true });
    let over = false;
    const pumping = this.#pump(source)
      .catch((bug) => this.#broken(bug))
      .finally(() => {
        over = true;
        this.#condition.notify();
      });
    try {
      for (;;) {
        const finished = this.#buffer.shift();
        if (finished) {
          this.#condition.notify();
          yield finished;
        } else if (over) break;
        else await this.#condition.wait();
      }
      if (this.#bug !== undefined) throw this.#bug;
    } finally {
      stop.removeEventListener("abort", interrupted);
      if (!over) {
        this.#abandoned = true;
        this.#stop(cancelled(stop));
      }
      await pumping;
    }
  }

  /** Nothing more comes of reading on. */
  get #over(): boolean {
    return this.#bug !== undefined || this.#abandoned;
  }

  /** Reads rows and starts requests until every row is finished and nothing is on its way. */
  async #pump(source: Iterable<R> | AsyncIterable<R>): Promise<void> {
    await this.#recover();
    const rows = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
    while (!this.#over) {
      while (!this.#over && !this.#ended && this.#buffer.size < this.#ahead) {
        const next = await this.#next(rows);
        if (next?.done) this.#ended = true;
        else if (next) this.#admit(next.value);
        this.#start();
      }
      if (this.#ended && this.#buffer.size === 0 && this.#active === 0) return;
      this.#start();
      this.#insist();
      if (!this.#over) await this.#condition.wait();
    }
    while (this.#active + this.#dispatch.unwritten > 0) await this.#condition.wait();
    await rows.return?.();
  }

  /** A source that fails ends the run, and so does a bug in it. */
  async #next(rows: Iterator<R> | AsyncIterator<R>): Promise<IteratorResult<R> | undefined> {
    try {
      return await rows.next();
    } catch (failure) {
      if (failure instanceof Failure) this.#stop(failure);
      else this.#broken(failure);
      this.#ended = true;
      return undefined;
    }
  }

  /** What waits and can never go is a mistake of whoever made the order. */
  #insist(): void {
    if (!this.#ended || this.#active + this.#dispatch.unwritten > 0 || !this.#dependencies.size) return;
    this.#broken(new Error("changes wait for each other, or for none of the run"));
  }

  #admit(row: R): void {
    this.#buffer.add(row);
    for (const [part, change] of row.changes.entries()) {
      const key = keyOf(row.row, part);
      if (this.#repeated.delete(key) || !this.#buffer.waitsFor(key)) continue;
      this.#revision.recall(change, this.#options.earlier?.known(key)?.outcome);
      const { result, again, doubt } = this.#recollection.of(key, change, row.verdicts?.[part], this.#stopped);
      if (result) this.#conclude(key, change, result);
      else this.#enqueue({ key, change, again, doubt });
    }
    this.#condition.notify();
  }

  /** It goes to its line as soon as all that it needs is done. */
  #enqueue(task: Task): void {
    const verdict = this.#stopped ? notSent(this.#stopped) : this.#dependencies.admit(task);
    if (verdict === "ready") this.#queues.add(task);
    else if (verdict !== "waits") this.#finishPiece(task, verdict);
  }

  /** Starts what can start. */
  #start(): void {
    const { concurrency = 1 } = this.#options;
    while (!this.#stopped && this.#bug === undefined && this.#active < concurrency) {
      const taken = this.#queues.take(this.#ended || this.#buffer.size >= this.#ahead);
      if (!taken) return;
      const request = this.#revision.of(taken);
      if ("outcome" in request) {
        this.#finish(taken, request);
        this.#queues.release(taken.queue);
        continue;
      }
      this.#active++;
      this.#dispatch
        .perform(request)
        .catch((bug) => this.#broken(bug))
        .finally(() => {
          this.#active--;
          this.#queues.release(request.queue);
          this.#start();
          this.#condition.notify();
        });
    }
  }

  #broken(bug: unknown): void {
    this.#bug ??= bug;
    this.#condition.notify();
  }

  /** Nothing new is sent from now on; what waits is not sent. */
  #stop(why: Failure): void {
    this.#stopped ??= why;
    const left = [...this.#dependencies.drain(), ...this.#queues.drain()];
    for (const task of left) this.#finishPiece(task, notSent(this.#stopped));
    this.#condition.notify();
  }

  /** Settles what an earlier run has left without an answer. */
  async #recover(): Promise<void> {
    const { earlier, concurrency = 1 } = this.#options;
    if (!earlier) return;
    for (const { repetition } of earlier.lost)
      for (const { change } of repetition.tasks) this.#revision.recall(change, "unknown");
    for (const sent of earlier.open) await this.#dispatch.record({ unanswered: sent, error: errorRecord(lost()) });
    const left = earlier.lost.filter((request) => settleable(request)).values();
    const settling = async () => {
      for (const { sent, operation, args, repetition } of left) {
        const settled = await this.#dispatch.settle({ operation, args }, sent);
        const keys = repetition.tasks.map(({ key }) => key);
        if (settled === "applied") this.#finish(repetition, applied);
        if (settled !== "not_applied") continue;
        if (this.#stopped) this.#finish(repetition, notSent(this.#stopped));
        else {
          for (const key of keys) this.#repeated.add(key);
          this.#queues.putBack([repetition]);
        }
      }
    };
    await Promise.all(Array.from({ length: concurrency }, settling));
  }

  #refused(request: Request, result: Lacking): void {
    if (request.tasks.length === 1 || result.failure instanceof TooOld) {
      this.#finish(request, result);
      this.#count(request.tasks.length);
    } else if (this.#stopped) this.#finish(request, notSent(this.#stopped));
    else this.#queues.putBack(halves(request));
  }

  #judged(explained: readonly { task: Task; result: ChangeResult }[], rest: Request | undefined): void {
    for (const { task, result } of explained) this.#finishPiece(task, result);
    if (rest && this.#stopped) this.#finish(rest, notSent(this.#stopped));
    else if (rest) this.#queues.putBack([rest]);
    this.#count(explained.filter(({ result }) => result.outcome === "refused").length);
    this.#condition.notify();
  }

  #unknown(request: Request, result: Lacking): void {
    this.#options.signals.underway++;
    this.#finish(request, result);
    this.#count(request.tasks.length);
    if (++this.#silent < mostSilent) return;
    this.#stop(new Unreachable(`the last ${mostSilent} requests got no answer`, { outcome: "not_sent" }));
  }

  #finish(request: Request, result: ChangeResult): void {
    if (result.outcome !== "done") this.#revision.answered(request, result);
    const each = result.outcome === "done" ? shares(request, result) : undefined;
    for (const [n, task] of request.tasks.entries()) this.#finishPiece(task, each?.[n] ?? result);
    this.#condition.notify();
  }

  /** That a repetition was not made, or came to nothing, does not tell what became of the request before it. */
  #finishPiece({ key, change, doubt }: Task, result: ChangeResult): void {
    this.#dispatch.concluded(key, this.#revision.identified(change), result);
    const open = doubt && (result.outcome === "not_sent" || result.outcome === "refused");
    this.#conclude(key, change, open ? this.#recollection.doubtful(doubt, change) : result);
  }

  #conclude(key: Key, change: Change, result: ChangeResult): void {
    this.#revision.finished(change, result);
    this.#buffer.finish(key, result);
    for (const { task, result: lost } of this.#dependencies.finish(key, change, result))
      if (lost) this.#finishPiece(task, lost);
      else this.#queues.add(task);
  }

  #count(changes: number): void {
    const { mostFailures = Number.POSITIVE_INFINITY } = this.#options;
    this.#failures += changes;
    if (!changes || this.#failures < mostFailures || this.#stopped) return;
    this.#stop(new Partial(`stopped after ${this.#failures === 1 ? "a failure" : `${this.#failures} failures`}`));
  }
}

const cancelled = ({ reason }: AbortSignal): Cancelled =>
  new Cancelled("interrupted", signalOf(reason), { outcome: "not_sent" });

const notSent = (failure: Failure): ChangeResult => ({ outcome: "not_sent", failure });
