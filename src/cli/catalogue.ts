/**
 * Describes every command as data: words, effects, operations, exit codes. `help --json` prints it, and completion, the
 * manual and REFERENCE.md are made from it. `docs/commands.schema.json` is its schema.
 */
import { Argument, type Command, type Option } from "commander";
import { operationNamed } from "../api/registry.ts";
import { globalHelp } from "../argv/flags.ts";
import { defaultOf, isAllowedInEach, isAllowedInRows, offerOf, repeats } from "../argv/options.ts";
import { isNoun } from "../argv/parse-line.ts";
import { type AnyOperation, isChange } from "../wire/operation.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { nameOf } from "./misuse.ts";
import { verbOf } from "./noun.ts";
import type { Verb } from "./verb.ts";
import { kebab, type Word } from "./word.ts";

/** The version of this form of the document. */
export const format = 1;

/** The value of an argument or a flag. */
interface Value {
  /** A kind of thing, `choice`, `number`, `text` and others. A flag without a value is a `switch`. */
  readonly kind: string;
  /** The only words that it accepts. */
  readonly choices?: readonly string[];
  /** Words that completion offers. Others are accepted too. */
  readonly suggestions?: readonly string[];
  /** What applies if it is absent. */
  readonly default?: string;
  readonly required: boolean;
  readonly repeatable: boolean;
  /** Several values may be separated by commas. */
  readonly comma_separated?: true;
  /** The value may be `@file`. */
  readonly at_file?: true;
  /** The value may be `-`, for stdin. */
  readonly stdin?: true;
}

export interface CatalogueArgument extends Value {
  readonly name: string;
  readonly doc: string;
}

export interface CatalogueFlag extends Value {
  /** As typed: `--new-name`. */
  readonly name: string;
  readonly short?: string;
  /** The name of its value in help. */
  readonly value?: string;
  readonly doc: string;
  /** The same for flags that exclude each other: `--private` and `--no-private`. */
  readonly key: string;
}

export interface CatalogueOperation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly changes: boolean;
}

export interface CatalogueCommand {
  /** `channel update`. */
  readonly name: string;
  readonly noun: string;
  readonly verb: string | null;
  readonly doc: string;
  readonly usage: string;
  /** Other names of its last word. */
  readonly other_names: readonly string[];
  readonly hidden: boolean;
  /** It is another name of this command. */
  readonly alias_of: string | null;
  readonly note: string | null;
  readonly arguments: readonly CatalogueArgument[];
  readonly flags: readonly CatalogueFlag[];
  /** The first flag of each list cannot be combined with the others. */
  readonly conflicts: readonly (readonly string[])[];
  /** The first flag of each pair requires the second. */
  readonly requires: readonly (readonly string[])[];
  /** It can change the server, or profiles, keys and journals on this machine. */
  readonly changes: boolean;
  /** It can change the server. With `--read-only` these changes are refused. */
  readonly changes_server: boolean;
  /** Whether it asks for confirmation. Where nobody can be asked, it then requires `--yes`. */
  readonly confirmation: "always" | "sometimes" | "never";
  /** It can ask for confirmation. */
  readonly destructive: boolean;
  /** It runs other commands, or sends what is typed: it can call any operation. */
  readonly any_operation: boolean;
  readonly operations: readonly CatalogueOperation[];
  readonly in_batch: boolean;
  readonly in_each: boolean;
  readonly exit_codes: readonly ExitCode[];
  readonly examples: readonly string[];
}

export interface CatalogueNoun {
  readonly name: string;
  readonly doc: string;
  readonly other_names: readonly string[];
  /** The names of its commands. */
  readonly commands: readonly string[];
}

export interface Catalogue {
  readonly format: typeof format;
  readonly version: string;
  readonly doc: string;
  readonly usage: string;
  readonly global_flags: readonly CatalogueFlag[];
  readonly exit_codes: readonly ExitCode[];
  readonly nouns: readonly CatalogueNoun[];
  readonly commands: readonly CatalogueCommand[];
}

const valueWord = (flags: string): string | undefined => /<(.*)>/.exec(flags)?.[1];

function kindAndWords(taker: Option | Argument): Pick<Value, "kind" | "choices" | "suggestions"> {
  const { of = "free", only } = offerOf(taker) ?? {};
  if (typeof of === "string") return { kind: of === "free" ? "text" : of };
  return only || taker.argChoices ? { kind: "choice", choices: of } : { kind: "text", suggestions: of };
}

function valueFacts(taker: Option | Argument, word: Word | undefined): Value {
  const isArgument = taker instanceof Argument;
  const takesValue = isArgument || taker.required || taker.optional;
  const offer = offerOf(taker);
  const initial = defaultOf(taker);
  return {
    ...(takesValue ? kindAndWords(taker) : { kind: "switch" }),
    ...(initial !== undefined && { default: initial }),
    required: isArgument ? taker.required : taker.mandatory,
    repeatable: taker.variadic || (!isArgument && repeats(taker)),
    ...(offer?.list && { comma_separated: true }),
    ...(offer?.at && { at_file: true }),
    ...(word?.file && { stdin: true }),
  };
}

const argumentOf = (argument: Argument, word: Word | undefined): CatalogueArgument => ({
  name: argument.name(),
  doc: argument.description,
  ...valueFacts(argument, word),
});

const flagOf = (option: Option, word?: Word): CatalogueFlag => ({
  name: option.long ?? option.flags,
  ...(option.short && { short: option.short }),
  ...((option.required || option.optional) && { value: valueWord(option.flags) }),
  doc: option.description,
  key: option.attributeName(),
  ...valueFacts(option, word),
});

/** The calls that belong to another: what it replaces, whether it was applied, the ids of new things, the end of a queue. */
const callsWith = ({ before, previous, evidence, continuation, newIds, cleanup }: AnyOperation): AnyOperation[] =>
  [before?.read, previous?.read, evidence?.read, continuation?.read, newIds?.list, cleanup?.({})?.operation].filter(
    (read) => read !== undefined,
  );

function operationsOf({ operation, operations: calls = [], operands = {}, flags = {} }: Verb): CatalogueOperation[] {
  const named = [
    ...(calls === "any" ? [] : calls),
    ...[...Object.values(operands), ...Object.values(flags)].flatMap((word) => word.lookUps ?? []),
  ].map((name) => {
    const found = operationNamed(name);
    if (!found) throw new Error(`operation ${name} not found`);
    return found;
  });
  const own = [...(operation ? [operation] : []), ...named];
  if (!own.length) return [];
  const all = new Set([...own, ...own.flatMap(callsWith), operationNamed("server.info")]);
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
function codesOf(verb: Verb, { asks, changes }: { asks: boolean; changes: boolean }): ExitCode[] {
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

function commandOf(command: Command, verb: Verb, aliasOf: string | null): CatalogueCommand {
  const helper = command.createHelp();
  const name = nameOf(command);
  const [noun = name, last = null] = name.split(" ");
  const operations = operationsOf(verb);
  const any = verb.operations === "any";
  const changesServer = any || operations.some(({ changes }) => changes);
  const words = Object.values(verb.operands ?? {});
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
    arguments: command.registeredArguments.map((argument, n) => argumentOf(argument, words[n])),
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

const isBelow = (command: Command, top: Command): boolean =>
  command === top || (command.parent !== null && isBelow(command.parent, top));

/** Returns the catalogue. `root`: the program with all commands. `top`: only this command, and those below it. */
export function catalogueOf(root: Command, version: string, top: Command = root): Catalogue {
  const helper = root.createHelp();
  const all = root.commands
    .flatMap((noun) => [...(isNoun(noun) ? [] : [noun]), ...noun.commands])
    .flatMap((command) => {
      const verb = verbOf(command);
      return verb && command.name() !== "__complete" ? [{ command, verb }] : [];
    });
  /** The command whose other name it is. Both have the same code. */
  const original = ({ hidden, run }: Verb) =>
    all.find(({ verb }) => hidden && run !== undefined && !verb.hidden && verb.run === run)?.command;
  const commands = all
    .filter(({ command }) => isBelow(command, top))
    .map(({ command, verb }) => {
      const same = original(verb);
      return commandOf(command, verb, same ? nameOf(same) : null);
    });
  const nouns = helper.visibleCommands(root).flatMap((noun): CatalogueNoun[] => {
    const names = commands.filter((command) => command.noun === noun.name()).map(({ name }) => name);
    const { doc, aliases } = { doc: noun.description(), aliases: noun.aliases() };
    return names.length ? [{ name: noun.name(), doc, other_names: aliases, commands: names }] : [];
  });
  return {
    format,
    version,
    doc: root.description(),
    usage: helper.commandUsage(root),
    global_flags: root.options.filter(({ hidden }) => !hidden).map((option) => flagOf(option)),
    exit_codes: exitCodes,
    nouns,
    commands,
  };
}
