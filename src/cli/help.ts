/** Formats help: commands first, global flags only in the help of zulipctl. */

import { type Argument, type Command, Help, type Option } from "commander";
import { commandName, defaultOf } from "../argv/commander-options.ts";
import { globalHelp } from "../argv/global-flags.ts";
import { isNoun } from "../argv/parse-line.ts";
import { otherNamesHelp } from "./other-names.ts";

const endings = new WeakMap<Command, string[]>();

/** Adds a note and examples to a command. A test runs the examples in the sandbox. */
export function addExamples(
  command: Command,
  { note, examples }: { note?: string; examples: readonly string[] },
): void {
  const heading = examples.length === 1 ? "Example:" : "Examples:";
  endings.set(command, [...(note ? [note, ""] : []), heading, ...examples.map((line) => `  ${line}`), ""]);
}

const isRoot = (command: Command): boolean => command.parent === null;

/** Formats the arguments of a command: `<file> [-- <words>...]`. */
const shownOperands = (command: Command): string => command.usage().replace(/^\[options\] ?/, "");

function commandUsage(command: Command): string {
  if (isRoot(command)) return "zulipctl <noun> <verb> [arguments] [flags]";
  return `zulipctl ${commandName(command)} ${isNoun(command) ? "<verb> [arguments] [flags]" : `${shownOperands(command)} [flags]`.trim()}`;
}

/** Lists a noun with its verbs, so that the first screen has every command. */
function withVerbs(command: Command, helper: Help): string {
  const verbs = helper.visibleCommands(command).map((verb) => verb.name());
  return `${helper.subcommandDescription(command)}${verbs.length ? ` (${verbs.join(", ")})` : ""}`;
}

export type HelpItem = [term: string, says: string];

const wrapText = (text: string, helper: Help, width: number): string[] => helper.boxWrap(text, width).split("\n");

/** The smallest width for a description beside its term. Narrower ones go below. */
const least = 28;

/** Formats terms with descriptions, wrapped. */
function formatItems(items: readonly HelpItem[], helper: Help, width: number, isBelow = false): string[] {
  const term = Math.max(...items.map(([each]) => each.length));
  if (width - term - 4 >= least && !isBelow)
    return items.map(([each, says]) => helper.formatItem(each, term, says, helper));
  return items.flatMap(([each, says]) => [
    `  ${each}`,
    ...wrapText(says, helper, width - 6).map((line) => `      ${line}`),
  ]);
}

function section(heading: string, items: readonly HelpItem[], helper: Help, width: number): string[] {
  return items.length ? [heading, ...formatItems(items, helper, width), ""] : [];
}

function sectionsOf(command: Command, helper: Help): Map<string, HelpItem[]> {
  const sections = new Map<string, HelpItem[]>([
    ["Arguments:", helper.visibleArguments(command).map((each) => [each.name(), helper.argumentDescription(each)])],
    [
      "Commands:",
      helper.visibleCommands(command).map((each) => [helper.subcommandTerm(each), withVerbs(each, helper)]),
    ],
    ["Flags:", []],
  ]);
  for (const option of helper.visibleOptions(command)) {
    const { helpGroupHeading: heading = "Flags:" } = option;
    if (heading === globalHelp && !isRoot(command)) continue;
    const item: HelpItem = [helper.optionTerm(option), helper.optionDescription(option)];
    sections.set(heading, [...(sections.get(heading) ?? []), item]);
  }
  return sections;
}

function formatHelp(command: Command, helper: Help): string {
  const width = helper.helpWidth ?? 80;
  const lists = [...sectionsOf(command, helper)].flatMap(([heading, items]) => section(heading, items, helper, width));
  const elsewhere = isRoot(command)
    ? `${otherNamesHelp}\n\nzulipctl help <noun> [<verb>] shows the flags of a command.`
    : 'Run "zulipctl help" for the global flags.';
  const text = [
    ...wrapText(helper.commandDescription(command), helper, width),
    "",
    `Usage: ${commandUsage(command)}`,
    "",
    ...lists,
    ...(endings.get(command) ?? []),
    elsewhere,
    "",
  ];
  return text.flatMap((block) => block.split("\n").flatMap((line) => wrapLine(line, width))).join("\n");
}

/** Splits a command line, with each flag and its value together. */
const shellChunks = (line: string): string[] =>
  line.match(/(?:--?[a-z][\w-]*(?:=\S+)? (?=[^\s|-]))?(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];

/** Wraps a command line as a shell accepts it. */
function wrapCommandLine(line: string, width: number): string[] {
  const lines: string[] = [];
  let last = " ";
  for (const chunk of shellChunks(line)) {
    const longer = `${last} ${chunk}`;
    if (longer.length + 2 <= width || !last.trim()) last = longer;
    else {
      lines.push(`${last} \\`);
      last = `      ${chunk}`;
    }
  }
  return [...lines, last];
}

/** Wraps a line: examples for a shell, other lines between words. */
export function wrapLine(line: string, width: number): string[] {
  if (line.length <= width) return [line];
  const helper = Object.assign(new Help(), { minWidthToWrap: 1 });
  return /^ {2}\S/.test(line) ? wrapCommandLine(line, width) : wrapText(line, helper, width);
}

/** Formats the meaning of a word with its default and choices. Lists have their choices in a note. */
export function docOf(word: {
  readonly doc: string;
  readonly default?: string | undefined;
  readonly choices?: readonly string[] | undefined;
  readonly comma_separated?: true;
}): string {
  const { doc, default: initial, choices, comma_separated } = word;
  const more = [
    ...(initial === undefined ? [] : [`default: ${initial}`]),
    ...(choices && !comma_separated ? [`one of ${choices.join(", ")}`] : []),
  ];
  return more.length ? `${doc} (${more.join("; ")})` : doc;
}

const describe = (word: Option | Argument): string =>
  docOf({ doc: word.description, default: defaultOf(word), choices: word.argChoices });

/** Commands inherit this from the program. */
export const helpLayout: Partial<Help> = {
  formatHelp,
  commandUsage,
  optionDescription: describe,
  argumentDescription: describe,
  // Narrower terminals wrap lines themselves.
  minWidthToWrap: 20,
  subcommandTerm: (command) => `${command.name()} ${isNoun(command) ? "" : shownOperands(command)}`.trim(),
};

/** Returns the text for a call without arguments: where to start, and where to read more. */
export function firstScreen(root: Command, width: number): string {
  const nouns = root
    .createHelp()
    .visibleCommands(root)
    .map((noun) => noun.name())
    .filter((name) => name !== "help");
  return screen(
    [[root.description()], ["First steps:", firstSteps], ["Nouns:", nouns.join(", ")], ["Read on:", helpCommands]],
    width,
  );
}

type HelpParagraph = readonly [heading: string, content?: readonly HelpItem[] | string, below?: "below"];

/** Formats paragraphs: a heading, and items or text under it. `below`: descriptions stand below their terms. */
export function screen(paragraphs: readonly HelpParagraph[], width: number): string {
  const helper = Object.assign(new Help(), helpLayout, { helpWidth: width });
  const text = paragraphs.map(([heading, content = [], below]) => {
    const lines =
      typeof content === "string"
        ? wrapText(content, helper, width - 2).map((line) => `  ${line}`)
        : formatItems(content, helper, width, below !== undefined);
    return [...wrapText(heading, helper, width), ...lines].join("\n");
  });
  return `${text.join("\n\n")}\n`;
}

const firstSteps: HelpItem[] = [
  ["zulipctl tour", "see what it does, on a server of its own"],
  ["zulipctl fetch-key --site <url>", "get an API key with a password, and keep it"],
  ["zulipctl auth status", "see which account that is"],
  ["zulipctl channel list", "and look around"],
];

export const helpCommands: HelpItem[] = [
  ["zulipctl help", "every command, and the flags of them all"],
  ["zulipctl help <noun> [<verb>]", "one of them, with examples"],
];
