/**
 * Describes every command as data: parameters, effects, operations, exit codes. `help --json` prints it, and completion, the
 * manual and REFERENCE.md are made from it. `docs/commands.schema.json` is its schema.
 */
import { Argument, type Command, type Option } from "commander";
import { operationNamed } from "../../api/registry.ts";
import {
  commandName,
  defaultOf,
  isAllowedInEach,
  isAllowedInRows,
  isRepeatable,
  offerOf,
  withOffer,
} from "../../argv/commander-options.ts";
import { globalHelp } from "../../argv/global-flags.ts";
import { isNoun } from "../../argv/parse-line.ts";
import { type AnyOperation, isChange } from "../../wire/operation.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { verbOf } from "../noun.ts";
import { type CommandParameter, kebab } from "../parameter.ts";
import type { Verb } from "../verb.ts";
import {
  type Catalogue,
  type CatalogueArgument,
  type CatalogueCommand,
  type CatalogueFlag,
  type CatalogueNoun,
  type CatalogueOperation,
  type CatalogueValue,
  catalogueFormat,
} from "./catalogue-document.ts";

/** What a verb states. */
type Stated = Omit<Verb, "action">;

const valueWord = (flags: string): string | undefined => /<(.*)>/.exec(flags)?.[1];

function kindAndWords(taker: Option | Argument): Pick<CatalogueValue, "kind" | "choices" | "suggestions"> {
  const offer = offerOf(taker);
  if (!offer) throw new Error(`${taker.name()} does not say what kind of value it takes`);
  const { of, only } = offer;
  if (typeof of === "string") return { kind: of === "free" ? "text" : of };
  return only || taker.argChoices ? { kind: "choice", choices: of } : { kind: "text", suggestions: of };
}

function valueFacts(taker: Option | Argument, parameter: CommandParameter | undefined): CatalogueValue {
  const isArgument = taker instanceof Argument;
  const takesValue = isArgument || taker.required || taker.optional;
  const offer = offerOf(taker);
  const initial = defaultOf(taker);
  return {
    ...(takesValue ? kindAndWords(taker) : { kind: "switch" }),
    ...(initial !== undefined && { default: initial }),
    required: isArgument ? taker.required || parameter?.lastRequired === true : taker.mandatory,
    repeatable: taker.variadic || (!isArgument && isRepeatable(taker)),
    ...(offer?.list && { comma_separated: true }),
    ...(offer?.at && { at_file: true }),
    ...(parameter?.file && { stdin: true }),
  };
}

const argumentOf = (argument: Argument, parameter: CommandParameter | undefined): CatalogueArgument => ({
  name: argument.name(),
  doc: argument.description,
  ...valueFacts(argument, parameter),
});

const flagOf = (option: Option, parameter?: CommandParameter): CatalogueFlag => ({
  name: option.long ?? option.flags,
  ...(option.short && { short: option.short }),
  ...((option.required || option.optional) && { value: valueWord(option.flags) }),
  doc: option.description,
  key: option.attributeName(),
  ...valueFacts(option, parameter),
});

/** The calls that belong to another: what it replaces, whether it was applied, the ids of new things, the end of a queue. */
const callsWith = ({ before, previous, evidence, continuation, newIds, cleanup }: AnyOperation): AnyOperation[] =>
  [before?.read, previous?.read, evidence?.read, continuation?.read, newIds?.list, cleanup?.({})?.operation].filter(
    (read) => read !== undefined,
  );

function operationsOf({ operation, operations: calls = [], operands = {}, flags = {} }: Stated): CatalogueOperation[] {
  const named = [
    ...(calls === "any" ? [] : calls),
    ...[...Object.values(operands), ...Object.values(flags)].flatMap((parameter) => parameter.lookUps ?? []),
  ].map((name) => {
    const found = operationNamed(name);
    if (!found) throw new Error(`operation ${name} not found`);
    return found;
  });
  const own = [...(operation ? [operation] : []), ...named];
  if (!own.length) return [];
  const further = own.flatMap(callsWith);
  const all = new Set([...own, ...further, ...further.flatMap(callsWith), operationNamed("server.info")]);
  return [...all]
    .filter((each) => each !== undefined)
    .map((each) => ({
      name: each.name,
      method: each.method,
      path: each.answer === "bytes" ? each.path : `/api/v1${each.path}`,
      changes: isChange(each),
    }));
}

/** Returns the exit codes of a command by its effects, flags and statement. */
function codesOf(verb: Stated, { asks, changes }: { asks: boolean; changes: boolean }): ExitCode[] {
  const { flags = {}, exits = [] } = verb;
  if (verb.operations === "any" || exits === "any") return [...exitCodes];
  const codes = new Set([
    ...[0, 2, 70, 130],
    ...(asks ? [1, 3, 4] : []),
    ...(changes ? [5, 7] : []),
    ...(flags.expect ? [6] : []),
    ...(flags.exitCode ? [8] : []),
    ...exits,
  ]);
  return exitCodes.filter(({ code }) => codes.has(code));
}

const typed = (names: readonly string[]): string[] => names.map((name) => `--${kebab(name)}`);

function commandOf(command: Command, verb: Stated, aliasOf: string | null): CatalogueCommand {
  const helper = command.createHelp();
  const name = commandName(command);
  const [noun = name, last = null] = name.split(" ");
  const operations = operationsOf(verb);
  const any = verb.operations === "any";
  const changesServer = any || operations.some(({ changes }) => changes);
  const operands = Object.values(verb.operands ?? {});
  const confirmation = verb.asks ?? (verb.confirm === undefined ? "never" : "always");
  return {
    name,
    noun,
    verb: last,
    doc: helper.commandDescription(command),
    usage: helper.commandUsage(command),
    other_names: command.aliases(),
    hidden: verb.hidden ?? false,
    alias_of: aliasOf,
    note: verb.note ?? null,
    arguments: command.registeredArguments.map((argument, n) => argumentOf(argument, operands[n])),
    flags: command.options
      .filter(({ hidden, helpGroupHeading, long }) => !hidden && helpGroupHeading !== globalHelp && long !== "--help")
      .map((option) => flagOf(option, verb.flags?.[option.attributeName()])),
    conflicts: (verb.conflicts ?? []).map(typed),
    requires: (verb.requires ?? []).map(typed),
    changes: changesServer || verb.local === true,
    changes_server: changesServer,
    confirmation,
    destructive: confirmation !== "never",
    any_operation: any,
    operations,
    in_batch: isAllowedInRows(command),
    in_each: isAllowedInEach(command),
    exit_codes: codesOf(verb, { asks: operations.length > 0, changes: changesServer }),
    examples: verb.examples,
  };
}

/** commander makes this command. */
const helpVerb: Stated = {
  doc: "show the help of a command",
  note: "With --json or another form, it prints the commands as data, without credentials and without a request.",
  examples: ["zulipctl help channel update", "zulipctl help folder --json"],
};

/** Returns the commands with their verbs. */
function everyCommand(root: Command): { command: Command; verb: Stated }[] {
  const shown = root.createHelp().visibleCommands(root);
  const all = root.commands.flatMap((noun) => [...(isNoun(noun) ? [] : [noun]), ...noun.commands]);
  const stated = all.flatMap((command) => {
    const verb = verbOf(command);
    return verb && command.name() !== "__complete" ? [{ command, verb }] : [];
  });
  const help = shown.filter((command) => !root.commands.includes(command));
  for (const argument of help.flatMap(({ registeredArguments }) => registeredArguments))
    withOffer(argument, { of: "free" });
  return [...stated, ...help.map((command) => ({ command, verb: helpVerb }))];
}

const isBelow = (command: Command, top: Command): boolean =>
  command === top || (command.parent !== null && isBelow(command.parent, top));

/** Returns the catalogue. `root`: the program with all commands. `top`: only this command, and those below it. */
export function catalogueOf(root: Command, version: string, top: Command = root): Catalogue {
  const helper = root.createHelp();
  const all = everyCommand(root);
  /** The command whose other name it is. Both have the same code. */
  const original = ({ hidden, run }: Stated) =>
    all.find(({ verb }) => hidden && run !== undefined && !verb.hidden && verb.run === run)?.command;
  const commands = all
    .filter(({ command }) => top === root || isBelow(command, top))
    .map(({ command, verb }) => {
      const same = original(verb);
      return commandOf(command, verb, same ? commandName(same) : null);
    });
  const nouns = helper.visibleCommands(root).flatMap((noun): CatalogueNoun[] => {
    const names = commands.filter((command) => command.noun === noun.name()).map(({ name }) => name);
    const { doc, aliases } = { doc: noun.description(), aliases: noun.aliases() };
    return names.length ? [{ name: noun.name(), doc, other_names: aliases, commands: names }] : [];
  });
  return {
    format: catalogueFormat,
    version,
    doc: root.description(),
    usage: helper.commandUsage(root),
    global_flags: root.options.filter(({ hidden }) => !hidden).map((option) => flagOf(option)),
    exit_codes: exitCodes,
    nouns,
    commands,
  };
}
