/** How much is read: what is more is an attack or a mistake, and is told before it fills the memory. */

const MiB = 1024 * 1024;

/** Bytes of all files together, those that lists name included. */
export const mostBytes = 16 * MiB;

export const tooLarge = `more than ${mostBytes / MiB} MiB with this file`;

/** Entries of lists and mappings in all files together, written or by aliases and lists in files. */
const mostEntries = 1_500_000;

/** Of one file; what is written out wide has some more lines than entries. */
const mostLines = 2_000_000;

/** A function, since it takes V8 a while to write the first number in groups. */
export const tooManyLines = (): string =>
  `more than ${mostLines.toLocaleString("en")} lines; no organization needs as many`;

/** What a file says has six levels. */
export const deepest = 50;

export const tooDeep = `nested deeper than ${deepest} levels`;
export const tooMany = (): string =>
  `more than ${mostEntries.toLocaleString("en")} entries of lists and mappings; no organization has as many`;

const blank = (code: number): boolean => code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;

/** Where a text has more lines than one may have. */
export function tooLong(text: string): number | undefined {
  if (text.length <= mostLines) return undefined;
  let lines = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if ((code === 0x0a || (code === 0x0d && text.charCodeAt(at + 1) !== 0x0a)) && ++lines > mostLines) return at;
  }
  return undefined;
}

export class Budget {
  #left = mostEntries;
  /** Texts that are not counted as long as there are enough left for a text in which each character begins an entry. */
  readonly #uncounted: string[] = [];
  #most = 0;

  /** False from then on where there are fewer left. */
  take(entries: number): boolean {
    if (this.#left - this.#most < entries) this.#count();
    this.#left -= entries;
    return this.#left >= 0;
  }

  get spent(): boolean {
    return this.#left < 0;
  }

  #count(): void {
    this.#most = 0;
    for (const text of this.#uncounted.splice(0)) this.#overflow(text);
  }

  /** Where a text has more than are left. */
  overflow(text: string): number | undefined {
    if (text.length <= this.#left - this.#most) {
      this.#uncounted.push(text);
      this.#most += text.length;
      return undefined;
    }
    this.#count();
    return this.#overflow(text);
  }

  /** It counts what may begin an entry, so that nothing need be read for it. */
  #overflow(text: string): number | undefined {
    for (let at = 0; at < text.length; at++) {
      switch (text.charCodeAt(at)) {
        // : - ?
        case 0x3a:
        case 0x2d:
        case 0x3f:
          if (at + 1 < text.length && !blank(text.charCodeAt(at + 1)) && text.charCodeAt(at - 1) !== 0x22) continue;
          break;
        // , [ {
        case 0x2c:
        case 0x5b:
        case 0x7b:
          break;
        default:
          continue;
      }
      if (!this.take(1)) return at;
    }
    return undefined;
  }
}
