/** What help looks like: what there is to do comes first, and the global flags are told once, by the trunk. */
import { type Command, Help } from "commander";
import { globalHelp } from "../argv/flags.ts";
import { isNoun } from "../argv/reading.ts";

/** Command lines for the end of a command's help. They name what the sandbox holds, and a test runs each of them. */
export const examples = (...lines: string[]): string =>
  ["", lines.length === 1 ? "Example:" : "Examples:", ...lines.map((line) => `  ${line}`)].join("\n");

const isTrunk = (command: Command): boolean => command.parent === null;

const path = (command: Command): string =>
  isTrunk(command) ? "zulipctl" : `${path(command.parent!)} ${command.name()}`;

/** What help shows of the arguments of a command: `<file> [-- <words>...]`. */
export const shownOperands = (command: Command): string => command.usage().replace(/^\[options\] ?/, "");

function commandUsage(command: Command): string {
  if (isTrunk(command)) return "zulipctl <noun> <verb> [arguments] [flags]";
  return `${path(command)} ${isNoun(command) ? "<verb> [arguments] [flags]" : `${shownOperands(command)} [flags]`.trim()}`;
}

/** A noun is told with its verbs, so that the first screen holds every command. */
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

function laidOut({ doc, usage, sections }: Omit<HelpData, "after">, helper: Help, width: number): string {
  return [
    ...wrapped(doc, helper, width),
    "",
    `Usage: ${usage}`,
    "",
    ...sections.flatMap(([heading, items]) => section(heading, items, helper, width)),
  ].join("\n");
}

const saidOf = (command: Command, helper: Help): Omit<HelpData, "after"> => ({
  doc: helper.commandDescription(command),
  usage: helper.commandUsage(command),
  sections: sectionsOf(command, helper),
});

const formatHelp = (command: Command, helper: Help): string =>
  laidOut(saidOf(command, helper), helper, helper.helpWidth!);

/** Wider than any line of help. */
const unbroken = 1_000_000;

/** `whole` is all that the command's help prints on a terminal of that width; what stands behind the lists is taken from it. */
export function helpDataOf(command: Command, helpAt: (width: number) => string): HelpData {
  const said = saidOf(command, command.createHelp());
  const whole = helpAt(unbroken);
  const lists = laidOut(said, Object.assign(new Help(), helpLayout), unbroken);
  return { ...said, after: whole.slice(lists.length) };
}

/** The help of a command, as commander would print it. */
export const helpText = (data: HelpData, width: number): string =>
  within(laidOut(data, Object.assign(new Help(), helpLayout), width), width) + within(data.after, width);

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

/** The last line of every help, below its examples. */
export const elsewhere = ({ command }: { command: Command }): string =>
  `\n${isTrunk(command) ? "zulipctl help <noun> [<verb>] tells the rest." : "zulipctl help tells the global flags."}`;

/** "colour (default: auto; one of auto, always, never)", in one pair of brackets with a default that the text tells. */
function withChoices(doc: string, choices: readonly string[] | undefined): string {
  if (!choices) return doc;
  const told = /^(.*\(default: [^)]*)\)$/.exec(doc)?.[1];
  return told ? `${told}; one of ${choices.join(", ")})` : `${doc} (one of ${choices.join(", ")})`;
}

/** Commands take this over from the trunk when they are made on it. */
export const helpLayout: Partial<Help> = {
  commandUsage,
  formatHelp,
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
