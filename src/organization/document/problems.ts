/** What is wrong with files, as it is found. */
import type { Place, Problem } from "../content.ts";

/** More than anybody reads. */
const most = 1000;

export const inWords = ({ file, line, column }: Place): string => `${file}, line ${line}, column ${column}`;

export class Problems {
  readonly #kept: Problem[] = [];
  readonly #told = new Set<string>();
  #more = false;

  /** More than are kept where there is more. */
  get count(): number {
    return this.#kept.length + (this.#more ? 1 : 0);
  }

  /** There is more: nobody need look any further. */
  overflow(): void {
    this.#more = true;
  }

  /** The place is asked for where the problem is kept alone. */
  add(place: () => Place, says: string | (() => string)): void {
    if (this.#kept.length === most) {
      this.overflow();
      return;
    }
    const problem = { place: place(), says: typeof says === "string" ? says : says() };
    const told = `${inWords(problem.place)}: ${problem.says}`;
    // What aliases and lists in files stand for is met several times.
    if (this.#told.has(told)) return;
    this.#told.add(told);
    this.#kept.push(problem);
  }

  /** How many are still kept. */
  get room(): number {
    return most - this.#kept.length;
  }

  /** Files in the order in which they are given; what a list's file is wrong in comes after them. */
  sorted(files: readonly string[]): readonly Problem[] {
    const rank = ({ file }: Place) => (files.indexOf(file) + files.length + 1) % (files.length + 1);
    return this.#kept.toSorted(
      ({ place: a }, { place: b }) => rank(a) - rank(b) || a.line - b.line || a.column - b.column,
    );
  }
}
