/** Describes the command tree for generated pages. */
import type { Command, Help, Option } from "commander";
import { globalHelp } from "../../src/argv/flags.ts";
import type { Noun } from "../../src/cli/noun.ts";
import { HelpShown, Program } from "../../src/cli/program.ts";
import type { Verb } from "../../src/cli/verb.ts";
import { nouns, registry } from "../../src/commands/nouns.ts";
import { Shell } from "../../src/run/shell.ts";
import type { World } from "../../src/world/world.ts";

/** A word of a command line with its meaning. */
export interface Item {
  readonly term: string;
  readonly says: string;
}

export interface DescribedCommand {
  /** `channel update`. */
  readonly name: string;
  /** `zulipctl channel update <channel> [flags]`. */
  readonly usage: string;
  readonly doc: string;
  readonly operands: readonly Item[];
  /** Without global flags. */
  readonly flags: readonly Item[];
  readonly note: string | undefined;
  readonly examples: readonly string[];
}

export interface DescribedNoun {
  readonly name: string;
  readonly doc: string;
  /** One for each verb, or the noun itself. */
  readonly commands: readonly DescribedCommand[];
}

export interface DescribedProgram {
  readonly doc: string;
  readonly usage: string;
  readonly flags: readonly Item[];
  readonly nouns: readonly DescribedNoun[];
}

const make = (): Program => new Program("", registry(new Shell({} as World, async () => 0)));

const isOf = (option: Option, which: "command" | "program"): boolean =>
  (which === "program") === (option.helpGroupHeading === globalHelp || option.long === "--help");

const flagsOf = (command: Command, helper: Help, which: "command" | "program"): Item[] =>
  helper
    .visibleOptions(command)
    .filter((option) => isOf(option, which))
    .map((option) => ({ term: helper.optionTerm(option), says: helper.optionDescription(option) }));

function commandOf(command: Command, name: string, { note, examples }: Verb): DescribedCommand {
  const helper = command.createHelp();
  return {
    name,
    usage: helper.commandUsage(command),
    doc: helper.commandDescription(command),
    operands: helper
      .visibleArguments(command)
      .map((each) => ({ term: each.name(), says: helper.argumentDescription(each) })),
    flags: flagsOf(command, helper, "command"),
    note,
    examples,
  };
}

function commandsOf(command: Command, stated: Noun | Verb): DescribedCommand[] {
  if ("action" in stated) return [commandOf(command, command.name(), stated)];
  const verbs = command
    .createHelp()
    .visibleCommands(command)
    .map((verb) => commandOf(verb, `${command.name()} ${verb.name()}`, stated.verbs[verb.name()]!));
  return [...(stated.itself ? [commandOf(command, command.name(), stated.itself)] : []), ...verbs];
}

export async function describeProgram(): Promise<DescribedProgram> {
  const root = await make().whole();
  const helper = root.createHelp();
  const described: DescribedNoun[] = [];
  for (const command of helper.visibleCommands(root)) {
    const stated = await nouns[command.name()]?.();
    if (stated)
      described.push({ name: command.name(), doc: command.description(), commands: commandsOf(command, stated) });
  }
  return {
    doc: root.description(),
    usage: helper.commandUsage(root),
    flags: flagsOf(root, helper, "program"),
    nouns: described,
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
