/** What is wrong with files, as it is found. */
import type { Place, Problem } from "../content.ts";

/** More than anybody reads. */
const most = 1000;

export const placeText = ({ file, line, column }: Place): string => `${file}, line ${line}, column ${column}`;

export class Problems {
  readonly #kept = new Map<string, Problem>();
  #more = false;

  /** More than are kept where there is more. */
  get count(): number {
    return this.#kept.size + (this.#more ? 1 : 0);
  }

  add(place: Place, says: string): void {
    // What aliases and list files stand for is met several times.
    const text = `${placeText(place)}: ${says}`;
    if (this.#kept.size < most) this.#kept.set(text, { place, says });
    else if (!this.#kept.has(text)) this.#more = true;
  }

  /** Files in the order in which they are given; what a list's file is wrong in comes after them. */
  sorted(files: readonly string[]): readonly Problem[] {
    const rank = ({ file }: Place) => (files.indexOf(file) + files.length + 1) % (files.length + 1);
    return [...this.#kept.values()].sort(
      ({ place: a }, { place: b }) => rank(a) - rank(b) || a.line - b.line || a.column - b.column,
    );
  }
}
