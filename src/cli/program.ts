/** Runs command lines with commander. */
import { Command, type CommanderError, Option } from "commander";
import { commandName, conflictCheck, isRun } from "../argv/commander-options.ts";
import { errorStyleOf, type Flags, flagsOf, globalHelp, outputForm, withGlobalFlags } from "../argv/global-flags.ts";
import { flagWithoutValue, globalWords, isNoun, type ParsedLine, parseLine, positionals } from "../argv/parse-line.ts";
import { passPlainText, type RawWord } from "../argv/text-input.ts";
import { Usage } from "../errors.ts";
import type { ErrorStyle } from "../output/error.ts";
import type { Output } from "../world/world.ts";
import type { Catalogue } from "./catalogue/catalogue-document.ts";
import { firstScreen, helpLayout } from "./help.ts";
import { addParameters } from "./noun.ts";
import { otherNouns } from "./other-names.ts";
import type { Registry } from "./registry.ts";
import { InvalidValue, invalidValue, missingFlagValue, unknownCommand, usageError, usageHint } from "./usage-errors.ts";

/** Thrown for `--version` and `--help`, with the text for stdout. */
export class HelpShown extends Error {
  override readonly name = "HelpShown";
  constructor(readonly text: string) {
    super("help");
  }
}

/** Thrown for `help` with a form of output: the catalogue, and how to print it. */
export class CatalogueShown extends Error {
  override readonly name = "CatalogueShown";
  constructor(
    readonly catalogue: Catalogue,
    readonly flags: Flags,
  ) {
    super("catalogue");
  }
}

/** The width of help if the terminal's is unknown. */
const defaultWidth = 80;

/** Returns all names of a command. */
const names = (command: Command): string[] => [command.name(), ...command.aliases()];

/** A value from a column never names a command or flag. */
const typedWords = (line: readonly RawWord[]): string[] => line.map((word) => (typeof word === "string" ? word : ""));

/** Runs command lines. Nouns are loaded on demand: loading all takes longer than most commands run. */
export class Program {
  readonly #root: Command;
  readonly #strict = conflictCheck();
  readonly #loaded = new Set<string>();
  readonly #equipped = new WeakSet<Command>();
  /** The command of the current line. */
  #named?: Command;

  /** `columns`: the width of the terminal. `overview`: replaces the first screen, if there is something to show. */
  constructor(
    private readonly version: string,
    private readonly nouns: Registry,
    columns: () => number | undefined = () => undefined,
    overview: (flags: Flags) => Promise<string | undefined> = async () => undefined,
  ) {
    const width = () => columns() ?? defaultWidth;
    this.#root = new Command("zulipctl")
      .description("Administer a Zulip organization from a terminal, a script or a cron job.")
      .enablePositionalOptions()
      .configureOutput({ writeErr: () => undefined, getOutHelpWidth: width })
      .configureHelp(helpLayout)
      // A normal option, so that the parser and other readers of the line agree.
      .helpOption(false)
      .addHelpCommand(
        new Command("help")
          .description("show the help of a command")
          .argument("[noun]", "what to show; without it, all nouns")
          .argument("[verb]", "its verb"),
      )
      .action(async () => {
        const about = await overview(flagsOf(this.#root));
        if (about === undefined) await this.#load(Object.keys(this.nouns));
        throw new HelpShown(about ?? firstScreen(this.#root, width()));
      });
    this.#equip(this.#root);
  }

  /** Returns the program with all commands. */
  async whole(): Promise<Command> {
    await this.#load(Object.keys(this.nouns));
    for (const noun of this.#root.commands) for (const verb of noun.commands) this.#equip(verb);
    return this.#root;
  }

  /** Returns the program with the commands that the words name, or with all if they name none. */
  async rootFor(words: readonly string[]): Promise<Command> {
    await this.#load(words);
    for (const noun of this.#root.commands)
      for (const verb of noun.commands) if (names(verb).some((name) => words.includes(name))) this.#equip(verb);
    const { command, shows } = parseLine(this.#root, words);
    // A line of flags alone names no command, so none is suggested. "-", numbers and words after "--" are no flags.
    const end = words.indexOf("--");
    const isBare = !shows && words.every((word, at) => /^-[^\d.]/.test(word) && (end < 0 || at <= end));
    if (command === this.#root && !isBare) await this.#load(Object.keys(this.nouns));
    return this.#root;
  }

  /** Runs the named command. Throws `Usage` for an invalid line. */
  async run(line: readonly RawWord[]): Promise<void> {
    const words = typedWords(line);
    const reading = await this.#read(words);
    const { command, unknownCommand: unknown, shows, isHelpWord } = reading;
    if (isHelpWord && command === this.#root && unknown === "times")
      throw new HelpShown((await import("./help-times.ts")).timesHelp);
    // Wrong commands are reported first, then help and version.
    if (unknown !== undefined) {
      // A suggestion needs the words of its command.
      if (command === this.#root) await this.whole();
      throw unknownCommand(unknown, command, words);
    }
    if (shows === "version") throw new HelpShown(`${this.version}\n`);
    if (shows === "help") {
      if (isHelpWord) await this.#showCatalogue(command, words);
      for (const verb of command.commands) this.#equip(verb);
      throw new HelpShown(command.helpInformation());
    }
    const unset = flagWithoutValue(reading);
    if (unset) throw missingFlagValue(unset);
    this.#strict.watch(command);
    this.#named = command;
    try {
      await this.#root.parseAsync([...line] as string[], { from: "user" });
    } catch (error) {
      if (error instanceof InvalidValue) error.details.hint ??= usageHint(command);
      throw error;
    }
  }

  /** Throws the catalogue if the line asks for another form than text. */
  async #showCatalogue(command: Command, words: readonly string[]): Promise<void> {
    this.#root.parseOptions(globalWords(this.#root, words));
    const flags = flagsOf(this.#root);
    if (outputForm(flags) === "table") return;
    const { catalogueOf } = await import("./catalogue/catalogue.ts");
    throw new CatalogueShown(catalogueOf(await this.whole(), this.version, command), flags);
  }

  /** Returns whether a line may have been meant to change something: an unknown command may. */
  async mayChange(words: readonly string[]): Promise<boolean> {
    const { command, unknownCommand: unknown, shows } = await this.#read(words);
    return !shows && (unknown !== undefined || isRun(command));
  }

  /** Returns how to print errors, as far as the loaded nouns tell. */
  errorStyle(words: readonly string[], stderr: Pick<Output, "isTerminal">): ErrorStyle {
    // The command after the -- of `each` can have these flags too.
    const line = words.includes("each") ? words.filter((word) => word !== "--") : words;
    return errorStyleOf(parseLine(this.#root, line).flags, stderr);
  }

  /** Describes a word of a command line without quoting it. */
  async nameOfWord(words: readonly string[], at: number): Promise<string> {
    const flag = (await this.#read(words)).flags.find(({ valueIndex }) => valueIndex === at);
    return flag?.option.long ? `the value of ${flag.option.long}` : `word ${at + 1} of the command line`;
  }

  /** Returns the places of the words for flags and operands, by their names in messages: `--add`, `<group>`. */
  async indexesOf(line: readonly RawWord[], name: string): Promise<number[]> {
    const words = typedWords(line);
    const reading = await this.#read(words);
    const argument = reading.command.registeredArguments.find((each) => `<${each.name().replace(/,$/, "")}>` === name);
    if (argument) {
      const { operands } = positionals(reading, words);
      const first = reading.command.registeredArguments.indexOf(argument);
      return operands.slice(first, argument.variadic ? undefined : first + 1);
    }
    const flags = reading.flags.filter(({ option }) => option.long === name);
    if (flags.length) return flags.map(({ valueIndex }) => valueIndex);
    return [...words.keys()].filter((at) => words[at] === name || words[at]!.startsWith(`${name}=`));
  }

  async #read(words: readonly string[]): Promise<ParsedLine> {
    return parseLine(await this.rootFor(words), words);
  }

  /** Loads the nouns among the words, in the order of help. */
  async #load(words: readonly string[]): Promise<void> {
    const all = Object.keys(this.nouns);
    const isNamed = (noun: string) => [noun, ...otherNouns(noun)].some((name) => words.includes(name));
    const missing = all.filter((noun) => !this.#loaded.has(noun) && isNamed(noun));
    for (const name of missing) {
      this.#loaded.add(name);
      await this.nouns[name]!(this.#root);
      this.#equip(this.#root.commands.at(-1)!);
    }
    const commands = this.#root.commands as Command[];
    if (missing.length) commands.sort((a, b) => all.indexOf(a.name()) - all.indexOf(b.name()));
  }

  /** commander calls it instead of ending the process. */
  #leave(command: Command) {
    return (error: CommanderError): never => {
      throw usageError(error, command, this.#named ?? command);
    };
  }

  /** Adds the words of a command, and the common ones. */
  #equip(command: Command): void {
    if (this.#equipped.has(command)) return;
    this.#equipped.add(command);
    addParameters(command);
    withGlobalFlags(command);
    passPlainText(command, invalidValue);
    command.addOption(new Option("-V, --version", "print only the version number").helpGroup(globalHelp));
    command.addOption(new Option("-h, --help", "show help"));
    command.exitOverride(this.#leave(command));
    // An extra word after a noun is an unknown command.
    command.allowExcessArguments(isNoun(command));
    if (!command.parent || !isNoun(command)) return;
    // A listener on the noun: commander would print the whole help and end with 1.
    command.action(() => {
      const verbs = command.commands.map((verb) => verb.name());
      throw new Usage(`${commandName(command)} requires a subcommand: ${verbs.join(", ")}`, { outcome: "not_sent" });
    });
  }
}
