/** The command tree, where the build wrote it down, so that the program need not make every command to tell of them. */
import type { Registry } from "../program.ts";
import type { Entry } from "./tree.ts";

/** JSON, put in by the build; the sources alone have it not. */
declare const ZULIPCTL_TREE: string | undefined;

/** Every command there is, as data. */
export async function treeFor(nouns: Registry): Promise<Entry> {
  if (typeof ZULIPCTL_TREE !== "undefined") return JSON.parse(ZULIPCTL_TREE);
  const { wholeTree } = await import("../whole.ts");
  return wholeTree(nouns);
}
