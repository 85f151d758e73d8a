import { standsInRows } from "../argv/rows.ts";
import { repeats } from "../argv/strict.ts";
import { type Entry, treeOf } from "../cli/completion/tree.ts";
import { Program, type Registry } from "../cli/program.ts";

/** Every command there is, as data. Also the build asks for it. */
export const wholeTree = async (nouns: Registry): Promise<Entry> =>
  treeOf(await new Program("", nouns).whole(), { repeats, inRows: standsInRows });
