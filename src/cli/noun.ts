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

/**
 * Adds arguments and flags when a line names the command: adding them to all verbs would be slow. They do not refer to their
 * command, or it would live until V8 looks at its whole memory.
 */
const additions = new WeakMap<Command, (to: Command) => void>();

export const addParameters = (command: Command): void => additions.get(command)?.(command);

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
  const { doc, operands = {}, note, usage, hidden = false, examples } = verb;
  const command = parent.command(name, { hidden }).aliases(others).description(doc);
  if (usage !== undefined) command.usage(usage);
  verbs.set(command, verb);
  additions.set(command, (to) => {
    for (const parameter of Object.values(operands)) to.addArgument(argumentOf(parameter));
    const flags = { ...(name === "list" || verb.sortable ? listingFlags : {}), ...verb.flags };
    for (const [flag, parameter] of Object.entries(flags))
      for (const option of commanderOptions(flag, parameter)) addOption(to, option);
    if (examples.length) addExamples(to, { note, examples });
  });
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
