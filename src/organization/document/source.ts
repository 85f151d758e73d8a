/** The bytes of a file as text in which places can be told. */
import { LineCounter } from "yaml";
import type { Place } from "../content.ts";
import type { Problems } from "./problems.ts";

/** Bytes of all files together, the files of lists included. */
export const maxBytes = 16 * 1024 * 1024;

export interface Source {
  /** Leads to the file; what messages call it. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Columns count as editors do, from 1 and in units of UTF-16. */
export class SourceText {
  readonly name: string;
  readonly text: string;
  #lines: LineCounter | undefined;

  constructor(name: string, text: string) {
    this.name = name;
    this.text = text;
  }

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
