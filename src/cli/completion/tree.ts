/** The command tree as data, for completion. */
import type { Argument, Command, Option } from "commander";
import { isAllowedInEach, isAllowedInRows, type Offer, offerOf, repeats } from "../../argv/options.ts";
import { Program } from "../program.ts";
import type { Registry } from "../registry.ts";

export interface Flag {
  long?: string;
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

export interface Operand {
  name: string;
  variadic?: true;
  offers?: Offer;
}

export interface Entry {
  name: string;
  doc: string;
  /** Global flags are only listed at the root. */
  flags: Flag[];
  operands: Operand[];
  verbs: Entry[];
  /** It, or one of its verbs, can be in a row of a batch. */
  inRows?: true;
  /** It, or one of its verbs, can be run by `each`. */
  inEach?: true;
}

/** Returns all commands as data. The build saves it. */
export async function wholeTree(nouns: Registry): Promise<Entry> {
  const root = await new Program("", nouns).whole();
  const flag = (option: Option): Flag => ({
    ...(option.long && { long: option.long }),
    ...(option.short && { short: option.short }),
    doc: option.description,
    key: option.attributeName(),
    ...(repeats(option) && { repeats: true }),
    ...((option.required || option.optional) && { value: true, offers: offerOf(option) }),
  });
  const operand = (argument: Argument): Operand => ({
    name: argument.name(),
    ...(argument.variadic && { variadic: true }),
    offers: offerOf(argument),
  });
  const everywhere = new Set(root.options.map(({ long }) => long));
  const entry = (command: Command): Entry => ({
    name: command.name(),
    doc: command.description(),
    flags: command.options
      .filter(({ hidden, long }) => !hidden && (command === root || !everywhere.has(long)))
      .map(flag),
    operands: command.registeredArguments.map(operand),
    verbs: command.createHelp().visibleCommands(command).map(entry),
    ...(isAllowedInRows(command) && { inRows: true }),
    ...(isAllowedInEach(command) && { inEach: true }),
  });
  return entry(root);
}
