/** Lines of a sorted file that begin with a text, found without reading the rest. */
import { closeSync, fstatSync, readSync } from "node:fs";
import { openOwn } from "./own-file.ts";

const piece = 4096;
const block = 32 * 1024;

/** Reads lines at places of an open file. */
class Lines {
  readonly #fd: number;
  readonly #size: number;

  constructor(fd: number) {
    this.#fd = fd;
    this.#size = fstatSync(fd).size;
  }

  get size(): number {
    return this.#size;
  }

  #bytes(from: number, length: number): Buffer {
    const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(length, this.#size - from)));
    return buffer.subarray(0, readSync(this.#fd, buffer, 0, buffer.length, from));
  }

  /** Where the first line begins at `from` or after. */
  begin(from: number): number {
    for (let at = from - 1; at >= 0 && at < this.#size; at += piece) {
      const end = this.#bytes(at, piece).indexOf(10);
      if (end >= 0) return at + end + 1;
    }
    return from <= 0 ? 0 : this.#size;
  }

  /** The line that begins at a place, and where the next one does. */
  at(from: number): { line: string; next: number } {
    for (let length = piece; ; length *= 4) {
      const bytes = this.#bytes(from, length);
      const end = bytes.indexOf(10);
      if (end >= 0) return { line: bytes.toString("utf8", 0, end), next: from + end + 1 };
      if (bytes.length < length) return { line: bytes.toString("utf8"), next: this.#size };
    }
  }

  /** As many lines as fit into a block, one at least, of those that begin at `from` and before `end`; and where the next one does. */
  block(from: number, end: number): { lines: string[]; next: number } {
    const bytes = this.#bytes(from, Math.min(block, end - from));
    const last = bytes.lastIndexOf(10);
    if (last >= 0) return { lines: bytes.toString("utf8", 0, last).split("\n"), next: from + last + 1 };
    const { line, next } = this.at(from);
    return { lines: [line], next };
  }

  /** Where the first line begins for which `after` is true; it is true for all that follow. */
  first(after: (line: string) => boolean): number {
    let low = 0;
    let high = this.#size;
    while (low < high) {
      const middle = this.begin(Math.floor((low + high) / 2));
      if (middle >= high) {
        // No line begins in the upper half: what is left is short, and is walked.
        for (let at = low; at < high; ) {
          const { line, next } = this.at(at);
          if (after(line)) return at;
          at = next;
        }
        return high;
      }
      const { line, next } = this.at(middle);
      if (after(line)) high = middle;
      else low = next;
    }
    return low;
  }
}

/**
 * The lines that begin with `prefix`, `most` at most: then the last of all is among them, so that what all have in
 * common at their beginning is what the given ones have. No file gives none.
 */
export function linesFrom(path: string, prefix: string, most: number): string[] {
  let fd: number;
  try {
    fd = openOwn(path);
  } catch {
    return [];
  }
  try {
    const lines = new Lines(fd);
    const found: string[] = [];
    const end = lines.first((line) => line > prefix && !line.startsWith(prefix));
    const first = lines.first((line) => line >= prefix);
    let at = first;
    while (at < end && found.length < most) {
      const { lines: some, next } = lines.block(at, end);
      found.push(...some);
      at = next;
    }
    const more = at < end || found.length > most;
    found.length = Math.min(found.length, most);
    if (more) found[most - 1] = lines.at(lines.begin(lastBefore(lines, first, end))).line;
    return found;
  } finally {
    closeSync(fd);
  }
}

/** A place in the last line that begins before `end`. */
function lastBefore(lines: Lines, from: number, end: number): number {
  for (let back = 256; ; back *= 4) {
    const start = Math.max(from, end - back);
    let last = lines.begin(start);
    if (last >= end && start > from) continue;
    for (let next = lines.at(last).next; next < end; next = lines.at(next).next) last = next;
    return last;
  }
}
