/** The flags that every changing command has: pages describe them once. */
import type { CatalogueCommand } from "../../src/cli/catalogue/catalogue-document.ts";
import { guardFlags } from "../../src/cli/guard-flags.ts";

type Flag = CatalogueCommand["flags"][number];

const docs = new Map([
  ["--allow-empty", guardFlags.allowEmpty.doc],
  ["--max-removals", guardFlags.maxRemovals.doc],
]);

/** Returns whether a flag is one of all changing commands. Some commands have one of their own with the name. */
export const isShared = ({ name, doc }: Flag): boolean => docs.get(name) === doc;

/** Returns the shared flags as a command describes them. */
export const sharedFlags = (commands: readonly CatalogueCommand[]): Flag[] =>
  [...docs.keys()].flatMap(
    (name) => commands.flatMap(({ flags }) => flags.filter((flag) => flag.name === name && isShared(flag)))[0] ?? [],
  );

/** A flag of a help text with the lines of its description. */
const flagLines = (name: string): RegExp => new RegExp(`^ {2}(?:-\\w, {0,1})?${name}\\b.*\\n(?: {8,}.*\\n)*`, "m");

const lastLine = /\n\nRun "zulipctl help" for the global flags\.\s*$/;

/** Returns a help text without what all have: the shared flags, `--help`, and the last line. */
export function withoutShared(help: string, { flags }: CatalogueCommand): string {
  const names = ["--help", ...flags.filter(isShared).map(({ name }) => name)];
  const text = names.reduce((rest, name) => rest.replace(flagLines(name), ""), `${help}\n`);
  return text
    .replace(/\nFlags:\n(?=\n|$)/, "")
    .replace(lastLine, "")
    .trimEnd();
}
