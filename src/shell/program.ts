/** The command tree's trunk: global flags, and commander's errors in our words. */
import { type Command, type CommanderError, Option } from "commander";
import { Usage } from "../errors.ts";
import type { Telling } from "../output/error.ts";
import type { Output } from "../world.ts";
import { telling } from "./asked.ts";
import { globalHelp, withGlobalFlags } from "./flags.ts";
import { unmark } from "./given.ts";
import { beginning, elsewhere, helpLayout, within } from "./help.ts";
import { misuse, nameOf, strayed } from "./misuse.ts";
import { type Reading, read } from "./reading.ts";
import { RowCommand } from "./rows.ts";
import { strict } from "./strict.ts";

/** Thrown where `--version` or `--help` was asked for: what goes to stdout. */
export class Said extends Error {
  override readonly name = "Said";
  readonly text: string;
  constructor(text: string) {
    super("said");
    this.text = text;
  }
}

/** Adds one noun with its verbs to the trunk. */
export type Plant = (root: Command) => void;
/** Nouns by their names, in the order in which help shows them. */
export type Plants = Readonly<Record<string, Plant>>;

interface Tree {
  root: Command;
  /** Call it before each parse. */
  forget(): void;
}

/** Columns of help where its reader's are not known. */
const usual = 80;

const leaves = (command: Command): Command[] => [command, ...command.commands.flatMap(leaves)];

/**
 * Runs command lines. Making all commands would take longer than most of them run, so the first line has the nouns
 * that stand in it made alone, and the whole tree is made where they do not suffice.
 */
export class Program {
  readonly #version: string;
  readonly #nouns: Plants;
  readonly #columns: () => number | undefined;
  #whole?: Tree;
  #some?: { words: readonly string[]; tree: Tree };
  #out = "";
  /** The command that the line in hand names. */
  #named?: Command;

  /** `columns` is the width of the terminal that help goes to. */
  constructor(version: string, nouns: Plants, columns: () => number | undefined = () => undefined) {
    this.#version = version;
    this.#nouns = nouns;
    this.#columns = columns;
  }

  /** Every command there is. */
  get root(): Command {
    return this.#all().root;
  }

  /** Runs the command that the words name; throws `Usage` for what it cannot make out. */
  async run(words: readonly string[]): Promise<void> {
    const { root, forget } = this.#treeFor(words);
    forget();
    const reading = read(root, words);
    this.#answer(reading, root);
    this.#named = reading.command;
    await root.parseAsync([...words], { from: "user" });
  }

  /** How the errors of a command line are to be told, also of one that cannot be run. */
  telling(words: readonly string[], stderr: Pick<Output, "isTerminal">): Telling {
    return telling(read(this.#treeFor(words).root, words).flags, stderr);
  }

  /** A word of a command line, as messages name it without saying it. */
  nameOfWord(words: readonly string[], at: number): string {
    const given = read(this.#treeFor(words).root, words).flags.find((flag) => flag.at === at);
    return given?.option.long ? `the value of ${given.option.long}` : `word ${at + 1} of the command line`;
  }

  /** What takes no parser to answer: a wrong command before its flags are looked at, then help and version. */
  #answer({ command, stray, asks }: Reading, root: Command): void {
    if (stray !== undefined) throw strayed(stray, command === root ? this.root : command);
    if (asks === "version") throw new Said(`${this.#version}\n`);
    if (asks === "help") throw new Said(this.#help(command === root ? this.root : command));
  }

  #help(command: Command): string {
    this.#out = "";
    command.outputHelp();
    return this.#out;
  }

  #treeFor(words: readonly string[]): Tree {
    if (this.#whole) return this.#whole;
    if (this.#some?.words === words) return this.#some.tree;
    const given = new Set(words);
    if (this.#some || !Object.keys(this.#nouns).some((noun) => given.has(noun))) return this.#all();
    const tree = this.#grown(given);
    this.#some = { words, tree };
    return tree;
  }

  #all(): Tree {
    this.#whole ??= named(this.#grown());
    return this.#whole;
  }

  #width(): number {
    return this.#columns() ?? usual;
  }

  /** The commands that words can name, or all. */
  #grown(words?: ReadonlySet<string>): Tree {
    const root: Command = new RowCommand("zulipctl");
    root
      .description("Administer a Zulip organization from a terminal, a script or a cron job.")
      .enablePositionalOptions()
      .exitOverride(this.#leave(root))
      .configureOutput({
        writeOut: (text) => {
          this.#out += within(text, this.#width());
        },
        writeErr: () => undefined,
        getOutHelpWidth: () => this.#width(),
      })
      .configureHelp(helpLayout)
      .addHelpText("afterAll", elsewhere)
      // An option like others, so that the parser and what reads ahead of it know the same flags.
      .helpOption(false)
      .helpCommand("help [noun] [verb]", "show the help of a command");
    for (const [noun, plant] of Object.entries(this.#nouns)) if (!words || words.has(noun)) plant(root);
    for (const command of leaves(root))
      if (command === root || !words || words.has(command.name())) this.#equip(command, root);
    root.action(() => {
      throw new Said(beginning(this.root, this.#width()));
    });
    for (const command of leaves(root)) if (command.commands.length) command.allowExcessArguments();
    return { root, forget: strict(root) };
  }

  /** What commander calls instead of ending the process. */
  #leave(command: Command) {
    return (error: CommanderError): never => {
      throw misuse(error, command, this.#named ?? command);
    };
  }

  /** Adds what every command has. */
  #equip(command: Command, root: Command): void {
    withGlobalFlags(command);
    unmark(command);
    command.addOption(new Option("-V, --version", "the version number alone").helpGroup(globalHelp));
    command.addOption(new Option("-h, --help", "show help"));
    command.exitOverride(this.#leave(command));
    if (command === root || !command.commands.length) return;
    // A listener on the noun itself: commander would print the whole help and end with 1.
    command.action(() => {
      const verbs = command.commands.map((verb) => verb.name());
      throw new Usage(`${nameOf(command)} needs one of: ${verbs.join(", ")}`, { outcome: "not_sent" });
    });
  }
}

/** commander makes an option's name anew each time it looks, which is half of what it takes to read a batch's rows. */
function named(tree: Tree): Tree {
  for (const option of leaves(tree.root).flatMap((command) => command.options)) {
    const [name, attribute] = [option.name(), option.attributeName()];
    option.name = () => name;
    option.attributeName = () => attribute;
  }
  return tree;
}
