/** The catalogue for completion. */
import type { Offer } from "../../argv/commander-options.ts";
import { catalogueOf } from "../catalogue/catalogue.ts";
import type {
  CatalogueArgument,
  CatalogueCommand,
  CatalogueFlag,
  CatalogueNoun,
  CatalogueValue,
} from "../catalogue/catalogue-document.ts";
import { Program } from "../program.ts";
import type { Registry } from "../registry.ts";

export interface TreeFlag {
  long: string;
  short?: string;
  doc: string;
  /** The same for flags that exclude each other: `--web-public` and `--no-web-public`. */
  key: string;
  /** It takes a value. */
  value?: true;
  repeats?: true;
  /** What completion offers for its value. */
  offers?: Offer;
}

interface CommandOperand {
  name: string;
  variadic?: true;
  offers: Offer | undefined;
}

export interface TreeEntry {
  name: string;
  doc: string;
  /** Global flags are only listed at the root. */
  flags: TreeFlag[];
  operands: CommandOperand[];
  verbs: TreeEntry[];
  /** It, or one of its verbs, can be in a row of a batch. */
  inRows?: true;
  /** It, or one of its verbs, can be run by `each`. */
  inEach?: true;
}

/** Nobody can know which numbers and times people want. */
function isFree(kind: CatalogueValue["kind"]): kind is "text" | "choice" | "number" | "duration" | "time" | "size" {
  return ["text", "choice", "number", "duration", "time", "size"].includes(kind);
}

function offerOf({ kind, choices, suggestions, comma_separated, at_file }: CatalogueValue): Offer | undefined {
  if (kind === "switch") return undefined;
  const of = choices ?? suggestions ?? (isFree(kind) ? "free" : kind);
  return { of, ...(comma_separated && { list: true }), ...(at_file && { at: true }) };
}

const flagOf = (flag: CatalogueFlag): TreeFlag => ({
  long: flag.name,
  ...(flag.short && { short: flag.short }),
  doc: flag.doc,
  key: flag.key,
  ...(flag.repeatable && { repeats: true }),
  ...(flag.kind !== "switch" && { value: true, offers: offerOf(flag) }),
});

const operandOf = (argument: CatalogueArgument): CommandOperand => ({
  name: argument.name,
  ...(argument.repeatable && { variadic: true }),
  offers: offerOf(argument),
});

const entryOf = (name: string, command: CatalogueCommand): TreeEntry => ({
  name,
  doc: command.doc,
  flags: command.flags.map(flagOf),
  operands: command.arguments.map(operandOf),
  verbs: [],
  ...(command.in_batch && { inRows: true }),
  ...(command.in_each && { inEach: true }),
});

/** Returns all commands as data. The build saves it. */
export async function wholeTree(registry: Registry): Promise<TreeEntry> {
  const { doc, global_flags, nouns, commands } = catalogueOf(await new Program("", registry).whole(), "");
  const nounOf = ({ name, doc, commands: own }: CatalogueNoun): TreeEntry => {
    const all = commands.filter((command) => !command.hidden && own.includes(command.name));
    const itself = all.find(({ verb }) => verb === null);
    const verbs = all.flatMap((command) => (command.verb === null ? [] : entryOf(command.verb, command)));
    return {
      ...(itself ? entryOf(name, itself) : { name, doc, flags: [], operands: [] }),
      verbs,
      ...(all.some(({ in_batch }) => in_batch) && { inRows: true }),
      ...(all.some(({ in_each }) => in_each) && { inEach: true }),
    };
  };
  return { name: "zulipctl", doc, flags: global_flags.map(flagOf), operands: [], verbs: nouns.map(nounOf) };
}
