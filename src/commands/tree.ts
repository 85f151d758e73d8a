import { type Entry, treeOf } from "../reference/tree.ts";
import { type Plants, Program } from "../shell/program.ts";
import { standsInRows } from "../shell/rows.ts";
import { repeats } from "../shell/strict.ts";

/** Every command there is, as data. Also the build asks for it. */
export const wholeTree = async (nouns: Plants): Promise<Entry> =>
  treeOf(await new Program("", nouns).whole(), { repeats, inRows: standsInRows });
