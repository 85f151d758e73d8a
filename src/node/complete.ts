/** Completion without the program: it runs at every press of a key, and the tree is known when the program is built. */
import { writeSync } from "node:fs";
import { candidates } from "../cli/completion/complete.ts";
import type { Entry } from "../cli/completion/tree.ts";

/** JSON, put in by the build. */
declare const ZULIPCTL_TREE: string;

/** Takes the words after `__complete`; false where it takes the program to answer. */
export function complete(words: readonly string[]): boolean {
  if (words[0] !== "--") return false;
  const lines = candidates(JSON.parse(ZULIPCTL_TREE) as Entry, words.slice(1));
  if (!lines) return false;
  try {
    if (lines.length) writeSync(1, lines.map((line) => `${line}\n`).join(""));
    return true;
  } catch {
    // The program knows what to say of a stdout that cannot be written.
    return false;
  }
}
