/** The rows of an input with what they would change: examined whole before anything is sent, then read again and sent. */
import type { Change } from "../engine/change.ts";
import type { ChangeRow } from "../engine/task.ts";
import { type Key, keyOf } from "../engine/task.ts";
import { Cancelled, signalOf, Usage, type WordAt } from "../errors.ts";
import type { Question } from "../question.ts";
import type { AnyOperation } from "../wire/operation.ts";
import type { World } from "../world.ts";
import type { ValuesOfRows } from "./earlier-values.ts";
import type { Memberships } from "./memberships.ts";
import type { Item, Reader } from "./reader.ts";
import { type Blame, blame } from "./template.ts";

/** A row as the engine takes it. */
export interface Found extends ChangeRow {
  /** As it stands in the input, without its end. */
  raw: string;
  /** What is wrong with it; such a row is not sent. */
  problem?: Problem;
}

/** Gives the changes of one command line. Throws `Usage` where the command line is wrong, and then only. */
export type Make = (words: readonly string[], row: Pick<Item, "line" | "bare">) => Promise<Change[]>;

export interface Problem {
  file: string;
  line: number;
  column?: string | number;
  message: string;
  hint?: string;
}

/** A bad row as its record tells of it. */
export const invalid = ({ line, column, message, hint }: Problem): Usage =>
  new Usage(message, { outcome: "not_sent", hint, more: { line, ...(column !== undefined && { column }) } });

/** A row that is to be confirmed. */
export interface Confirmation {
  line: number;
  question: Question;
}

const interrupted = ({ reason }: AbortSignal): Cancelled =>
  new Cancelled("interrupted; nothing was sent", signalOf(reason));

/** True for a row with changes where `settled` says yes about each. */
export const isFinished = ({ row, changes }: Found, settled: (key: Key) => boolean): boolean =>
  changes.length > 0 && changes.every((_, part) => settled(keyOf(row, part)));

/** What is remembered of an input at most. */
const most = { rows: 10_000, characters: 4 * 1024 * 1024 };

/** Rows between two turns of the event loop. */
const several = 256;

export class Validation {
  rows = 0;
  /** Rows of which an earlier run has finished every change. */
  finished = 0;
  readonly problems: Problem[] = [];
  /** What all bad rows have in common as long as none blames a column or its own place in the input. */
  #common: (Pick<Problem, "message" | "hint"> & Pick<Blame, "on">) | undefined;
  #different = false;
  /** The first rows that a person must confirm, and how many there are. */
  readonly toConfirm: Confirmation[] = [];
  confirmations = 0;
  /** Changes that are shown by `--diff`, and how many of them differ and are to be an exit code; changes that are sent. */
  readonly diff = { shown: 0, differing: 0, sent: 0 };
  /** A change of each operation. */
  readonly samples = new Map<AnyOperation, Change>();
  /** Changes of the rows that were asked for. */
  readonly kept = new Map<Key, Change>();
  readonly #name: string;
  readonly #reader: Reader;
  readonly #make: Make;
  readonly #memberships: Memberships;
  readonly #values: ValuesOfRows;
  /** Rows that contradict earlier ones. */
  readonly #contradicting = new Map<number, Problem>();

  readonly #world: Pick<World, "signals">;
  /** The first rows, so that their command lines need not be made out twice. */
  readonly #remembered: (Found | undefined)[] = [];
  #size = 0;

  /** `values` learn what the rows set, where rows are compared with what earlier ones make. */
  constructor(
    name: string,
    reader: Reader,
    make: Make,
    { memberships, values }: { memberships: Memberships; values: ValuesOfRows },
    world: Pick<World, "signals">,
  ) {
    this.#name = name;
    this.#reader = reader;
    this.#make = make;
    this.#memberships = memberships;
    this.#values = values;
    this.#world = world;
  }

  /**
   * Reads all rows and finds what is wrong with them. Changes of the rows in `keep` are kept; rows in doubt about which
   * `settled` says yes need no confirmation any more.
   */
  async run(keep: ReadonlySet<Key>, settled: (key: Key) => boolean): Promise<void> {
    const { stop } = this.#world.signals;
    for await (const item of this.#items()) {
      if (stop.aborted) throw interrupted(stop);
      this.rows++;
      const found = await this.#found(item);
      const contradiction = found.problem ? undefined : this.#memberships.examine(item.line, found.changes);
      if (contradiction) this.#contradicting.set(item.row, this.#problem(item, contradiction.message, contradiction));
      const bad = found.problem ?? this.#contradicting.get(item.row);
      this.#remember(bad ? { ...found, changes: [], problem: bad } : found);
      if (bad) this.problems.push(bad);
      else this.#values.learn(item.line, found.changes);
      if (!bad && isFinished(found, settled)) this.finished++;
      if (!bad)
        for (const [part, change] of found.changes.entries())
          this.#look(item, keyOf(item.row, part), change, { keep, settled });
    }
  }

  #look(
    { line }: Item,
    key: Key,
    change: Change,
    { keep, settled }: { keep: ReadonlySet<Key>; settled: (key: Key) => boolean },
  ): void {
    if (!change.unchanged) this.samples.set(change.operation, this.samples.get(change.operation) ?? change);
    if (keep.has(key)) this.kept.set(key, change);
    if (!change.diff) this.diff.sent++;
    else {
      this.diff.shown++;
      if (change.diff.differs && change.diff.exitCode) this.diff.differing++;
      return;
    }
    if (!change.confirm || change.unchanged || settled(key)) return;
    this.confirmations++;
    if (this.toConfirm.length < 3) this.toConfirm.push({ line, question: change.confirm });
  }

  #remember(found: Found): void {
    this.#size += found.raw.length;
    if (this.#remembered.length === found.row - 1 && found.row <= most.rows && this.#size <= most.characters)
      this.#remembered.push(found);
  }

  /** What is wrong with every row alike, whatever its columns hold. */
  get common() {
    return this.#different || this.problems.length < this.rows ? undefined : this.#common;
  }

  /** The rows once more, for sending. */
  async *again(): AsyncGenerator<Found> {
    if (this.#remembered.length === this.rows && this.#remembered[0]) yield* this.#all();
    else yield* this.#readAgain();
  }

  /** Every row is remembered, so that the input need not be read once more. */
  async *#all(): AsyncGenerator<Found> {
    for (let row = 1; row <= this.rows; row++) {
      if (row % several === 0) await new Promise(setImmediate);
      yield this.#recalled(row)!;
    }
  }

  #recalled(row: number): Found | undefined {
    const found = this.#remembered[row - 1];
    if (found) this.#remembered[row - 1] = undefined;
    return found;
  }

  async *#readAgain(): AsyncGenerator<Found> {
    for await (const item of this.#items()) {
      const found = this.#recalled(item.row);
      const problem = this.#contradicting.get(item.row);
      if (found) yield found;
      else yield problem ? { row: item.row, changes: [], raw: item.raw, problem } : await this.#found(item);
    }
  }

  /** In between the process gets to hear of Ctrl-C, and answers are read. */
  async *#items(): AsyncGenerator<Item> {
    for await (const item of this.#reader.rows()) {
      if (item.row % several === 0) await new Promise(setImmediate);
      yield item;
    }
  }

  async #found(item: Item): Promise<Found> {
    const { row, raw, command } = item;
    if ("message" in command) return { row, changes: [], raw, problem: this.#problem(item, command.message, command) };
    try {
      return {
        row,
        changes: await this.#make(
          command.map(({ text, marked = text }) => marked),
          item,
        ),
        raw,
      };
    } catch (failure) {
      if (!(failure instanceof Usage)) throw failure;
      const { message, details, at } = failure;
      return { row, changes: [], raw, problem: this.#problem(item, message, { hint: details.hint, at }) };
    }
  }

  #problem(
    { line, command }: Item,
    message: string,
    { column, hint, at: word }: { column?: string | number; hint?: string | undefined; at?: WordAt | undefined },
  ): Problem {
    const blamed: Blame = "message" in command ? { on: "column" } : blame(word, command);
    const at = column ?? blamed.column;
    if (blamed.on === "column") this.#different = true;
    this.#common ??= { message, hint, on: blamed.on };
    this.#different ||= this.#common.message !== message;
    return { file: this.#name, line, ...(at !== undefined && { column: at }), message, ...(hint && { hint }) };
  }
}
