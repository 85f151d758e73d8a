/** The command tree's trunk: global flags, and commander's errors in our words. */
import { Command, type CommanderError, Option } from "commander";
import { Usage } from "../errors.ts";
import { globalHelp, withGlobalFlags } from "./flags.ts";
import { holdsData, plain, unmark } from "./given.ts";
import { elsewhere, helpLayout } from "./help.ts";
import { meant, misuse, nameOf, suggestion } from "./misuse.ts";
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

/** Thrown where a tree with some of the nouns cannot tell what all of them would say. */
class Ungrown extends Error {}

interface Tree {
  root: Command;
  /** Call it before each parse. */
  forget(): void;
}

const untyped = (words: string): Usage =>
  new Usage(`“${plain(words)}” is no command: what a column gives is data, and commands are typed`);

const leaves = (command: Command): Command[] => [command, ...command.commands.flatMap(leaves)];

/**
 * Runs command lines. Making all commands would take longer than most of them run, so the first line has the nouns
 * that stand in it made alone, and the whole tree is made where they do not suffice.
 */
export class Program {
  readonly #version: string;
  readonly #nouns: Plants;
  #whole?: Tree;
  #fresh = true;
  #out = "";

  constructor(version: string, nouns: Plants) {
    this.#version = version;
    this.#nouns = nouns;
  }

  /** Every command there is. */
  get root(): Command {
    return this.#all().root;
  }

  /** Runs the command that the words name; throws `Usage` for what it cannot make out. */
  async run(words: readonly string[]): Promise<void> {
    const given = new Set(words);
    const some = this.#fresh && !this.#whole && Object.keys(this.#nouns).some((noun) => given.has(noun));
    this.#fresh = false;
    try {
      await this.#parse(some ? this.#grown(given) : this.#all(), words);
    } catch (error) {
      if (!(error instanceof Ungrown)) throw error;
      await this.#parse(this.#all(), words);
    }
  }

  async #parse({ root, forget }: Tree, words: readonly string[]): Promise<void> {
    forget();
    this.#out = "";
    await root.parseAsync([...words], { from: "user" });
  }

  #all(): Tree {
    this.#whole ??= named(this.#grown());
    return this.#whole;
  }

  /** The commands that words can name, or all. */
  #grown(words?: ReadonlySet<string>): Tree {
    const root = new Command("zulipctl");
    root
      .description("Administer a Zulip organization from a terminal, a script or a cron job.")
      .enablePositionalOptions()
      .exitOverride(this.#leave(root))
      .configureOutput({
        writeOut: (text) => {
          this.#out += text;
        },
        writeErr: () => undefined,
      })
      .configureHelp(helpLayout)
      .addHelpText("afterAll", elsewhere)
      .helpOption("-h, --help", "show help")
      .helpCommand(false);
    for (const [noun, plant] of Object.entries(this.#nouns)) if (!words || words.has(noun)) plant(root);
    for (const command of leaves(root))
      if (command === root || !words || words.has(command.name())) this.#equip(command, root);
    if (words)
      root.helpInformation = () => {
        throw new Ungrown();
      };
    root.action(() => {
      const [stray] = root.args;
      if (words) throw new Ungrown();
      if (stray === undefined) {
        root.outputHelp();
        throw new Said(this.#out);
      }
      if (holdsData(stray)) throw untyped(stray);
      throw new Usage(`unknown command “${stray}”`, {
        hint: meant(stray, root),
      });
    });
    for (const command of leaves(root)) if (command.commands.length) command.allowExcessArguments();
    return { root, forget: strict(root) };
  }

  /** What commander calls instead of ending the process. */
  #leave(command: Command) {
    return (error: CommanderError): never => {
      throw error.code === "commander.helpDisplayed" ? new Said(this.#out) : misuse(error, command);
    };
  }

  /** Adds what every command has. */
  #equip(command: Command, root: Command): void {
    withGlobalFlags(command);
    unmark(command);
    command.addOption(new Option("-V, --version", "the version number alone").helpGroup(globalHelp));
    command.on("option:version", () => {
      throw new Said(`${this.#version}\n`);
    });
    command.exitOverride(this.#leave(command));
    if (command === root || !command.commands.length) return;
    // A listener on the noun itself: commander would print the whole help and end with 1.
    command.action(() => {
      const verbs = command.commands.map((verb) => verb.name());
      const [stray] = command.args;
      if (stray === undefined) throw new Usage(`${nameOf(command)} needs one of: ${verbs.join(", ")}`);
      if (holdsData(stray)) throw untyped(`${nameOf(command)} ${stray}`);
      throw new Usage(`unknown command “${nameOf(command)} ${stray}”`, {
        hint: suggestion(stray, verbs) ?? `There are: ${verbs.join(", ")}`,
      });
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
