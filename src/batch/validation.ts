/** Checks all rows of an input before anything is sent. */
import { HelpShown, type Program } from "../cli/program.ts";
import type { Change } from "../engine/change.ts";
import { Cancelled, Failure, NoChangeRequested, Refused, signalOf, Usage } from "../errors.ts";
import { CurrentValues } from "../resolve/current-values.ts";
import { MemberLists } from "../resolve/member-lists.ts";
import { type KnownNames, Resolver } from "../resolve/resolver.ts";
import type { Context } from "../run/context.ts";
import type { LeftOut, RowProblem, RunRow } from "../run/journal/row.ts";
import type { Shell } from "../run/shell.ts";
import type { AnyOperation } from "../wire/operation.ts";
import type { World } from "../world/world.ts";
import { EarlierRows } from "./earlier-rows.ts";
import type { Attachments } from "./input.ts";
import type { InputRow, RowReader } from "./reader.ts";
import type { RowWord } from "./template.ts";

/** After so many rows the event loop runs, so that Ctrl-C works. */
const rowsPerTurn = 256;

interface RowState {
  meanings: KnownNames;
  attachments: Attachments;
  earlier: EarlierRows;
}

const changesNothing = (): never => {
  throw new NoChangeRequested("this command changes nothing: a batch takes only commands that change something");
};

/**
 * Replaces the context of a single command. All rows share it, so names are looked up once. `alike`: all rows run the
 * same command.
 */
function rowContext(
  context: Context,
  { meanings, attachments, earlier, alike }: RowState & { alike: boolean },
): Context {
  const { world } = context;
  const files = { ...world.files, stream: (path: string) => attachments.stream(path) };
  const rowWorld: World = {
    ...world,
    files,
    // A new object for each row: no row may see what an earlier one has read.
    get stdin() {
      return {
        isTerminal: false,
        bytes: (): never => {
          throw new Usage("a batch row cannot read stdin");
        },
      };
    },
  };
  const names = new Resolver(context.server, { meanings, note: context.note });
  // Rows of several commands can reactivate people and then add them.
  if (!alike) names.isDeactivated = async () => false;
  return {
    ...context,
    world: rowWorld,
    names,
    memberLists: new MemberLists(context.server, earlier),
    currentValues: new CurrentValues(context.server, earlier),
    line: 0,
    // The server's level is checked for each row when it is sent.
    checkSupported: async () => undefined,
    ask: changesNothing,
    askAll: changesNothing,
    list: changesNothing,
    showInstead: changesNothing,
  };
}

export class Validation {
  /** Bad rows have no changes. */
  readonly rows: RunRow[] = [];
  readonly problems: RowProblem[] = [];
  /** How many rows the run is not about. */
  readonly leftOut: Record<LeftOut, number> = { skipped: 0, not_selected: 0 };
  /** Changes shown by `--diff`, how many of them differ, and changes that are sent. */
  readonly diff = { shown: 0, differing: 0, sent: 0 };
  /** One change of each operation. */
  readonly samples = new Map<AnyOperation, Change>();
  /** The typed flags and operands that are wrong in bad rows. Undefined for other errors. */
  readonly #wrongFlags = new Set<string | undefined>();
  readonly #context: Context;
  readonly #earlier = new EarlierRows();
  readonly #program: Program;
  #collected: Change[] | undefined;

  /** `programFor`: returns the program whose commands run in a shell. */
  constructor(
    shell: Shell,
    programFor: (shell: Shell) => Program,
    private readonly reader: RowReader,
    context: Context,
    words: readonly string[],
    state: Pick<RowState, "meanings" | "attachments">,
  ) {
    this.#context = rowContext(context, { ...state, earlier: this.#earlier, alike: words.length > 0 });
    this.#context.listSeparator = reader.selection.separator;
    const commit = (changes: Change[]) => {
      this.#collected = changes;
    };
    this.#program = programFor(shell.forRows({ context: this.#context, commit }));
  }

  /** Has the names that rows have looked up. */
  get names(): Context["names"] {
    return this.#context.names;
  }

  /** The number of rows that the run is about. */
  get selected(): number {
    return this.rows.length - this.leftOut.skipped - this.leftOut.not_selected;
  }

  /** The error of all rows if the words after `--` are wrong. */
  get commonProblem(): RowProblem | undefined {
    const [flag] = this.#wrongFlags;
    return this.#wrongFlags.size === 1 && flag !== undefined && this.problems.length === this.selected
      ? this.problems[0]
      : undefined;
  }

  /** Reads all rows and finds errors. */
  async run(): Promise<void> {
    const { stop } = this.#context.world.signals;
    for await (const item of this.reader.rows()) {
      if (item.row % rowsPerTurn === 0) await new Promise(setImmediate);
      if (stop.aborted) throw new Cancelled("interrupted; nothing was sent", signalOf(stop.reason));
      const row = await this.#check(item);
      this.rows.push(row);
      if (row.problem) this.problems.push(row.problem);
      for (const change of row.changes) this.#count(change);
    }
  }

  #count(change: Change): void {
    if (!change.unchanged) this.samples.set(change.operation, this.samples.get(change.operation) ?? change);
    if (change.diff) {
      this.diff.shown++;
      if (change.diff.differs && change.diff.exitCode) this.diff.differing++;
      return;
    }
    this.diff.sent++;
  }

  async #check(item: InputRow): Promise<RunRow> {
    const { row, raw, line, command } = item;
    const leftOutRow = (leftOut: LeftOut): RunRow => {
      this.leftOut[leftOut]++;
      return { row, line, changes: [], leftOut };
    };
    if (item.leftOut) return leftOutRow(item.leftOut);
    const invalidRow = (problem: Omit<RowProblem, "file" | "line">): RunRow => ({
      row,
      line,
      changes: [],
      raw,
      problem: { file: this.reader.input.name, line, ...(item.sharesLine && { row }), ...problem },
    });
    if ("message" in command) {
      this.#wrongFlags.add(undefined);
      return invalidRow(command);
    }
    try {
      const changes = await this.#changes(item, command);
      this.#earlier.add(line, changes);
      // A copy, since an array that has grown has room for 17.
      return { row, line, changes: [...changes], raw };
    } catch (failure) {
      // A search with the values of this row, such as an unknown channel.
      if (failure instanceof Refused && failure.details.code === "BAD_NARROW")
        return invalidRow({ message: failure.message });
      if (!(failure instanceof Usage)) throw failure;
      const { message, flag } = failure;
      const { hint } = failure.details;
      if (failure.emptyColumn !== undefined && this.reader.selection.skipEmpty) return leftOutRow("skipped");
      const words = await this.#wordsOf(flag, command);
      const [empty = failure.emptyColumn] = new Set(words.map(({ emptyColumn }) => emptyColumn));
      if (empty !== undefined && !message.startsWith(`${flag} is empty: `))
        return invalidRow({ column: empty, message: "the cell is empty" });
      return invalidRow({ ...columnOf(words), message, ...(hint && { hint }) });
    }
  }

  /** Returns the changes of a command line. Throws only `Usage`. */
  async #changes({ line, cell, hasOmittedWords }: InputRow, command: readonly RowWord[]): Promise<Change[]> {
    this.#collected = undefined;
    this.#context.line = line;
    this.#context.cell = cell;
    try {
      await this.#program.run(command.map(({ word }) => word));
    } catch (error) {
      if (hasOmittedWords && error instanceof NoChangeRequested) return [];
      if (error instanceof HelpShown) throw new Usage("--help and --version are not allowed in a row");
      if (error instanceof Failure && error.kind !== "usage") error.details.outcome ??= "not_sent";
      throw error;
    }
    return this.#collected ?? changesNothing();
  }

  /** Returns the words of the flag or operand that is wrong. */
  async #wordsOf(at: string | undefined, words: readonly RowWord[]): Promise<RowWord[]> {
    const line = words.map(({ word }) => word);
    const places = at === undefined ? [] : await this.#program.indexesOf(line, at);
    const wrong = places.flatMap((place) => words[place] ?? []);
    this.#wrongFlags.add(wrong.length && wrong.every(({ column }) => column === undefined) ? at : undefined);
    return wrong;
  }
}

/** Returns the column of the wrong value, if it is in one column. */
function columnOf(words: readonly RowWord[]): { column?: string | number } {
  const [column, ...others] = new Set(words.map((word) => word.column));
  return column === undefined || others.length ? {} : { column };
}
