import { repeats, standsInRows } from "../argv/options.ts";
import { type Entry, treeOf } from "./completion/tree.ts";
import type { HelpData } from "./help.ts";
import { Program, type Registry } from "./program.ts";

/** Every command there is, as data, from the commands themselves. The build asks for it, and writes it down. */
export const wholeTree = async (nouns: Registry): Promise<Entry> =>
  treeOf(await new Program("", nouns).whole(), { repeats, inRows: standsInRows });

/** The help of every command, for the build to write down. */
export const wholeHelp = (nouns: Registry): Promise<Record<string, HelpData>> => new Program("", nouns).helpOfAll();
