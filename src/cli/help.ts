/** What help looks like: what there is to do comes first, and the global flags are listed once, by the trunk. */
import { type Command, Help } from "commander";
import { globalHelp } from "../argv/flags.ts";
import { isNoun } from "../argv/reading.ts";

const endings = new WeakMap<Command, string>();

/** Ends a command's help with a note and examples. The examples name what the sandbox has, and a test runs them. */
export function endHelp(command: Command, { note, examples }: { note?: string; examples: readonly string[] }): void {
  const heading = examples.length === 1 ? "Example:" : "Examples:";
  endings.set(command, [...(note ? [note, ""] : []), heading, ...examples.map((line) => `  ${line}`), ""].join("\n"));
}

const isTrunk = (command: Command): boolean => command.parent === null;

const path = (command: Command): string =>
  isTrunk(command) ? "zulipctl" : `${path(command.parent!)} ${command.name()}`;

/** What help shows of the arguments of a command: `<file> [-- <words>...]`. */
export const shownOperands = (command: Command): string => command.usage().replace(/^\[options\] ?/, "");

function commandUsage(command: Command): string {
  if (isTrunk(command)) return "zulipctl <noun> <verb> [arguments] [flags]";
  return `${path(command)} ${isNoun(command) ? "<verb> [arguments] [flags]" : `${shownOperands(command)} [flags]`.trim()}`;
}

/** A noun is listed with its verbs, so that the first screen holds every command. */
function says(command: Command, helper: Help): string {
  const verbs = helper.visibleCommands(command).map((verb) => verb.name());
  return `${helper.subcommandDescription(command)}${verbs.length ? ` (${verbs.join(", ")})` : ""}`;
}

type Item = [term: string, says: string];

/** Beside a term a description needs this much room to be read well; else it stands below. */
const least = 28;

/** Terms with what they mean, wrapped. */
function listed(items: readonly Item[], helper: Help, width: number): string[] {
  const term = Math.max(...items.map(([each]) => each.length));
  const beside = width - term - 4;
  const below = ([each, says]: Item) => [
    `  ${each}`,
    ...wrapped(says, helper, width - 6).map((line) => `      ${line}`),
  ];
  if (beside < least) return items.flatMap(below);
  return items.flatMap(([each, says]) => {
    const [first = "", ...others] = wrapped(says, helper, beside);
    return [`  ${each.padEnd(term)}  ${first}`.trimEnd(), ...others.map((line) => " ".repeat(term + 4) + line)];
  });
}

const wrapped = (text: string, helper: Help, width: number): string[] => helper.boxWrap(text, width).split("\n");

function section(heading: string, items: readonly Item[], helper: Help, width: number): string[] {
  return items.length ? [heading, ...listed(items, helper, width), ""] : [];
}

/** What the help of a command says, before it is laid out for a terminal. */
export interface HelpData {
  doc: string;
  usage: string;
  sections: [heading: string, items: Item[]][];
  /** Examples, and where to read on. */
  after: string;
}

function sectionsOf(command: Command, helper: Help): HelpData["sections"] {
  const groups = new Map<string, Item[]>([
    ["Arguments:", helper.visibleArguments(command).map((each) => [each.name(), helper.argumentDescription(each)])],
    ["Commands:", helper.visibleCommands(command).map((each) => [helper.subcommandTerm(each), says(each, helper)])],
    ["Flags:", []],
  ]);
  for (const option of helper.visibleOptions(command)) {
    const { helpGroupHeading: heading = "Flags:" } = option;
    if (heading === globalHelp && !isTrunk(command)) continue;
    const item: Item = [helper.optionTerm(option), helper.optionDescription(option)];
    groups.set(heading, [...(groups.get(heading) ?? []), item]);
  }
  return [...groups];
}

/** The last line of every help, below its examples. */
const elsewhere = (command: Command): string =>
  `${isTrunk(command) ? "zulipctl help <noun> [<verb>] tells the rest." : "zulipctl help tells the global flags."}\n`;

export function helpDataOf(command: Command): HelpData {
  const helper = command.createHelp();
  return {
    doc: helper.commandDescription(command),
    usage: commandUsage(command),
    sections: sectionsOf(command, helper),
    after: [endings.get(command), elsewhere(command)].filter(Boolean).join("\n"),
  };
}

export function helpText({ doc, usage, sections, after }: HelpData, width: number): string {
  const helper = Object.assign(new Help(), helpLayout);
  const lists = sections.flatMap(([heading, items]) => section(heading, items, helper, width));
  return within([...wrapped(doc, helper, width), "", `Usage: ${usage}`, "", ...lists, after].join("\n"), width);
}

/** The words of a shell's command line; a flag and the word behind it count as one. */
const chunks = (line: string): string[] =>
  line.match(/(?:--?[a-z][\w-]*(?:=\S+)? (?=[^\s|-]))?(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];

/** A command line on as many lines as it takes, as a shell takes it. */
function continued(line: string, width: number): string[] {
  const lines: string[] = [];
  let last = " ";
  for (const chunk of chunks(line)) {
    const longer = `${last} ${chunk}`;
    if (longer.length + 2 <= width || !last.trim()) last = longer;
    else {
      lines.push(`${last} \\`);
      last = `      ${chunk}`;
    }
  }
  return [...lines, last];
}

/** Wraps what stands around the lists of a help: examples as a shell wants it, other lines between words. */
export function within(text: string, width: number): string {
  const helper = new Help();
  helper.minWidthToWrap = 1;
  const lines = text.split("\n").flatMap((line) => {
    if (line.length <= width) return line;
    return /^ {2}\S/.test(line) ? continued(line, width) : wrapped(line, helper, width);
  });
  return lines.join("\n");
}

/** "colour (default: auto; one of auto, always, never)", in one pair of brackets with a default that the text tells. */
function withChoices(doc: string, choices: readonly string[] | undefined): string {
  if (!choices) return doc;
  const withDefault = /^(.*\(default: [^)]*)\)$/.exec(doc)?.[1];
  return withDefault ? `${withDefault}; one of ${choices.join(", ")})` : `${doc} (one of ${choices.join(", ")})`;
}

/** Commands take this over from the trunk when they are made on it. */
export const helpLayout: Partial<Help> = {
  commandUsage,
  optionDescription: ({ description, argChoices, defaultValue }) =>
    withChoices(defaultValue === undefined ? description : `${description} (default: ${defaultValue})`, argChoices),
  argumentDescription: ({ description, argChoices }) => withChoices(description, argChoices),
  // Narrower terminals break the lines themselves.
  minWidthToWrap: 20,
  subcommandTerm: (command) => `${command.name()} ${isNoun(command) ? "" : shownOperands(command)}`.trim(),
};

/** What the program says when it is called with nothing: where to begin, and where to read on. */
export function beginning(root: Command, width: number): string {
  const helper = root.createHelp();
  const nouns = helper.visibleCommands(root).map((noun) => noun.name());
  return `${[
    ...wrapped(root.description(), helper, width),
    "",
    ...section("First steps:", firstSteps, helper, width),
    "Nouns:",
    ...wrapped(nouns.filter((name) => name !== "help").join(", "), helper, width - 2).map((line) => `  ${line}`),
    "",
    "Read on:",
    ...listed(furtherReading, helper, width),
  ].join("\n")}\n`;
}

const firstSteps: Item[] = [
  ["zulipctl tour", "see what it does, on a server of its own"],
  ["zulipctl fetch-key --site <url>", "get an API key with a password, and keep it"],
  ["zulipctl auth status", "see which account that is"],
  ["zulipctl channel list", "and look around"],
];

const furtherReading: Item[] = [
  ["zulipctl help", "every command, and the flags of them all"],
  ["zulipctl help <noun> [<verb>]", "one of them, with examples"],
];
