/** What may stand where the cursor is, read off the command tree. Nothing here asks a server. */
import type { Argument, Command, Option } from "commander";
import { everyFile, valuesOf } from "./values.ts";

interface Means {
  /** Names of profiles, read only where one is wanted. */
  profiles(): Promise<string[]>;
  /** True for an option that may be given again. */
  repeats(option: Option): boolean;
}

interface Candidate {
  value: string;
  doc: string;
}

const visible = (command: Command): Option[] => command.options.filter(({ hidden }) => !hidden);

const takesValue = ({ required, optional }: Option): boolean => required || optional;

/** `--web-public` and its `--no-web-public` are one wish. */
const wish = (option: Option): string => option.attributeName();

/** The word between the brackets: `user` of `--add <user,...>`. */
const metavariable = (flags: string): string => /<([^>]*)>/.exec(flags)?.[1]?.replace(/,?\.\.\.$/, "") ?? "";

/** Where on the command line the cursor is. */
interface Place {
  command: Command;
  /** The option whose value is wanted. */
  option?: Option;
  given: Set<string>;
  /** How many arguments stand before. */
  arguments: number;
  /** After `--`: no flags any more. */
  closed: boolean;
}

/** The option of `--output`, `--output=json`, `-o` or `-ojson`. */
function find(command: Command, word: string): Option | undefined {
  const name = word.startsWith("--") ? word.split("=", 1)[0] : word.slice(0, 2);
  return command.options.find(({ long, short }) => long === name || short === name);
}

/** Whether the value stands in the same word. */
const attached = (word: string): boolean => (word.startsWith("--") ? word.includes("=") : word.length > 2);

/** Undefined where the words before make no sense: then nothing fits. */
function placeOf(root: Command, words: readonly string[]): Place | undefined {
  let place: Place = { command: root, given: new Set(), arguments: 0, closed: false };
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const { command } = place;
    if (place.closed || !word.startsWith("-") || word === "-") {
      const verb = command.commands.find((child) => child.name() === word);
      if (command.commands.length && !verb) return undefined;
      if (verb) place = { ...place, command: verb };
      else place.arguments++;
      continue;
    }
    if (word === "--") {
      // The words after it are a command line of their own.
      if (command.name() === "batch") return placeOf(root, words.slice(at + 1));
      place.closed = true;
      continue;
    }
    const option = find(command, word);
    if (!option) return undefined;
    place.given.add(wish(option));
    if (!takesValue(option) || attached(word)) continue;
    if (at === words.length - 1) return { ...place, option };
    at++;
  }
  return place;
}

async function values(command: Command, source: Option | Argument, { profiles }: Means): Promise<Candidate[]> {
  const ofProfile = "flags" in source ? source.long === "--profile" : command.parent?.name() === "profile";
  const word = "flags" in source ? metavariable(source.flags) : source.name();
  const names = ofProfile ? await profiles() : (source.argChoices ?? valuesOf(word));
  return names.map((value) => ({ value, doc: "" }));
}

const flagsAt = ({ command, given }: Place, { repeats }: Means): Candidate[] =>
  visible(command)
    .filter((option) => !given.has(wish(option)) || repeats(option))
    .map(({ long, short, description }) => ({ value: long ?? short!, doc: description }));

async function all(place: Place, partial: string, means: Means): Promise<Candidate[]> {
  const { command, option, closed } = place;
  if (option) return values(command, option, means);
  if (partial.startsWith("-") && !closed) {
    const equals = partial.indexOf("=");
    if (equals < 0) return flagsAt(place, means);
    const before = partial.slice(0, equals + 1);
    const found = find(command, partial);
    if (!found || !takesValue(found)) return [];
    return (await values(command, found, means)).map(({ value, doc }) => ({
      value: value === everyFile ? value : before + value,
      doc,
    }));
  }
  if (command.commands.length)
    return command
      .createHelp()
      .visibleCommands(command)
      .map((verb) => ({ value: verb.name(), doc: verb.description() }));
  const wanted = command.registeredArguments;
  const argument = wanted[place.arguments] ?? (wanted.at(-1)?.variadic ? wanted.at(-1) : undefined);
  return argument ? values(command, argument, means) : [];
}

/**
 * One line a candidate, its description after a tab. The last word is the one that the cursor is in, perhaps empty.
 * A line `:files` asks the shell for names of files.
 */
export async function candidates(root: Command, words: readonly string[], means: Means): Promise<string[]> {
  const partial = words.at(-1) ?? "";
  const place = placeOf(root, words.slice(0, -1));
  if (!place) return [];
  const fitting = (await all(place, partial, means)).filter(
    ({ value }) => value === everyFile || value.startsWith(partial),
  );
  return fitting.map(({ value, doc }) => (doc ? `${value}\t${doc}` : value));
}
