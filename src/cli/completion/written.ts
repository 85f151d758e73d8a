/** The command tree, where the build wrote it down, so that the program need not make every command to tell of them. */
import type { HelpData } from "../help.ts";
import type { Registry } from "../program.ts";
import type { Entry } from "./tree.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** JSON, put in by the build; the sources alone have it not. */
declare const ZULIPCTL_TREE: string | undefined;
declare const ZULIPCTL_VOCABULARY: string | undefined;
declare const ZULIPCTL_HELP: string | undefined;

/** Every command there is, as data. */
export async function treeFor(nouns: Registry): Promise<Entry> {
  if (typeof ZULIPCTL_TREE !== "undefined") return JSON.parse(ZULIPCTL_TREE);
  const { wholeTree } = await import("../whole.ts");
  return wholeTree(nouns);
}

/** The words that completion offers beside those of commands. */
export async function writtenVocabulary(): Promise<Vocabulary> {
  if (typeof ZULIPCTL_VOCABULARY !== "undefined") return JSON.parse(ZULIPCTL_VOCABULARY);
  const { vocabulary } = await import("./vocabulary.ts");
  return vocabulary;
}

/** `words` are those of a command: `channel update`. Undefined where there is no such command, or nothing was written. */
export function writtenHelp(words: string): HelpData | undefined {
  if (typeof ZULIPCTL_HELP === "undefined") return undefined;
  const all: Record<string, HelpData> = JSON.parse(ZULIPCTL_HELP);
  return Object.hasOwn(all, words) ? all[words] : undefined;
}
