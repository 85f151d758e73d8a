/** The command tree as data, for completion. */
import type { Argument, Command, Option } from "commander";
import { type Offer, offerOf, repeats, runsInEach, standsInRows } from "../../argv/options.ts";
import { Program, type Registry } from "../program.ts";

export interface Flag {
  long?: string;
  short?: string;
  doc: string;
  /** The same for flags that exclude each other: `--web-public` and `--no-web-public`. */
  wish: string;
  /** The name of its value, if it takes one. */
  value?: string;
  choices?: readonly string[];
  repeats?: boolean;
  /** What completion offers for its value. */
  offers?: Offer;
}

export interface Operand {
  name: string;
  choices?: readonly string[];
  variadic?: boolean;
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

/** Returns the word in brackets: `user` of `--add <user,...>`. */
const metavariable = (flags: string): string => /<([^>]*)>/.exec(flags)?.[1]?.replace(/,?\.\.\.$/, "") ?? "";

/** Returns all commands as data. The build saves it. */
export async function wholeTree(nouns: Registry): Promise<Entry> {
  const root = await new Program("", nouns).whole();
  const flag = (option: Option): Flag => {
    const { long, short, description, required, optional, argChoices } = option;
    return {
      ...(long && { long }),
      ...(short && { short }),
      doc: description,
      wish: option.attributeName(),
      ...((required || optional) && { value: metavariable(option.flags) }),
      ...(argChoices && { choices: argChoices }),
      ...(repeats(option) && { repeats: true }),
      ...((required || optional) && { offers: offerOf(option) }),
    };
  };
  const operand = (argument: Argument): Operand => ({
    name: argument.name(),
    ...(argument.argChoices && { choices: argument.argChoices }),
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
    ...(standsInRows(command) && { inRows: true }),
    ...(runsInEach(command) && { inEach: true }),
  });
  return entry(root);
}
