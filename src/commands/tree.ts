import { type Entry, treeOf } from "../reference/tree.ts";
import { Program } from "../shell/program.ts";
import type { Shell } from "../shell/shell.ts";
import { repeats } from "../shell/strict.ts";
import { planted } from "./nouns.ts";

/** Every command there is, as data. Also the build asks for it. */
export const wholeTree = (shell: Shell): Entry => treeOf(new Program("", planted(shell)).root, repeats);
