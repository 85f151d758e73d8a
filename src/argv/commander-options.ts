/** Additions to commander's options and commands: completion, repetition, and use in batches. */
import { type Argument, type Command, InvalidArgumentError, Option } from "commander";
import { chosenWord } from "../common/choices.ts";
import { Usage } from "../errors.ts";
import type { KindName } from "../model/kinds/index.ts";
import { collectTexts, type RawWord, textInputs, textOfWord } from "./text-input.ts";

/** Returns the name of a command: `channel update`. */
export const commandName = (command: Command): string =>
  command.parent?.parent ? `${commandName(command.parent)} ${command.name()}` : command.name();

/** A kind of things, as completion names it: `profile-field`. */
type OfferedKind = KindName extends infer K ? (K extends `${infer A}_${infer B}` ? `${A}-${B}` : K) : never;

/** `free`: anything. Kinds with `=` are a name and its value. */
export type CompletionKind =
  | "free"
  | "number"
  | "duration"
  | "time"
  | "size"
  | "file"
  | OfferedKind
  | "people"
  | "who"
  | "profile"
  | "site"
  | "run"
  | "logged-run"
  | "field"
  | "permission"
  | "setting"
  | "setting=value"
  | "setting=who"
  | "channel-setting=who"
  | "group-setting=who"
  | "profile-field=value"
  | "parameter=value";

export interface Offer {
  /** A kind, or a list of words. */
  readonly of: CompletionKind | readonly string[];
  /** A value may contain several, separated by commas. */
  readonly list?: true;
  /** Nothing else is accepted. */
  readonly only?: true;
  /** A value may be `@file`. */
  readonly at?: true;
}

const offers = new WeakMap<Option | Argument, Offer>();

export function withOffer<T extends Option | Argument>(taker: T, offer: Offer | undefined): T {
  if (offer) offers.set(taker, offer);
  return taker;
}

export const offerOf = (taker: Option | Argument): Offer | undefined => {
  const { argChoices } = taker;
  return offers.get(taker) ?? (argChoices && { of: argChoices });
};

/** Returns what applies if an option or argument is absent, as text. */
export const defaultOf = ({
  defaultValue,
  defaultValueDescription,
}: Pick<Option | Argument, "defaultValue" | "defaultValueDescription">): string | undefined =>
  defaultValueDescription ?? (defaultValue === undefined ? undefined : String(defaultValue));

/** Accepts only these words, and what servers store for them. */
export function withChoices<T extends Option | Argument>(
  taker: T,
  words: readonly string[],
  stored: Readonly<Record<string, number | string>> = {},
): T {
  taker.choices(words);
  taker.argParser((typed: string) => {
    const word = chosenWord(words, typed) ?? words.find((each) => String(stored[each]) === typed.trim());
    if (word === undefined) throw new InvalidArgumentError(`It must be one of ${words.join(", ")}.`);
    return word;
  });
  return taker;
}

/** Adds an option with a name that is made once: commander makes it several times for each row of a batch. */
export function addOption(command: Command, option: Option): void {
  const name = option.attributeName();
  option.attributeName = () => name;
  command.addOption(option);
}

const repeatableOptions = new WeakSet<Option>();

/** An option that may be repeated. Its value is a list. */
export function repeatable(flags: string, doc: string): Option {
  const option = new Option(flags, doc).argParser(collectTexts);
  repeatableOptions.add(option);
  return option;
}

/** For lists that a file can contain: `@file`. */
export function repeatableList(flags: string, doc: string): Option {
  const option = new Option(flags, doc).argParser<unknown>(textInputs);
  repeatableOptions.add(option);
  return option;
}

export const isRepeatable = (option: Option): boolean => repeatableOptions.has(option);

/**
 * Refuses options with two different values. Call `watch` with the command before each parse: watching all commands
 * would be slow.
 */
export function conflictCheck(): { watch(command: Command): void } {
  const seen = new Map<string, { flag: string; value: unknown }>();
  const watched = new WeakSet<Command>();
  const add = (command: Command) => {
    watched.add(command);
    for (const option of command.options) {
      if (repeatableOptions.has(option)) continue;
      const flag = option.long ?? option.flags;
      command.on(`option:${option.name()}`, (word: RawWord | null) => {
        const value = textOfWord(word ?? flag);
        const before = seen.get(option.attributeName());
        if (before && before.value !== value)
          throw new Usage(
            before.flag === flag
              ? `${flag} is given twice with different values`
              : `${before.flag} cannot be combined with ${flag}`,
            { outcome: "not_sent" },
          );
        seen.set(option.attributeName(), { flag, value });
      });
    }
  };
  return {
    watch(command) {
      seen.clear();
      for (let at: Command | null = command; at; at = at.parent) if (!watched.has(at)) add(at);
    },
  };
}

/** What commander calls with the arguments of a command, its options and itself. */
export type CommandAction = (...all: unknown[]) => Promise<void>;

/** Actions and commands for the rows of a batch, and for `each`. */
const rows = new WeakSet<CommandAction | Command>();
const organizations = new WeakSet<CommandAction | Command>();

/** Marks an action for the rows of a batch. */
export function allowInRows(action: CommandAction): CommandAction {
  rows.add(action);
  return action;
}

/** Marks an action for `each`. */
export function allowInEach(action: CommandAction): CommandAction {
  organizations.add(action);
  return action;
}

/** Actions and commands that are runs: they are started to change something. */
const changing = new WeakSet<CommandAction | Command>();

/** Marks an action as a run. */
export function marksRun(action: CommandAction): CommandAction {
  changing.add(action);
  return action;
}

export const isRun = (command: Command): boolean => changing.has(command);

/** Commands with an action of their own. */
const runs = new WeakSet<Command>();

/** Returns whether a command does something without one of the commands below it. */
export const runsItself = (command: Command): boolean => runs.has(command);

export function setAction(command: Command, action: CommandAction): void {
  command.action(action);
  runs.add(command);
  for (const fit of [rows, organizations, changing]) if (fit.has(action)) fit.add(command);
}

/** Returns whether a command, or one below it, can be in a row. */
export const isAllowedInRows = (command: Command): boolean =>
  command.commands.length > 0 ? command.commands.some(isAllowedInRows) : rows.has(command);

/** Returns whether `each` can run a command, or one below it. */
export const isAllowedInEach = (command: Command): boolean =>
  organizations.has(command) || command.commands.some(isAllowedInEach);
