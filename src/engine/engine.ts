/** Sends the changes of rows, one or a hundred thousand: in order for each target, side by side for different ones. */
import { Cancelled, errorRecord, Failure, Partial, signalOf, TooOld, Unknown, Unreachable } from "../errors.ts";
import type { Clock, Signals } from "../world.ts";
import { Bell } from "./bell.ts";
import type { Carrier } from "./carrier.ts";
import { type Change, type Delivery, unchanged } from "./change.ts";
import { applied, Dispatch, type Fates, type Lacking } from "./dispatch.ts";
import { Growth } from "./growth.ts";
import { type Journal, noJournal } from "./journal.ts";
import { Lines } from "./lines.ts";
import { halves, type Key, keyOf, type Piece, type Request, shares } from "./piece.ts";
import { type Lost, lost } from "./recall.ts";
import { settleable } from "./settle.ts";
import { type Finished, type Row, Window } from "./window.ts";

/** What an earlier run of the same input has left. */
export interface Earlier {
  known(key: Key): Delivery | undefined;
  again(key: Key): boolean;
  /** Requests whose answer is missing, to be settled before anything is sent. */
  lost: readonly Lost[];
  /** Requests that were on their way when that run ended. */
  open: readonly number[];
}

export interface Options {
  clock: Clock;
  signals: Signals;
  /** How many requests may be on their way at once. */
  concurrency?: number;
  merge?: boolean;
  /** How many rows are read ahead, so that merged requests can fill. */
  ahead?: number;
  /** Milliseconds for which a lost membership change is looked for; undefined where it is not. */
  settle?: number;
  /** After so many refused or unknown changes nothing new is sent. */
  mostFailures?: number;
  journal?: Journal;
  earlier?: Earlier;
  /** Unknown changes of the earlier run are sent again where settling does not clear them. */
  retryUnknown?: boolean;
}

/** Rows that are read ahead where nothing else is said. */
const most = 4096;
/** Changes in a row that got no answer, before the run is given up. */
const mostSilent = 20;

export class Engine<R extends Row = Row> {
  readonly #options: Options;
  readonly #dispatch: Dispatch;
  readonly #lines: Lines;
  readonly #window = new Window<R>();
  readonly #bell = new Bell();
  readonly #ahead: number;
  /** Pieces of lost requests that are sent again: they wait in their line before their rows are read. */
  readonly #repeated = new Set<Key>();
  #active = 0;
  /** Nobody reads the results any more. */
  #abandoned = false;
  #failures = 0;
  #silent = 0;
  #ended = false;
  #stopped: Failure | undefined;
  #bug: unknown;

  constructor(carrier: Carrier, options: Options) {
    this.#options = options;
    this.#ahead = options.ahead ?? most;
    const { clock, signals, settle, journal = noJournal, merge = true } = options;
    const growth = new Growth(merge);
    this.#lines = new Lines((piece) => growth.most(piece));
    this.#dispatch = new Dispatch({ carrier, journal, growth, clock, signals, settle }, this.#fates());
  }

  #fates(): Fates {
    const stopped = () => this.#stopped;
    return {
      get stopped() {
        return stopped();
      },
      finish: (request, delivery) => this.#finish(request, delivery),
      refused: (request, delivery) => this.#refused(request, delivery),
      judged: (explained, rest) => this.#judged(explained, rest),
      unknown: (request, delivery) => this.#unknown(request, delivery),
      answered: () => {
        this.#silent = 0;
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
        this.#bell.ring();
      });
    try {
      for (;;) {
        const finished = this.#window.shift();
        if (finished) {
          this.#bell.ring();
          yield finished;
        } else if (over) break;
        else await this.#bell.wait();
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
      while (!this.#over && !this.#ended && this.#window.size < this.#ahead) {
        const next = await this.#next(rows);
        if (next?.done) this.#ended = true;
        else if (next) this.#admit(next.value);
        this.#start();
      }
      if (this.#ended && this.#window.size === 0 && this.#active === 0) return;
      this.#start();
      if (!this.#over) await this.#bell.wait();
    }
    while (this.#active + this.#dispatch.unwritten > 0) await this.#bell.wait();
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

  #admit(row: R): void {
    this.#window.add(row);
    const { earlier, retryUnknown } = this.#options;
    for (const [part, change] of row.changes.entries()) {
      const key = keyOf(row.row, part);
      if (this.#repeated.delete(key) || !this.#window.waitsFor(key)) continue;
      const known = earlier?.known(key);
      const doubtful = known?.outcome === "unknown";
      if (change.unchanged && (!known || doubtful)) this.#window.finish(key, unchanged);
      else if (known && !(doubtful && retryUnknown && !this.#stopped))
        this.#window.finish(key, doubtful ? this.#doubtful(known.failure, change) : known);
      else if (this.#stopped) this.#window.finish(key, { outcome: "not_sent", failure: this.#stopped });
      else {
        const doubt = doubtful ? known.failure : undefined;
        this.#lines.add({ key, change, again: doubtful || (earlier?.again(key) ?? false), doubt });
      }
    }
    this.#bell.ring();
  }

  #doubtful({ message, details }: Failure, { verifyWith }: Change): Delivery {
    this.#options.signals.underway++;
    const hint = details.hint ?? `Find out with: ${verifyWith}`;
    return { outcome: "unknown", failure: new Unknown(message, { ...details, hint }) };
  }

  /** Starts what can start. */
  #start(): void {
    const { concurrency = 1 } = this.#options;
    while (!this.#stopped && this.#bug === undefined && this.#active < concurrency) {
      const request = this.#lines.take(this.#ended || this.#window.size >= this.#ahead);
      if (!request) return;
      this.#active++;
      this.#dispatch
        .perform(request)
        .catch((bug) => this.#broken(bug))
        .finally(() => {
          this.#active--;
          this.#lines.release(request.line);
          this.#start();
          this.#bell.ring();
        });
    }
  }

  #broken(bug: unknown): void {
    this.#bug ??= bug;
    this.#bell.ring();
  }

  /** Nothing new is sent from now on; what waits is not sent. */
  #stop(why: Failure): void {
    this.#stopped ??= why;
    for (const piece of this.#lines.drain()) this.#finishPiece(piece, { outcome: "not_sent", failure: this.#stopped });
    this.#bell.ring();
  }

  /** Settles what an earlier run has left without an answer. */
  async #recover(): Promise<void> {
    const { earlier, concurrency = 1 } = this.#options;
    if (!earlier) return;
    for (const sent of earlier.open) await this.#dispatch.record({ unanswered: sent, error: errorRecord(lost()) });
    const left = earlier.lost.filter((request) => settleable(request)).values();
    const settling = async () => {
      for (const { sent, operation, args, repetition } of left) {
        const settled = await this.#dispatch.settle({ operation, args }, sent);
        const keys = repetition.pieces.map(({ key }) => key);
        if (settled === "applied") this.#finish(repetition, applied);
        if (settled !== "not_applied") continue;
        if (this.#stopped) this.#finish(repetition, { outcome: "not_sent", failure: this.#stopped });
        else {
          for (const key of keys) this.#repeated.add(key);
          this.#lines.putBack([repetition]);
        }
      }
    };
    await Promise.all(Array.from({ length: concurrency }, settling));
  }

  #refused(request: Request, delivery: Lacking): void {
    if (request.pieces.length === 1 || delivery.failure instanceof TooOld) {
      this.#finish(request, delivery);
      this.#count(request.pieces.length);
    } else if (this.#stopped) {
      this.#finish(request, { outcome: "not_sent", failure: this.#stopped });
    } else this.#lines.putBack(halves(request));
  }

  #judged(explained: readonly { piece: Piece; delivery: Delivery }[], rest: Request | undefined): void {
    for (const { piece, delivery } of explained) this.#finishPiece(piece, delivery);
    if (rest && this.#stopped) this.#finish(rest, { outcome: "not_sent", failure: this.#stopped });
    else if (rest) this.#lines.putBack([rest]);
    this.#count(explained.filter(({ delivery }) => delivery.outcome === "refused").length);
    this.#bell.ring();
  }

  #unknown(request: Request, delivery: Lacking): void {
    this.#options.signals.underway++;
    this.#finish(request, delivery);
    this.#count(request.pieces.length);
    if (++this.#silent < mostSilent) return;
    this.#stop(new Unreachable(`the last ${mostSilent} requests got no answer`, { outcome: "not_sent" }));
  }

  #finish(request: Request, delivery: Delivery): void {
    const each = delivery.outcome === "done" ? shares(request, delivery) : undefined;
    for (const [n, piece] of request.pieces.entries()) this.#finishPiece(piece, each?.[n] ?? delivery);
    this.#bell.ring();
  }

  /** That a repetition was not made, or came to nothing, does not tell what became of the request before it. */
  #finishPiece({ key, change, doubt }: Piece, delivery: Delivery): void {
    const open = doubt && (delivery.outcome === "not_sent" || delivery.outcome === "refused");
    this.#window.finish(key, open ? this.#doubtful(doubt, change) : delivery);
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
