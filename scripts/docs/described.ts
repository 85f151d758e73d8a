/** The catalogue of visible commands, for generated pages. */
import { catalogueOf } from "../../src/cli/catalogue/catalogue.ts";
import type { CatalogueCommand, CatalogueFlag } from "../../src/cli/catalogue/catalogue-document.ts";
import { docOf } from "../../src/cli/help.ts";
import { HelpShown, Program } from "../../src/cli/program.ts";
import { registry } from "../../src/commands/nouns.ts";
import { Shell } from "../../src/run/shell.ts";
import type { World } from "../../src/world/world.ts";

/** A word of a command line with its meaning. */
export interface Item {
  readonly term: string;
  readonly says: string;
}

export interface DescribedNoun {
  readonly name: string;
  readonly doc: string;
  /** One for each verb, or the noun itself. */
  readonly commands: readonly CatalogueCommand[];
}

export interface DescribedProgram {
  readonly doc: string;
  readonly usage: string;
  readonly flags: readonly Item[];
  readonly exitCodes: readonly Item[];
  readonly nouns: readonly DescribedNoun[];
}

const make = (): Program => new Program("", registry(new Shell({} as World, async () => 0)));

/** Formats a flag as help does: `-p, --profile <name>`. */
export const flagItem = (flag: CatalogueFlag): Item => ({
  term: [flag.short && `${flag.short}, `, flag.name, flag.value && ` <${flag.value}>`].filter(Boolean).join(""),
  says: docOf(flag),
});

/** `help` itself has no page. */
export async function describeProgram(): Promise<DescribedProgram> {
  const { doc, usage, global_flags, exit_codes, nouns, commands } = catalogueOf(await make().whole(), "");
  return {
    doc,
    usage,
    flags: global_flags.map(flagItem),
    exitCodes: exit_codes.map(({ code, meaning }) => ({ term: String(code), says: meaning })),
    nouns: nouns
      .filter(({ name }) => name !== "help")
      .map(({ name, doc }) => ({
        name,
        doc,
        commands: commands.filter(({ noun, hidden }) => noun === name && !hidden),
      })),
  };
}

/** Returns the help of a command without its last line. */
export async function helpOf(words: readonly string[]): Promise<string> {
  const shown: unknown = await make()
    .run([...words, "--help"])
    .catch((error) => error);
  if (!(shown instanceof HelpShown)) throw shown;
  return shown.text.replace(/\n\nzulipctl [^\n]*\n$/, "\n").trimEnd();
}
