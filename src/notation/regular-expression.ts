/**
 * Regular expressions of linkifiers, which the server compiles with RE2 (the C++ one). re2js descends from Go's: it
 * refuses some of what the server takes (repeated group names, letters beyond ASCII in them, `\C`, deep nesting), takes
 * some of what it refuses, and says it in other words. So what is written is judged here, in the server's words and
 * order, and re2js gets a form of it that both understand.
 */
import { programSize, sizeLimit } from "./program-size.ts";
import { isUnicodeClass } from "./unicode-class.ts";

/** The message is what the server puts after `Bad regular expression: `. */
export class BadExpression extends Error {
  override readonly name = "BadExpression";
}

export interface Expression {
  /** Names of groups as written, each once, the leftmost first. */
  readonly groups: readonly string[];
  /** For re2js. */
  readonly source: string;
  /** The name in `source` of a group. */
  readonly aliases: ReadonlyMap<string, string>;
}

const posixClasses =
  /^\[:\^?(?:alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|word|xdigit):\]$/;
const captureName = /^[\p{Lu}\p{Ll}\p{Lt}\p{Lm}\p{Lo}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]+$/u;
const mostRepeats = 1000;

/** What stands between two parentheses or bars: `top` is what a repetition would repeat, in how many nested times. */
interface Level {
  top: number | undefined;
  most: number;
}

class Reader {
  #at = 0;
  #out = "";
  /** The whole is the first level, each open parenthesis another. */
  readonly #levels: Level[] = [{ top: undefined, most: 1 }];
  readonly aliases = new Map<string, string>();

  constructor(readonly text: string) {}

  get source(): string {
    return this.#out;
  }

  #fail(what: string, where = ""): never {
    throw new BadExpression(where ? `${what}: ${where}` : what);
  }

  /** The next character, taken. */
  #take(): string {
    const point = this.text.codePointAt(this.#at);
    // The server meets the end of its bytes where a character should begin.
    if (point === undefined) return this.#fail("invalid UTF-8");
    const character = String.fromCodePoint(point);
    this.#at += character.length;
    return character;
  }

  #ahead(text: string): boolean {
    return this.text.startsWith(text, this.#at);
  }

  #match(sticky: RegExp): string | undefined {
    sticky.lastIndex = this.#at;
    return sticky.exec(this.text)?.[0];
  }

  #pushed(weight = 1): void {
    const level = this.#levels.at(-1)!;
    level.top = weight;
    level.most = Math.max(level.most, weight);
  }

  read(): void {
    let repeated = -1;
    while (this.#at < this.text.length) {
      const start = this.#at;
      const written = this.#out.length;
      const repeats = this.#item(repeated);
      // Items that write nothing themselves stand as they are.
      if (this.#out.length === written) this.#out += this.text.slice(start, this.#at);
      repeated = repeats ? start : -1;
    }
    if (this.#levels.length > 1) this.#fail("missing )", this.text);
  }

  /** Reads one item, true where it was a repetition; `before` is where one ended just before it began, or -1. */
  #item(before: number): boolean {
    if (this.#ahead("(?")) this.#perl();
    else if (this.#ahead("[")) this.#class();
    else if (this.#ahead("\\")) this.#backslash();
    else {
      const repetition = this.#match(/[*+?]\??|\{(?:0|[1-9][0-9]{0,8})(?:,(?:0|[1-9][0-9]{0,8})?)?\}\??/y);
      if (repetition) {
        this.#repeat(repetition, before);
        return true;
      }
      const character = this.#take();
      if (character === "(") this.#levels.push({ top: undefined, most: 1 });
      else if (character === "|") this.#levels.at(-1)!.top = undefined;
      else if (character === ")") this.#close();
      else this.#pushed();
    }
    return false;
  }

  #close(): void {
    const { most } = this.#levels.pop()!;
    if (!this.#levels.length) this.#fail("unexpected )", this.text);
    this.#pushed(most);
  }

  #repeat(written: string, before: number): void {
    this.#at += written.length;
    if (before >= 0) this.#fail("bad repetition operator", this.text.slice(before, this.#at));
    const { low, high } = /^\{(?<low>\d+)(?<high>,\d*)?/.exec(written)?.groups ?? {};
    const least = Number(low ?? 0);
    const greatest = low === undefined ? 0 : high === undefined ? least : high === "," ? -1 : Number(high.slice(1));
    if (least > mostRepeats || greatest > mostRepeats || (greatest >= 0 && low && greatest < least))
      this.#fail("invalid repetition size", written);
    const { top } = this.#levels.at(-1)!;
    if (top === undefined) this.#fail("no argument for repetition operator", written);
    const weight = top! * Math.max(1, greatest < 0 ? least : greatest);
    if ((least >= 2 || greatest >= 2) && weight > mostRepeats) this.#fail("invalid repetition size", written);
    this.#pushed(weight);
  }

  /** `(?…`: a named group, a group without a number, or flags. */
  #perl(): void {
    const look = this.#match(/\(\?(?:<?[=!])/y);
    const named = this.#match(/\(\?P?</y);
    // RE2 wants a character after `(?<=` before it knows it for a look-behind, and after `(?<` before it reads a name.
    const last = this.text.length === this.#at + (look ?? named ?? "").length;
    if (look && !(named && last)) this.#fail("invalid perl operator", look);
    if (named && !(last && !look)) {
      this.#named(named);
      return;
    }
    const start = this.#at;
    this.#at += 2;
    const flags = this.#match(/[imsU]*(?:-[imsU]*)?/y)!;
    this.#at += flags.length;
    const end = this.text.charAt(this.#at);
    const bare = flags.endsWith("-");
    if ((end !== ":" && end !== ")") || bare) {
      if (end) this.#take();
      this.#fail("invalid perl operator", this.text.slice(start, this.#at));
    }
    this.#at += 1;
    if (end === ":") this.#levels.push({ top: undefined, most: 1 });
  }

  #named(opening: string): void {
    const end = this.text.indexOf(">", this.#at + 2);
    if (end < 0) this.#fail("invalid named capture group", this.text.slice(this.#at));
    const name = this.text.slice(this.#at + opening.length, end);
    if (!captureName.test(name)) this.#fail("invalid named capture group", this.text.slice(this.#at, end + 1));
    this.#at = end + 1;
    this.#levels.push({ top: undefined, most: 1 });
    // Of groups that share a name the leftmost has it.
    const known = this.aliases.has(name);
    if (!known) this.aliases.set(name, `g${this.aliases.size}`);
    this.#out += known ? "(" : `(?P<${this.aliases.get(name)}>`;
  }

  #backslash(): void {
    if (this.#ahead("\\Q")) {
      const end = this.text.indexOf("\\E", this.#at + 2);
      const quoted = this.text.slice(this.#at + 2, end < 0 ? undefined : end);
      this.#at = end < 0 ? this.text.length : end + 2;
      if (quoted) this.#pushed();
      return;
    }
    const simple = this.#match(/\\[bBAzC]/y);
    if (simple === "\\C") this.#out += "(?s:.)";
    if (simple) this.#at += 2;
    else if (!this.#unicode() && !this.#perlClass()) this.#escape();
    this.#pushed();
  }

  #perlClass(): boolean {
    const known = this.#match(/\\[dDsSwW]/y);
    if (known) this.#at += 2;
    return known !== undefined;
  }

  /** `\pN`, `\p{Greek}`. */
  #unicode(): boolean {
    if (!this.#match(/\\[pP]/y)) return false;
    const start = this.#at;
    this.#at += 2;
    if (this.#at === this.text.length) this.#fail("invalid character class range", this.text.slice(start));
    let name = this.#take();
    if (name === "{") {
      const end = this.text.indexOf("}", this.#at);
      if (end < 0) this.#fail("invalid character class range", this.text.slice(start));
      name = this.text.slice(this.#at, end);
      this.#at = end + 1;
    }
    const bare = name.replace(/^\^/, "");
    if (!isUnicodeClass(bare)) this.#fail("invalid character class range", this.text.slice(start, this.#at));
    return true;
  }

  /** An escaped character, as its code point. */
  #escape(): number {
    const start = this.#at;
    this.#at += 1;
    if (this.#at === this.text.length) this.#fail("trailing \\");
    const bad = () => this.#fail("invalid escape sequence", this.text.slice(start, this.#at));
    const character = this.#take();
    const octal = /[0-7]/.test(character) && (this.#match(/[0-7]{1,2}/y) ?? (character === "0" ? "" : undefined));
    if (typeof octal === "string") {
      this.#at += octal.length;
      return Number.parseInt(character + octal, 8);
    }
    if (character === "x") return this.#hexadecimal(bad);
    const control = "n\nr\rt\ta\x07f\fv\v".indexOf(character);
    if (/[nrtafv]/.test(character)) return "n\nr\rt\ta\x07f\fv\v".charCodeAt(control + 1);
    return /[^A-Za-z0-9]/.test(character) && character.codePointAt(0)! < 0x80 ? character.codePointAt(0)! : bad();
  }

  #hexadecimal(bad: () => never): number {
    if (this.#at === this.text.length) bad();
    let digit = this.#take();
    if (digit !== "{") {
      if (this.#at === this.text.length) bad();
      const digits = digit + this.#take();
      return /^[0-9A-Fa-f]{2}$/.test(digits) ? Number.parseInt(digits, 16) : bad();
    }
    let code = 0;
    let count = 0;
    for (digit = this.#take(); /[0-9A-Fa-f]/.test(digit); digit = this.#take()) {
      count += 1;
      code = code * 16 + Number.parseInt(digit, 16);
      if (code > 0x10ffff || this.#at === this.text.length) bad();
    }
    return digit === "}" && count ? code : bad();
  }

  #class(): void {
    const whole = this.#at;
    const missing = () => this.#fail("missing ]", this.text.slice(whole));
    this.#at += this.#ahead("[^") ? 2 : 1;
    for (let first = true; first || !this.#ahead("]"); first = false) {
      if (this.#at === this.text.length) missing();
      const posix = this.#match(/\[:[\s\S]*?:\]/y);
      if (posix) {
        if (!posixClasses.test(posix)) this.#fail("invalid character class range", posix);
        this.#at += posix.length;
      } else if (!(this.#match(/\\[pP][\s\S]/y) && this.#unicode()) && !this.#perlClass()) this.#range(missing);
    }
    this.#at += 1;
    this.#pushed();
  }

  #range(missing: () => never): void {
    const start = this.#at;
    const character = (): number => {
      if (this.#at === this.text.length) return missing();
      return this.#ahead("\\") ? this.#escape() : this.#take().codePointAt(0)!;
    };
    const low = character();
    if (!this.#match(/-[^\]]/y)) return;
    this.#at += 1;
    if (character() < low) this.#fail("invalid character class range", this.text.slice(start, this.#at));
  }
}

/** Throws `BadExpression` for what the server would not compile. */
export function readExpression(text: string): Expression {
  const reader = new Reader(text);
  reader.read();
  if (programSize(reader.source) > sizeLimit) throw new BadExpression("pattern too large - compile failed");
  return { groups: [...reader.aliases.keys()], source: reader.source, aliases: reader.aliases };
}
