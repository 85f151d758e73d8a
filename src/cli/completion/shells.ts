/** What the shells ask, and how they want to be answered. They say who they are in the environment. */
import { inBash, textOf } from "./quoting.ts";
import { afterDirective, everyFile } from "./values.ts";

interface Asked {
  /** The words of the line, without quotes. */
  words: readonly string[];
  /** The output for candidates. */
  answer(candidates: readonly string[]): string;
}

const lines = (all: readonly string[]): string => all.map((line) => `${line}\n`).join("");

/** What this machine has under a path, as far as it is typed: whole paths, directories with a slash at their end. */
export type Files = (path: string, tilde: boolean) => readonly string[];

/** With what is there in place of the wish for it. */
const listed =
  (files: Files, natively: (before: string) => boolean = () => false) =>
  (line: string): readonly string[] => {
    const directive = afterDirective(line);
    if (!directive) return [line];
    const [before = "", path = ""] = directive;
    // A shell expands a tilde at the beginning of a word alone.
    return natively(before) ? [everyFile] : files(path, before === "").map((found) => before + found);
  };

/** Bash has to be asked for the files whose names nothing stands before: it cuts words at an @, but not behind it. */
const asBash = (before: string): boolean => !before.endsWith("@");

/**
 * zsh takes and gives words as they are. fish gives the last as it stands on the line, and quotes what it is given. bash
 * gives all as they stand there, and puts in what it is given as it is.
 */
export function asTyped(raw: readonly string[], env: Record<string, string | undefined>, files: Files): Asked {
  const last = raw.at(-1) ?? "";
  if (env.ZULIPCTL_SHELL === "fish")
    return { words: [...raw.slice(0, -1), textOf(last)], answer: (all) => lines(all.flatMap(listed(files))) };
  if (env.ZULIPCTL_SHELL !== "bash") return { words: raw, answer: lines };
  const quoted = inBash(last, env.ZULIPCTL_WORDBREAKS ?? "=:");
  return {
    words: raw.map(textOf),
    answer: (all) =>
      lines(
        all.flatMap(listed(files, asBash)).map((line) => (line === everyFile ? line : quoted(line.split("\t")[0]!))),
      ),
  };
}
