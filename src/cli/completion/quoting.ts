/** Words as they stand on a shell's command line, half typed perhaps: what they say, and how others are put in their place. */
import { split } from "shellwords-ts";

type Quote = '"' | "'" | "";

/** What a word says, and the quote that is open at its end. */
function said(word: string): { text: string; open: Quote } {
  for (const open of ["", '"', "'"] as const)
    try {
      // The library takes an empty pair of quotes for the end of a word.
      return { text: split(word + open).join(""), open };
    } catch {}
  return { text: word, open: "" };
}

/** What a word on a shell's line says. */
export const textOf = (word: string): string => said(word).text;

/** Where what the shell replaces begins: after the open quote, or after the last of `breaks` outside of quotes. */
function replacedFrom(word: string, open: Quote, breaks: string): number {
  for (let at = word.length - 1; at >= 0; at--) {
    const sign = word.charAt(at);
    const counts = open ? sign === open : breaks.includes(sign) && word[at - 1] !== "\\";
    // Names of hosts are completed with the sign before them.
    if (counts && !said(word.slice(0, at)).open) return sign === "@" && !open ? at : at + 1;
  }
  return 0;
}

/** ASCII that means something to bash. */
const special = /[^A-Za-z0-9_./%+,@:=^\x80-\uFFFF-]/g;

const quotedBy = {
  // History is expanded between double quotes too, and no backslash keeps it from that.
  '"': (text: string) =>
    text
      .replace(/[$`"\\]/g, "\\$&")
      .replace(/!/g, `"'!'"`)
      // Bash closes the quote itself, unless one stands at the end.
      .replace(/\\"$/, `"\\"`)
      .replace(/!'"$/, `!'""`),
  "'": (text: string) => text.replaceAll("'", `'\\''`).replace(/'$/, ""),
  none: (text: string) => text.replace(special, "\\$&"),
};

/** What bash is to put in the place of the end of `word`, which it cuts at `breaks`, so that it says `value`. */
export function inBash(word: string, breaks: string): (value: string) => string {
  const { open } = said(word);
  const kept = textOf(word.slice(0, replacedFrom(word, open, breaks))).length;
  return (value) => {
    const text = quotedBy[open || "none"](value.slice(kept));
    // Bash puts a text that begins with the open quote in the place of that quote.
    return open && text.startsWith(open) ? open + text : text;
  };
}
