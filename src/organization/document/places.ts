/** Texts of files, the places of what stands in them, and what is wrong there. */
import { LineCounter } from "yaml";
import { isEntry, type Path, type Place, type Problem } from "../content.ts";

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

/** Bytes of all files together, the files of lists included. */
export const maxBytes = 16 * 1024 * 1024;

export interface Source {
  /** Leads to the file; what messages call it. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Columns count as editors do, from 1 and in units of UTF-16. */
export class SourceText {
  #lines: LineCounter | undefined;

  constructor(
    readonly name: string,
    readonly text: string,
  ) {}

  place(offset: number): Place {
    if (!this.#lines) {
      this.#lines = new LineCounter();
      for (let at = 0; at >= 0; at = this.text.indexOf("\n", at) + 1 || -1) this.#lines.addNewLine(at);
    }
    const { line, col } = this.#lines.linePos(offset);
    return { file: this.name, line, column: col };
  }
}

/** Line breaks and tabs are the only control characters of a text. */
const control = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/;

/** A file as text. Where it is none, that is added to the problems. */
export function textOf({ name, bytes }: Source, problems: Problems): SourceText | undefined {
  const wrong = (text: string, offset: number, says: string) => {
    problems.add(new SourceText(name, text).place(offset), says);
    return undefined;
  };
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    return wrong("", 0, "the file is UTF-16: save it as UTF-8");
  const text = new TextDecoder().decode(bytes);
  // The character stands for what is not UTF-8; nobody writes it.
  const replaced = text.indexOf("\ufffd");
  if (replaced >= 0) return wrong(text, replaced, "the file is not UTF-8");
  const bad = text.search(control);
  return bad < 0 ? new SourceText(name, text) : wrong(text, bad, "control character: the file is not text");
}

/** Where a value begins, and the key before it. */
export interface Part {
  readonly source: SourceText;
  readonly value: number;
  readonly key: number;
}

type Find = (step: string | number) => Part | undefined;

const finds = new WeakMap<object, Find>();

/** Says where the parts of a list or mapping stand. */
export const setParts = (container: object, find: Find): void => void finds.set(container, find);

export const partIn = (container: unknown, step: string | number): Part | undefined =>
  isEntry(container) || Array.isArray(container) ? finds.get(container)?.(step) : undefined;

export const placeOf = ({ source, ...part }: Part, side: "value" | "key" = "value"): Place => source.place(part[side]);

/** The place of what stands at the end of a path, as far as there is anything. */
export function placeIn(value: unknown, start: Part, path: Path, key?: "key"): Place {
  let [here, part] = [value, start];
  for (const step of path) {
    const next = partIn(here, step);
    if (!next) break;
    part = next;
    here = Reflect.get(Object(here), step);
  }
  return placeOf(part, key);
}
