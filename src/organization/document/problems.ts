/** What is wrong with files, as it is found: the first ones are kept, the others counted. */
import type { Place, Problem } from "../place.ts";

/** More than anybody reads. */
const most = 1000;

export const inWords = ({ file, line, column }: Place): string => `${file}, line ${line}, column ${column}`;

export class Problems {
  readonly #kept: Problem[] = [];
  readonly #told = new Set<string>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** The place is asked for where the problem is kept alone. */
  add(place: () => Place, says: string | (() => string)): void {
    if (this.#count >= most) {
      this.#count++;
      return;
    }
    const problem = { place: place(), says: typeof says === "string" ? says : says() };
    const told = `${inWords(problem.place)}: ${problem.says}`;
    // What aliases and lists in files stand for is met several times.
    if (this.#told.has(told)) return;
    this.#told.add(told);
    this.#count++;
    this.#kept.push(problem);
  }

  /** How many are still kept. */
  get room(): number {
    return Math.max(0, most - this.#count);
  }

  /** Files in the order in which they are given; what a list's file is wrong in comes after them. */
  sorted(files: readonly string[]): readonly Problem[] {
    const rank = ({ file }: Place) => (files.indexOf(file) + files.length + 1) % (files.length + 1);
    return this.#kept.toSorted(
      ({ place: a }, { place: b }) => rank(a) - rank(b) || a.line - b.line || a.column - b.column,
    );
  }

  /** What was counted elsewhere, and not told. */
  skip(others: number): void {
    this.#count += others;
  }
}
