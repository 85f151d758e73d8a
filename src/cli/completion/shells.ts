/** What the shells ask, and how they want to be answered. They say who they are in the environment. */
import { inBash, saidInBash, saidInFish } from "./quoting.ts";
import { everyFile } from "./values.ts";

interface Asked {
  /** The words of the line, without quotes. */
  words: readonly string[];
  /** The output for candidates. */
  answer(candidates: readonly string[]): string;
}

const lines = (all: readonly string[]): string => all.map((line) => `${line}\n`).join("");

/**
 * zsh takes and gives words as they are. fish gives the last as it stands on the line, and quotes what it is given. bash
 * gives all as they stand there, and puts in what it is given as it is.
 */
export function asTyped(raw: readonly string[], env: Record<string, string | undefined>): Asked {
  const last = raw.at(-1) ?? "";
  if (env.ZULIPCTL_SHELL === "fish") return { words: [...raw.slice(0, -1), saidInFish(last)], answer: lines };
  if (env.ZULIPCTL_SHELL !== "bash") return { words: raw, answer: lines };
  const quoted = inBash(last, env.ZULIPCTL_WORDBREAKS ?? "=:");
  return {
    words: raw.map(saidInBash),
    answer: (all) => lines(all.map((line) => (line === everyFile ? line : quoted(line.split("\t")[0]!)))),
  };
}
