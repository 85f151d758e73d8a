/** The rows of an input with what they would change: all are examined before anything is sent. */
import type { Word } from "../argv/given.ts";
import type { Change } from "../engine/change.ts";
import type { ChangeRow } from "../engine/task.ts";
import { type Key, keyOf } from "../engine/task.ts";
import { Cancelled, signalOf, Usage } from "../errors.ts";
import type { Question } from "../question.ts";
import type { AnyOperation } from "../wire/operation.ts";
import type { World } from "../world.ts";
import type { Memberships, ValuesOfRows } from "./earlier-rows.ts";
import type { Item, Reader } from "./reader.ts";
import type { RowWord } from "./template.ts";

/** A row as the engine takes it. */
export interface Found extends ChangeRow {
  /** As it stands in the input, without its end. */
  raw: string;
  /** What is wrong with it; such a row is not sent. */
  problem?: Problem;
}

/** Gives the changes of one command line. Throws `Usage` where the command line is wrong, and then only. */
export type Make = (words: readonly Word[], item: Pick<Item, "line" | "bare">) => Promise<Change[]>;

/** The places of the words that a flag or an operand has its values from. */
export type Locate = (words: readonly Word[], at: string) => Promise<number[]>;

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

/** Rows between two turns of the event loop: in between the process gets to hear of Ctrl-C. */
const several = 256;

export class Validation {
  /** All rows, the bad ones without changes. */
  readonly found: Found[] = [];
  /** Rows of which an earlier run has finished every change. */
  finished = 0;
  readonly problems: Problem[] = [];
  /** The first rows that a person must confirm, and how many there are. */
  readonly toConfirm: Confirmation[] = [];
  confirmations = 0;
  /** Changes that are shown by `--diff`, and how many of them differ and are to be an exit code; changes that are sent. */
  readonly diff = { shown: 0, differing: 0, sent: 0 };
  /** A change of each operation. */
  readonly samples = new Map<AnyOperation, Change>();
  /** The flags and operands that bad rows are wrong in and that were typed after `--`; undefined for other faults. */
  readonly #typed = new Set<string | undefined>();
  readonly #name: string;
  readonly #reader: Reader;
  readonly #maker: { make: Make; locate: Locate };
  readonly #memberships: Memberships;
  readonly #values: ValuesOfRows;
  readonly #world: Pick<World, "signals">;

  /** `values` learn what the rows set, where rows are compared with what earlier ones make. */
  constructor(
    name: string,
    reader: Reader,
    maker: { make: Make; locate: Locate },
    { memberships, values }: { memberships: Memberships; values: ValuesOfRows },
    world: Pick<World, "signals">,
  ) {
    this.#name = name;
    this.#reader = reader;
    this.#maker = maker;
    this.#memberships = memberships;
    this.#values = values;
    this.#world = world;
  }

  get rows(): number {
    return this.found.length;
  }

  /** The problem of all rows where what was typed after `--` is wrong. */
  get common(): Problem | undefined {
    const [flag] = this.#typed;
    return this.#typed.size === 1 && flag !== undefined && this.problems.length === this.rows
      ? this.problems[0]
      : undefined;
  }

  /** Reads all rows and finds what is wrong with them. Rows about which `settled` says yes need no confirmation. */
  async run(settled: (key: Key) => boolean): Promise<void> {
    const { stop } = this.#world.signals;
    for await (const item of this.#reader.rows()) {
      if (item.row % several === 0) await new Promise(setImmediate);
      if (stop.aborted) throw interrupted(stop);
      const found = await this.#found(item);
      this.found.push(found);
      if (found.problem) {
        this.problems.push(found.problem);
        continue;
      }
      this.#values.learn(found.changes);
      if (isFinished(found, settled)) this.finished++;
      for (const [part, change] of found.changes.entries())
        this.#count(item.line, change, settled(keyOf(item.row, part)));
    }
  }

  #count(line: number, change: Change, settled: boolean): void {
    if (!change.unchanged) this.samples.set(change.operation, this.samples.get(change.operation) ?? change);
    if (change.diff) {
      this.diff.shown++;
      if (change.diff.differs && change.diff.exitCode) this.diff.differing++;
      return;
    }
    this.diff.sent++;
    if (!change.confirm || change.unchanged || settled) return;
    this.confirmations++;
    if (this.toConfirm.length < 3) this.toConfirm.push({ line, question: change.confirm });
  }

  async #found(item: Item): Promise<Found> {
    const { row, raw, line, command } = item;
    const bad = (problem: Problem): Found => ({ row, changes: [], raw, problem });
    const file = this.#name;
    if ("message" in command) {
      this.#typed.add(undefined);
      return bad({ file, line, ...command });
    }
    try {
      const changes = await this.#maker.make(
        command.map(({ word }) => word),
        item,
      );
      const contradiction = this.#memberships.examine(line, changes);
      if (!contradiction) return { row, changes, raw };
      const column = await this.#columnOf(contradiction.at, command);
      return bad({ file, line, ...column, message: contradiction.message });
    } catch (failure) {
      if (!(failure instanceof Usage)) throw failure;
      const { message, details, at } = failure;
      const { hint } = details;
      return bad({ file, line, ...(await this.#columnOf(at, command)), message, ...(hint && { hint }) });
    }
  }

  /** Where the value of the flag or operand stands that is wrong, where it stands in one column alone. */
  async #columnOf(at: string | undefined, words: readonly RowWord[]): Promise<{ column?: string | number }> {
    const line = words.map(({ word }) => word);
    const places = at === undefined ? [] : await this.#maker.locate(line, at);
    const columns = places.map((place) => words[place]?.column);
    this.#typed.add(columns.length && columns.every((each) => each === undefined) ? at : undefined);
    const [column] = new Set(columns).size === 1 ? columns : [];
    return column === undefined ? {} : { column };
  }
}
