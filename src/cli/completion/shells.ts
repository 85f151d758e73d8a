/**
 * What the shells ask, and how they want to be answered. zsh passes and takes words as they are. fish passes the last one
 * as it stands on the line, and quotes what it takes. bash passes all as they stand there, and puts in what it takes as
 * it is. `ZULIPCTL_SHELL` names fish and bash.
 */
import { split } from "shellwords-ts";
import type { Candidate } from "./values.ts";

type Quote = '"' | "'" | "";

/** What a word says, and the quote that is open at its end. */
function parsed(word: string): { text: string; open: Quote } {
  for (const open of ["", '"', "'"] as const)
    try {
      // The library takes an empty pair of quotes for the end of a word.
      return { text: split(word + open).join(""), open };
    } catch {}
  return { text: word, open: "" };
}

const textOf = (word: string): string => parsed(word).text;

/** Where what bash replaces begins: after the open quote, or after the last of `breaks` outside of quotes. */
function replacedFrom(word: string, open: Quote, breaks: string): number {
  for (let at = word.length - 1; at >= 0; at--) {
    const sign = word.charAt(at);
    const counts = open ? sign === open : breaks.includes(sign) && word[at - 1] !== "\\";
    // Names of hosts are completed with the sign before them.
    if (counts && !parsed(word.slice(0, at)).open) return sign === "@" && !open ? at : at + 1;
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

/** What bash is to put in the place of the end of `word`, so that it says `value`. */
function inBash(word: string, breaks: string): (value: string) => string {
  const { open } = parsed(word);
  const kept = textOf(word.slice(0, replacedFrom(word, open, breaks))).length;
  return (value) => {
    const text = quotedBy[open || "none"](value.slice(kept));
    // Bash puts a text that begins with the open quote in the place of that quote.
    return open && text.startsWith(open) ? open + text : text;
  };
}

/** Asks the shell for names of files; no value begins with a tab. */
const files = "\tfiles";

const lineOf = ({ value, doc, path }: Candidate): string => {
  if (path !== undefined) return `${files}\t${value}\t${path}`;
  return doc ? `${value}\t${doc}` : value;
};

interface Asked {
  /** The words of the line, without quotes. */
  words: readonly string[];
  /** The output for candidates. */
  answer(candidates: readonly Candidate[]): string;
}

/** `pathsFrom`: what this machine has under a path, as far as it is typed; `tilde`: a shell would expand one. */
export function asTyped(
  raw: readonly string[],
  env: Record<string, string | undefined>,
  pathsFrom: (path: string, tilde: boolean) => readonly string[],
): Asked {
  const last = raw.at(-1) ?? "";
  const withPaths = (each: Candidate): Candidate[] =>
    each.path === undefined
      ? [each]
      : pathsFrom(each.path, each.value === "").map((path) => ({ value: each.value + path }));
  const lines = (all: readonly string[]): string => all.map((line) => `${line}\n`).join("");
  if (env.ZULIPCTL_SHELL === "fish")
    return {
      words: [...raw.slice(0, -1), textOf(last)],
      answer: (all) => lines(all.flatMap(withPaths).map(lineOf)),
    };
  if (env.ZULIPCTL_SHELL !== "bash") return { words: raw, answer: (all) => lines(all.map(lineOf)) };
  const quoted = inBash(last, env.ZULIPCTL_WORDBREAKS ?? "=:");
  // Bash completes paths itself, but for those behind an @: it cuts words at the @, but not behind it.
  const answered = (each: Candidate) =>
    each.path === undefined || each.value.endsWith("@") ? withPaths(each).map(({ value }) => quoted(value)) : [files];
  return { words: raw.map(textOf), answer: (all) => lines(all.flatMap(answered)) };
}
