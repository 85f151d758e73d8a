/** Lists of people and groups of which a part stands in files of its own: `@file`, one a line. */
import { strip } from "../../folding.ts";
import { file } from "../file.ts";
import type { Path, Place } from "../place.ts";
import { members, type Names } from "../shape.ts";
import { type Budget, tooMany } from "./budget.ts";
import { visit } from "./names.ts";
import type { Parsed } from "./parse.ts";
import type { Problems } from "./problems.ts";
import { type Source, type SourceText, textOf } from "./source.ts";

/** Reads a list that stands in a file, by the words behind the @ and the file that names it; or says why it cannot. */
export type ReadList = (path: string, from: string) => Promise<Source | { readonly wrong: string }>;

/** Items of a list that came from one place: from an index on, either of the list as it was written or of a file's lines. */
interface Run {
  readonly from: number;
  readonly written: number;
  readonly lines?: Lines;
}

interface Lines {
  readonly source: SourceText;
  readonly names: readonly string[];
  /** Where each of the names begins. */
  readonly offsets: readonly number[];
}

/** Files that lists name, each read once. */
export class Lists {
  readonly #read: ReadList;
  readonly #budget: Budget;
  readonly #problems: Problems;
  readonly #size: (bytes: number, place: () => Place) => boolean;
  readonly #known = new Map<string, Lines | { readonly wrong: string }>();

  /** `size` is told the bytes of each file, and says whether they are not too many. */
  constructor(
    read: ReadList,
    budget: Budget,
    problems: Problems,
    size: (bytes: number, place: () => Place) => boolean,
  ) {
    this.#read = read;
    this.#budget = budget;
    this.#problems = problems;
    this.#size = size;
  }

  /** Puts the lines of files in the place of their names, and gives what tells where the items of such lists stand. */
  async resolve({ value, tree }: Parsed): Promise<Origins> {
    const found: { list: unknown[]; path: Path; names: Names }[] = [];
    const seen = new Set<unknown[]>();
    visit(members(file), value, {
      list(names, list, path) {
        // An alias is the same list.
        if (seen.has(list) || !list.some(isFile)) return;
        seen.add(list);
        found.push({ list, path: [...path], names });
      },
    });
    const runs = new Map<number, readonly Run[]>();
    for (const { list, path, names } of found) {
      const { node } = tree.find(path);
      runs.set(tree.meaning(node), await this.#fill(list, names, (n) => tree.at([...path, n])));
    }
    return new Origins({ value, tree }, runs);
  }

  async #fill(list: unknown[], names: Names, at: (item: number) => Place): Promise<Run[]> {
    const written = [...list];
    const runs: Run[] = [];
    list.length = 0;
    for (const [n, item] of written.entries()) {
      if (!isFile(item)) {
        if (runs.at(-1)?.lines || !runs.length) runs.push({ from: list.length, written: n });
        list.push(item);
        continue;
      }
      const place = () => at(n);
      const lines = await this.#lines(item.slice(1), names, place);
      if ("wrong" in lines) {
        if (lines.wrong) this.#problems.add(place, lines.wrong);
        continue;
      }
      if (runs.some((run) => run.lines === lines)) {
        this.#problems.add(place, `${item} appears twice in this list`);
        continue;
      }
      if (this.#budget.spent) continue;
      if (!this.#budget.take(lines.names.length)) {
        this.#problems.add(place, `with the lines of this file: ${tooMany()}`);
        continue;
      }
      runs.push({ from: list.length, written: n, lines });
      for (const name of lines.names) list.push(name);
    }
    return runs;
  }

  async #lines(path: string, names: Names, place: () => Place): Promise<Lines | { readonly wrong: string }> {
    const source = await this.#read(path, place().file);
    if ("wrong" in source) return source;
    const key = `${names} ${source.name}`;
    const known = this.#known.get(key);
    if (known) return known;
    const lines = this.#size(source.bytes.length, place) ? this.#linesOf(source, names) : { wrong: "" };
    this.#known.set(key, lines);
    return lines;
  }

  #linesOf(read: Source, kind: Names): Lines | { readonly wrong: string } {
    const { source, wrong, offset } = textOf(read);
    if (wrong !== undefined) {
      this.#problems.add(() => source.place(offset), wrong);
      return { wrong: "" };
    }
    const [names, offsets]: [string[], number[]] = [[], []];
    for (const { 0: line, index } of source.text.matchAll(/[^\r\n]+/g)) {
      const name = strip(line);
      if (!name) continue;
      const start = index + line.indexOf(name);
      if (isFile(name)) {
        this.#problems.add(
          () => source.place(start),
          "a list file cannot name another file; write a name that begins with @ as name:@…",
        );
        continue;
      }
      if (!mayName(kind, name)) {
        // It may be any file: what it says is not shown.
        this.#problems.add(() => source.place(start), `invalid line: must be the name of a ${kind}`);
        continue;
      }
      names.push(name);
      offsets.push(start);
    }
    return { source, names, offsets };
  }
}

/** Whether a line can name a person or group. Others are not quoted anywhere. */
const mayName = (kind: Names, line: string): boolean =>
  kind === "person"
    ? /^(id:\d{1,15}|name:\P{C}{1,100}|[^\s@]{1,100}@[^\s@]{1,255})$/u.test(line)
    : /^(id:|name:)?\P{C}{1,100}$/u.test(line);

const isFile = (item: unknown): item is string => typeof item === "string" && item.startsWith("@");

/** Where the parts of a value stand, those that files of names gave included. */
export class Origins {
  readonly #parsed: Parsed;
  readonly #runs: ReadonlyMap<number, readonly Run[]>;

  constructor(parsed: Parsed, runs: ReadonlyMap<number, readonly Run[]>) {
    this.#parsed = parsed;
    this.#runs = runs;
  }

  get value(): unknown {
    return this.#parsed.value;
  }

  at(path: Path, key?: "key"): Place {
    const { tree } = this.#parsed;
    const [list, item] = [path.slice(0, -1), path.at(-1)];
    const runs =
      this.#runs.size && typeof item === "number" ? this.#runs.get(tree.meaning(tree.find(list).node)) : undefined;
    const run = runs?.findLast(({ from }) => from <= (item as number));
    if (!run) return tree.at(path, key);
    const within = (item as number) - run.from;
    return run.lines
      ? run.lines.source.place(run.lines.offsets[within] ?? 0)
      : tree.at([...list, run.written + within], key);
  }
}
