/** The command tree as plain data: what completion needs to know of it. */
import type { Argument, Command, Option } from "commander";
import { type Offer, offerOf, repeats, runsInEach, standsInRows } from "../../argv/options.ts";
import { Program, type Registry } from "../program.ts";

export interface Flag {
  long?: string;
  short?: string;
  doc: string;
  /** The same for flags of which only one may be given: `--web-public` and `--no-web-public`. */
  wish: string;
  /** What its value is called, where it takes one. */
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
  /** Those of the trunk stand there alone, and are every command's. */
  flags: Flag[];
  operands: Operand[];
  verbs: Entry[];
  /** It, or a verb of it, can stand in a row of a batch. */
  inRows?: true;
  /** The same for the command of `each`. */
  inEach?: true;
}

/** The word between the brackets: `user` of `--add <user,...>`. */
const metavariable = (flags: string): string => /<([^>]*)>/.exec(flags)?.[1]?.replace(/,?\.\.\.$/, "") ?? "";

/** Every command there is, as data. The build writes it down. */
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
