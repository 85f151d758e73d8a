/** What help looks like: what there is to do comes first, and the global flags are told once, by the trunk. */
import type { Command, Help, Option } from "commander";
import { globalHelp } from "./flags.ts";

/** Command lines for the end of a command's help. They name what the sandbox holds, and a test runs each of them. */
export const examples = (...lines: string[]): string =>
  ["", lines.length === 1 ? "Example:" : "Examples:", ...lines.map((line) => `  ${line}`)].join("\n");

const isTrunk = (command: Command): boolean => command.parent === null;

const path = (command: Command): string =>
  isTrunk(command) ? "zulipctl" : `${path(command.parent!)} ${command.name()}`;

const operands = (command: Command): string => command.usage().replace(/^\[options\] ?/, "");

function commandUsage(command: Command): string {
  if (isTrunk(command)) return "zulipctl <noun> <verb> [arguments] [flags]";
  return `${path(command)} ${command.commands.length ? "<verb> [arguments] [flags]" : `${operands(command)} [flags]`.trim()}`;
}

/** A noun is told with its verbs, so that the first screen holds every command. */
function says(command: Command, helper: Help): string {
  const verbs = helper.visibleCommands(command).map((verb) => verb.name());
  return `${helper.subcommandDescription(command)}${verbs.length ? ` (${verbs.join(", ")})` : ""}`;
}

function formatHelp(command: Command, helper: Help): string {
  const options = helper.visibleOptions(command);
  const isGlobal = ({ helpGroupHeading }: Option) => helpGroupHeading === globalHelp;
  const told = isTrunk(command) ? options : options.filter((option) => !isGlobal(option));
  const flags = (some: Option[]) =>
    some.map((option): [string, string] => [helper.optionTerm(option), helper.optionDescription(option)]);
  const lists: Record<string, [term: string, says: string][]> = {
    "Arguments:": helper.visibleArguments(command).map((each) => [each.name(), helper.argumentDescription(each)]),
    "Commands:": helper.visibleCommands(command).map((each) => [helper.subcommandTerm(each), says(each, helper)]),
    "Flags:": flags(told.filter((option) => !isGlobal(option))),
    [globalHelp]: flags(told.filter(isGlobal)),
  };
  const width = Math.max(
    ...Object.values(lists)
      .flat()
      .map(([term]) => term.length),
  );
  return [
    helper.boxWrap(helper.commandDescription(command), helper.helpWidth ?? 80),
    "",
    `Usage: ${helper.commandUsage(command)}`,
    "",
    ...Object.entries(lists).flatMap(([heading, items]) =>
      helper.formatItemList(
        heading,
        items.map(([term, doc]) => helper.formatItem(term, width, doc, helper)),
        helper,
      ),
    ),
  ].join("\n");
}

/** The last line of every help, below its examples. */
export const elsewhere = ({ command }: { command: Command }): string =>
  `\n${isTrunk(command) ? "zulipctl <noun> <verb> --help tells the rest." : "zulipctl --help tells the global flags."}`;

/** Commands take this over from the trunk when they are made on it. */
export const helpLayout: Partial<Help> = {
  commandUsage,
  formatHelp,
  subcommandTerm: (command) => `${command.name()} ${command.commands.length ? "" : operands(command)}`.trim(),
};
