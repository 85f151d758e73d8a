/** Makes commander's commands from nouns and verbs. */
import type { Command } from "commander";
import { addOption, setAction } from "../argv/commander-options.ts";
import type { Shell } from "../run/shell.ts";
import { addExamples } from "./help.ts";
import { otherNouns, otherVerbs } from "./other-names.ts";
import { argumentOf, type CommandParameters, commanderOptions } from "./parameter.ts";
import type { Registry } from "./registry.ts";
import { number, offered, text } from "./value-parameters.ts";
import type { Verb } from "./verb.ts";

export interface Noun<V extends Readonly<Record<string, Verb>> = Readonly<Record<string, Verb>>> {
  readonly doc: string;
  readonly verbs: V;
  /** Runs without a verb. */
  readonly itself?: Verb;
}

export const noun = <const V extends Readonly<Record<string, Verb>>>(doc: string, verbs: V): Noun<V> => ({
  doc,
  verbs,
});

/** The flags of every list. */
const listingFlags: CommandParameters = {
  sort: offered("field", text("sort by this column; -column: from the largest down", "column")),
  limit: number("at most this many", "n", 1),
};

const verbs = new WeakMap<Command, Verb>();

/** Returns the verb that a command is made from. */
export const verbOf = (command: Command): Verb | undefined => verbs.get(command);

/** Adds arguments and flags when a line names the command. Adding them to all verbs would be slow. */
export function addParameters(command: Command): void {
  const verb = verbs.get(command);
  if (!verb) return;
  const { operands = {}, note, examples } = verb;
  for (const parameter of Object.values(operands)) command.addArgument(argumentOf(parameter));
  const flags = { ...(command.name() === "list" || verb.sortable ? listingFlags : {}), ...verb.flags };
  for (const [flag, parameter] of Object.entries(flags))
    for (const option of commanderOptions(flag, parameter)) addOption(command, option);
  if (examples.length) addExamples(command, { note, examples });
}

function addVerb(
  parent: Command,
  name: string,
  verb: Verb,
  {
    shell,
    every,
    noun: of,
    others = [],
  }: { shell: Shell; every: (shell: Shell) => Registry; noun?: string; others?: readonly string[] },
): Command {
  const { doc, usage, hidden = false } = verb;
  const command = parent.command(name, { hidden }).aliases(others).description(doc);
  if (usage !== undefined) command.usage(usage);
  verbs.set(command, verb);
  setAction(command, verb.action(shell, every, of === undefined ? name : `${of} ${name}`));
  return command;
}

/** Adds a noun with its verbs, or a verb without a noun. */
export function addNoun(
  root: Command,
  name: string,
  noun: Noun | Verb,
  shell: Shell,
  every: (shell: Shell) => Registry,
): void {
  if ("action" in noun) {
    addVerb(root, name, noun, { shell, every });
    return;
  }
  const { itself, verbs } = noun;
  const command = itself ? addVerb(root, name, itself, { shell, every }) : root.command(name).description(noun.doc);
  command.aliases(otherNouns(name));
  for (const [verb, each] of Object.entries(verbs))
    addVerb(command, verb, each, { shell, every, noun: name, others: otherVerbs(verb, Object.keys(verbs)) });
}
