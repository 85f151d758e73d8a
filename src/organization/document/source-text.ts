/** Texts of files, places in them, and problems at those places. */

import { LineCounter } from "yaml";
import { foreignContent } from "../../common/foreign-content.ts";
import { membersOf } from "../../common/object-members.ts";
import { MiB } from "../../common/unit-sizes.ts";
import { type FileProblem, isEntry, type Location, type Path } from "../content.ts";

/** The largest number of problems kept. */
const maxProblems = 1000;

export const locationText = ({ file, line, column }: Location): string => `${file}, line ${line}, column ${column}`;

export class Problems {
  readonly #problems = new Map<string, FileProblem>();
  #hasMore = false;

  /** The number of problems kept, plus one if there are more. */
  get count(): number {
    return this.#problems.size + (this.#hasMore ? 1 : 0);
  }

  add(location: Location, message: string): void {
    // Aliases and list files can report one problem several times.
    const text = `${locationText(location)}: ${message}`;
    if (this.#problems.size < maxProblems) this.#problems.set(text, { location, message });
    else if (!this.#problems.has(text)) this.#hasMore = true;
  }

  /** Sorts problems by the order of the files. Problems in list files come last. */
  sorted(files: readonly string[]): readonly FileProblem[] {
    const rank = ({ file }: Location) => (files.indexOf(file) + files.length + 1) % (files.length + 1);
    return [...this.#problems.values()].sort(
      ({ location: a }, { location: b }) => rank(a) - rank(b) || a.line - b.line || a.column - b.column,
    );
  }
}

/** The largest size of all files together, with list files, in bytes. */
export const maxBytes = 16 * MiB;

export interface SourceFile {
  /** The path of the file, as messages show it. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A text with line and column numbers. Columns count UTF-16 units from 1, as editors do. */
export class SourceText {
  #lines: LineCounter | undefined;

  constructor(
    readonly name: string,
    readonly text: string,
  ) {}

  place(offset: number): Location {
    if (!this.#lines) {
      this.#lines = new LineCounter();
      for (let at = 0; at >= 0; at = this.text.indexOf("\n", at) + 1 || -1) this.#lines.addNewLine(at);
    }
    const { line, col } = this.#lines.linePos(offset);
    return { file: this.name, line, column: col };
  }
}

/** Line breaks and tabs are the only control characters allowed. */
const control = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/;

/** Decodes a file. An invalid file adds a problem. */
export function decodeFile({ name, bytes }: SourceFile, problems: Problems): SourceText | undefined {
  const report = (text: string, offset: number, says: string) => {
    problems.add(new SourceText(name, text).place(offset), says);
    return undefined;
  };
  const foreign = foreignContent(bytes);
  if (foreign) return report("", 0, `the file ${foreign.what}`);
  const text = new TextDecoder().decode(bytes);
  // Decoding puts this character in place of invalid UTF-8.
  const replaced = text.indexOf("\ufffd");
  if (replaced >= 0) return report(text, replaced, "the file is not UTF-8");
  const bad = text.search(control);
  return bad < 0 ? new SourceText(name, text) : report(text, bad, "control character: the file is not text");
}

/** The offsets of a value and of its key. */
export interface TextPart {
  readonly source: SourceText;
  readonly value: number;
  readonly key: number;
}

type Find = (step: string | number) => TextPart | undefined;

const finds = new WeakMap<object, Find>();

/** Records the places of the parts of a list or mapping. */
export const setParts = (container: object, find: Find): void => void finds.set(container, find);

export const partIn = (container: unknown, step: string | number): TextPart | undefined =>
  isEntry(container) || Array.isArray(container) ? finds.get(container)?.(step) : undefined;

export const locationOf = ({ source, ...part }: TextPart, side: "value" | "key" = "value"): Location =>
  source.place(part[side]);

/** Returns the place of the longest part of a path that exists. */
export function findLocation(value: unknown, start: TextPart, path: Path, key?: "key"): Location {
  let [container, part] = [value, start];
  for (const step of path) {
    const next = partIn(container, step);
    if (!next) break;
    part = next;
    container = Array.isArray(container) ? container[Number(step)] : membersOf(container)[step];
  }
  return locationOf(part, key);
}
