/**
 * How shells ask for candidates and expect them. zsh passes and takes plain words. fish passes the last word as typed,
 * and quotes candidates. bash passes all words as typed, and inserts candidates unchanged. `ZULIPCTL_SHELL` names fish
 * and bash.
 */
import { split } from "shellwords-ts";
import type { Candidate } from "./candidates.ts";

type Quote = '"' | "'" | "";

/** Reads a word, and the quote that is open at its end. */
function parsed(word: string): { text: string; open: Quote } {
  for (const open of ["", '"', "'"] as const)
    try {
      // The library treats an empty pair of quotes as the end of a word.
      return { text: split(word + open).join(""), open };
    } catch {}
  return { text: word, open: "" };
}

const textOf = (word: string): string => parsed(word).text;

/** Returns where bash replaces text: after the open quote, or after the last of `breaks` outside quotes. */
function replacedFrom(word: string, open: Quote, breaks: string): number {
  for (let at = word.length - 1; at >= 0; at--) {
    const sign = word.charAt(at);
    const counts = open ? sign === open : breaks.includes(sign) && word[at - 1] !== "\\";
    // Host names are completed with the character before them.
    if (counts && !parsed(word.slice(0, at)).open) return sign === "@" && !open ? at : at + 1;
  }
  return 0;
}

/** ASCII characters with a meaning in bash. */
const special = /[^A-Za-z0-9_./%+,@:=^\x80-\uFFFF-]/g;

const quote = {
  // bash expands history in double quotes, even after a backslash.
  '"': (text: string) =>
    text
      .replace(/[$`"\\]/g, "\\$&")
      .replace(/!/g, `"'!'"`)
      // bash closes the quote, unless one is at the end.
      .replace(/\\"$/, `"\\"`)
      .replace(/!'"$/, `!'""`),
  "'": (text: string) => text.replaceAll("'", `'\\''`).replace(/'$/, ""),
  none: (text: string) => text.replace(special, "\\$&"),
};

/** Returns what bash must insert at the end of `word` to get `value`. */
function bashText(word: string, breaks: string): (value: string) => string {
  const { open } = parsed(word);
  const kept = textOf(word.slice(0, replacedFrom(word, open, breaks))).length;
  return (value) => {
    const text = quote[open || "none"](value.slice(kept));
    // bash replaces the open quote by a text that begins with one.
    return open && text.startsWith(open) ? open + text : text;
  };
}

/** Makes the shell complete file names. No value begins with a tab. */
const files = "\tfiles";

const lineOf = ({ value, doc, path }: Candidate): string => {
  if (path !== undefined) return `${files}\t${value}\t${path}`;
  return doc ? `${value}\t${doc}` : value;
};

interface ShellRequest {
  /** The words of the line, unquoted. */
  words: readonly string[];
  /** Formats candidates for the shell. */
  answer(candidates: readonly Candidate[]): string;
}

/** `pathsFrom`: lists paths that begin with the typed text. `tilde`: a shell would expand one. */
export function shellRequest(
  raw: readonly string[],
  env: Record<string, string | undefined>,
  pathsFrom: (path: string, tilde: boolean) => readonly string[],
): ShellRequest {
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
  const inBash = bashText(last, env.ZULIPCTL_WORDBREAKS ?? "=:");
  // bash completes paths itself, except after @: it splits words at the @.
  const answered = (each: Candidate) =>
    each.path === undefined || each.value.endsWith("@") ? withPaths(each).map(({ value }) => inBash(value)) : [files];
  return { words: raw.map(textOf), answer: (all) => lines(all.flatMap(answered)) };
}
