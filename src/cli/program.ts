/** The command tree's trunk: global flags, and commander's errors in our words. */
import { Command, type CommanderError, Option } from "commander";
import { errorStyleOf, globalHelp, withGlobalFlags } from "../argv/flags.ts";
import { takeTexts, type Word } from "../argv/given.ts";
import { strict } from "../argv/options.ts";
import { bareWords, isNoun, type Reading, read } from "../argv/reading.ts";
import { Usage } from "../errors.ts";
import type { ErrorStyle } from "../output/error.ts";
import type { Output } from "../world.ts";
import { beginning, type HelpData, helpDataOf, helpLayout, helpText } from "./help.ts";
import { InvalidValue, invalidValue, misuse, nameOf, strayed, usageHint } from "./misuse.ts";
import { complete } from "./noun.ts";

/** Thrown where `--version` or `--help` was asked for: what goes to stdout. */
export class HelpShown extends Error {
  override readonly name = "HelpShown";
  readonly text: string;
  constructor(text: string) {
    super("help");
    this.text = text;
  }
}

/** Adds one noun with its verbs to the trunk. */
export type Register = (root: Command) => void | Promise<void>;
/** Nouns by their names, in the order in which help shows them. */
export type Registry = Readonly<Record<string, Register>>;

/** Columns of help where its reader's are not known. */
const usual = 80;

/** The command whose help is all that a line asks for: `channel update --help`, `help channel update`. */
function helpAsked(words: readonly string[]): string | undefined {
  const last = words.at(-1);
  const command = words[0] === "help" ? words.slice(1) : last === "--help" || last === "-h" ? words.slice(0, -1) : [];
  return command.length > 0 && command.length < 3 ? command.join(" ") : undefined;
}

/** What a column gives names no command and no flag. */
const typedWords = (line: readonly Word[]): string[] => line.map((word) => (typeof word === "string" ? word : ""));

/**
 * Runs command lines. Making all commands would take longer than most of them run, so a noun is loaded when a line names
 * it; what is told of all nouns is told from the tree that the build writes down.
 */
export class Program {
  readonly #version: string;
  readonly #nouns: Registry;
  readonly #columns: () => number | undefined;
  #trunk: Command | undefined;
  readonly #strict = strict();
  readonly #there = new Set<string>();
  /** Verbs that no line has named yet, of nouns that are there, by their names. */
  readonly #unnamed = new Map<string, Command[]>();
  /** Nouns that are told of alone. */
  readonly #outlines = new Map<string, Command>();
  /** The command that the line in hand names. */
  #named?: Command;

  /** `columns` is the width of the terminal that help goes to. */
  constructor(version: string, nouns: Registry, columns: () => number | undefined = () => undefined) {
    this.#version = version;
    this.#nouns = nouns;
    this.#columns = columns;
  }

  /** Help is told without it. */
  get #root(): Command {
    this.#trunk ??= this.#grow();
    return this.#trunk;
  }

  /** The trunk with every command there is. */
  async whole(): Promise<Command> {
    await this.#add(Object.keys(this.#nouns));
    for (const verb of [...this.#unnamed.keys()]) this.#name(verb);
    return this.#root;
  }

  /** The trunk with the nouns that are among the words, and of all others what is told of them. */
  async outlined(words: Iterable<string>): Promise<Command> {
    await this.#addNamed(words);
    const { treeFor } = await import("./completion/written.ts");
    const { outline } = await import("./completion/tree.ts");
    const { verbs } = await treeFor(this.#nouns);
    for (const noun of verbs)
      if (Object.hasOwn(this.#nouns, noun.name) && !this.#there.has(noun.name) && !this.#outlines.has(noun.name))
        this.#outlines.set(noun.name, outline(this.#root, noun));
    this.#sort();
    return this.#root;
  }

  /** The help of every command below the trunk as data, by its words: `channel`, `channel update`. */
  async helpOfAll(): Promise<Record<string, HelpData>> {
    const all: Record<string, HelpData> = {};
    const add = (command: Command, words: string[]) => {
      all[words.join(" ")] = helpDataOf(command);
      for (const verb of command.commands) add(verb, [...words, verb.name()]);
    };
    for (const noun of (await this.whole()).commands) add(noun, [noun.name()]);
    return all;
  }

  /** Runs the command that the words name; throws `Usage` for what it cannot make out. */
  async run(line: readonly Word[]): Promise<void> {
    const words = typedWords(line);
    const asked = helpAsked(words);
    const help = asked === undefined ? undefined : (await import("./completion/written.ts")).writtenHelp(asked);
    if (help) throw new HelpShown(helpText(help, this.#width()));
    let reading = await this.#read(words);
    // What is told of the trunk is told of all nouns: near matches, help, how to begin.
    if (reading.command === this.#root) reading = read(await this.outlined(words), words);
    this.#answer(reading);
    this.#strict.watch(reading.command);
    this.#named = reading.command;
    try {
      await this.#root.parseAsync([...line] as string[], { from: "user" });
    } catch (error) {
      if (error instanceof InvalidValue) error.details.hint ??= usageHint(reading.command);
      throw error;
    }
  }

  /** How the errors of a command line are to be told, as far as the nouns that were loaded tell. */
  telling(words: readonly string[], stderr: Pick<Output, "isTerminal">): ErrorStyle {
    return errorStyleOf(read(this.#root, words).flags, stderr);
  }

  /** A word of a command line, as messages name it without saying it. */
  async nameOfWord(words: readonly string[], at: number): Promise<string> {
    const given = (await this.#read(words)).flags.find((flag) => flag.at === at);
    return given?.option.long ? `the value of ${given.option.long}` : `word ${at + 1} of the command line`;
  }

  /** The places of the words that a flag or an operand has its values from, as messages call it: `--add`, `<group>`. */
  async placesOf(line: readonly Word[], name: string): Promise<number[]> {
    const words = typedWords(line);
    const reading = await this.#read(words);
    const argument = reading.command.registeredArguments.find((each) => `<${each.name().replace(/,$/, "")}>` === name);
    if (argument) {
      const { operands } = bareWords(reading, words);
      const first = reading.command.registeredArguments.indexOf(argument);
      return operands.slice(first, argument.variadic ? undefined : first + 1);
    }
    const flags = reading.flags.filter(({ option }) => option.long === name);
    if (flags.length) return flags.map(({ at }) => at);
    return [...words.keys()].filter((at) => words[at] === name || words[at]!.startsWith(`${name}=`));
  }

  /** Loads the nouns that may stand in the line. */
  async #read(words: readonly string[]): Promise<Reading> {
    await this.#addNamed(words);
    return read(this.#root, words);
  }

  async #addNamed(words: Iterable<string>): Promise<void> {
    const missing = new Set<string>();
    for (const word of words) if (!this.#there.has(word) && Object.hasOwn(this.#nouns, word)) missing.add(word);
    if (missing.size) await this.#add(Object.keys(this.#nouns).filter((noun) => missing.has(noun)));
    for (const word of words) this.#name(word);
  }

  /** Completes the verbs of this name: a noun has up to twenty verbs, with thirty flags each. */
  #name(word: string): void {
    for (const verb of this.#unnamed.get(word) ?? []) this.#equip(verb);
    this.#unnamed.delete(word);
  }

  /** What takes no parser to answer: a wrong command before its flags are looked at, then help and version. */
  #answer({ command, stray, asks }: Reading): void {
    if (stray !== undefined) throw strayed(stray, command);
    if (asks === "version") throw new HelpShown(`${this.#version}\n`);
    if (asks === "help") throw new HelpShown(this.#help(command));
  }

  #help(command: Command): string {
    for (const verb of command.commands) this.#name(verb.name());
    return helpText(helpDataOf(command), this.#width());
  }

  async #add(names: readonly string[]): Promise<void> {
    const missing = names.filter((name) => !this.#there.has(name));
    if (!missing.length) return;
    for (const name of missing) {
      this.#there.add(name);
      this.#forgetOutline(name);
      await this.#nouns[name]!(this.#root);
      const noun = this.#root.commands.at(-1)!;
      this.#equip(noun);
      for (const verb of noun.commands) {
        const namesakes = this.#unnamed.get(verb.name()) ?? [];
        this.#unnamed.set(verb.name(), [...namesakes, verb]);
      }
    }
    this.#sort();
  }

  #forgetOutline(name: string): void {
    const commands = this.#root.commands as Command[];
    const at = commands.indexOf(this.#outlines.get(name)!);
    if (at >= 0) commands.splice(at, 1);
    this.#outlines.delete(name);
  }

  /** As help shows them. */
  #sort(): void {
    const order = Object.keys(this.#nouns);
    (this.#root.commands as Command[]).sort((a, b) => order.indexOf(a.name()) - order.indexOf(b.name()));
  }

  #width(): number {
    return this.#columns() ?? usual;
  }

  #grow(): Command {
    const root = new Command("zulipctl");
    root
      .description("Administer a Zulip organization from a terminal, a script or a cron job.")
      .enablePositionalOptions()
      .configureOutput({ writeErr: () => undefined })
      .configureHelp(helpLayout)
      // An option like others, so that the parser and what reads ahead of it know the same flags.
      .helpOption(false)
      .helpCommand("help [noun] [verb]", "show the help of a command")
      .action(() => {
        throw new HelpShown(beginning(root, this.#width()));
      });
    this.#equip(root);
    return root;
  }

  /** What commander calls instead of ending the process. */
  #leave(command: Command) {
    return (error: CommanderError): never => {
      throw misuse(error, command, this.#named ?? command);
    };
  }

  /** Adds what a command lacks, and what every command has. */
  #equip(command: Command): void {
    complete(command);
    withGlobalFlags(command);
    takeTexts(command, invalidValue);
    command.addOption(new Option("-V, --version", "print only the version number").helpGroup(globalHelp));
    command.addOption(new Option("-h, --help", "show help"));
    command.exitOverride(this.#leave(command));
    // What is too much after a noun, or in its place, is told as no command.
    command.allowExcessArguments(isNoun(command));
    if (!command.parent || !isNoun(command)) return;
    // A listener on the noun itself: commander would print the whole help and end with 1.
    command.action(() => {
      const verbs = command.commands.map((verb) => verb.name());
      throw new Usage(`${nameOf(command)} requires a subcommand: ${verbs.join(", ")}`, { outcome: "not_sent" });
    });
  }
}
