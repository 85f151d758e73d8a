/** Blanks and invisible characters in names and addresses. */
import { Usage } from "../errors.ts";
import { hazards } from "../output/sanitize.ts";

const blank = "[\\s\\x1c-\\x1f\\x85]+";
const outer = new RegExp(`^${blank}|${blank}$`, "g");

/** Removes blanks of all kinds around a text, and a byte order mark. */
export const trimmed = (text: string): string => text.replace(outer, "");

const called: Readonly<Record<string, string>> = {
  "0009": "tab",
  "000A": "line feed",
  "00A0": "no-break space",
  "00AD": "soft hyphen",
  "034F": "combining grapheme joiner",
  "061C": "Arabic letter mark",
  "115F": "Hangul filler",
  "180E": "Mongolian vowel separator",
  "200B": "zero width space",
  "200C": "zero width non-joiner",
  "200D": "zero width joiner",
  "200E": "left-to-right mark",
  "200F": "right-to-left mark",
  "202A": "left-to-right embedding",
  "202B": "right-to-left embedding",
  "202C": "pop directional formatting",
  "202D": "left-to-right override",
  "202E": "right-to-left override",
  "202F": "narrow no-break space",
  "2060": "word joiner",
  "2066": "left-to-right isolate",
  "2067": "right-to-left isolate",
  "2068": "first strong isolate",
  "2069": "pop directional isolate",
  "3000": "ideographic space",
  "3164": "Hangul filler",
  FEFF: "zero width no-break space",
};

/** Blanks that look like a space. A name can have them. */
export const oddBlank = /[^\S ]/;

/** Returns `U+200B (zero width space) at the end`. Undefined if every character is visible. */
export function invisiblePart(text: string, invisible = hazards()): string | undefined {
  const at = text.search(invisible);
  const point = text.codePointAt(at);
  if (at < 0 || point === undefined) return undefined;
  const code = point.toString(16).toUpperCase().padStart(4, "0");
  const before = [...text.slice(0, at)].length;
  const place = !before
    ? "at the beginning"
    : before === [...text].length - 1
      ? "at the end"
      : `at position ${before + 1}`;
  return `U+${code}${Object.hasOwn(called, code) ? ` (${called[code]})` : ""} ${place}`;
}

/** Throws `Usage` for a text with an invisible character. */
export function checkVisible(text: string, flag: string): void {
  const invisible = invisiblePart(text);
  if (invisible) throw new Usage(`${flag}: "${text}" contains ${invisible}`);
}

/** Reads an address or an existing name, without the blanks around it. Throws `Usage` if it is empty or hides something. */
export function readVisible(typed: string, flag: string): string {
  const text = trimmed(typed);
  if (!text) throw new Usage(`${flag} is empty`);
  checkVisible(text, flag);
  return text;
}
