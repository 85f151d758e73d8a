/** Words as they stand on a shell's command line, half typed perhaps: what they say, and how others are put in their place. */

interface Said {
  text: string;
  /** The quote that is open at the end. */
  open: '"' | "'" | undefined;
  /** Where what the shell replaces begins: after the open quote, or after the last of `breaks` outside of quotes. */
  from: number;
}

/** `escapes` are the characters that a backslash takes the meaning from, inside of each quote. */
function said(word: string, breaks: string, escapes: Readonly<Record<string, string>>): Said {
  let text = "";
  let open: Said["open"];
  let quoteAt = 0;
  let breakAt = 0;
  for (let at = 0; at < word.length; at++) {
    const sign = word[at]!;
    const next = word[at + 1] ?? "";
    if (sign === open) open = undefined;
    else if (sign === "\\" && (open === undefined || (next && escapes[open]!.includes(next)))) {
      text += next;
      at++;
    } else if (open === undefined && (sign === '"' || sign === "'")) {
      open = sign;
      quoteAt = at + 1;
    } else {
      text += sign;
      // Names of hosts are completed with the sign before them.
      if (open === undefined && breaks.includes(sign)) breakAt = sign === "@" ? at : at + 1;
    }
  }
  return { text, open, from: open === undefined ? breakAt : quoteAt };
}

const bash = { '"': '$`"\\', "'": "" };
const fish = { '"': '$"\\', "'": "'\\" };

/** What a word on fish's line says. */
export const saidInFish = (word: string): string => said(word, "", fish).text;

/** What a word on bash's line says. */
export const saidInBash = (word: string): string => said(word, "", bash).text;

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
  const { open, from } = said(word, breaks, bash);
  const kept = said(word.slice(0, from), "", bash).text;
  return (value) => {
    const text = quotedBy[open ?? "none"](value.slice(kept.length));
    // Bash puts a text that begins with the open quote in the place of that quote.
    return open !== undefined && text.startsWith(open) ? open + text : text;
  };
}
