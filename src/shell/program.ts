/** The command tree's trunk: global flags, and commander's errors in our words. */
import { Command, CommanderError, Option } from "commander";
import { distance } from "fastest-levenshtein";
import { Usage } from "../errors.ts";
import { globalHelp, withGlobalFlags } from "./flags.ts";
import { elsewhere, helpLayout } from "./help.ts";
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

/** Thrown where a tree with some of the nouns cannot tell what all of them would say. */
class Ungrown extends Error {}

interface Tree {
  root: Command;
  /** Call it before each parse. */
  forget(): void;
}

const leaves = (command: Command): Command[] => [command, ...command.commands.flatMap(leaves)];

/**
 * Runs command lines. Making all commands would take longer than most of them run, so the first line has the nouns
 * that stand in it made alone, and the whole tree is made where they do not suffice.
 */
export class Program {
  readonly #version: string;
  readonly #nouns: Readonly<Record<string, Plant>>;
  #whole?: Tree;
  #fresh = true;
  #out = "";

  /** `nouns` in the order in which help shows them. */
  constructor(version: string, nouns: Readonly<Record<string, Plant>>) {
    this.#version = version;
    this.#nouns = nouns;
  }

  /** Every command there is. */
  get root(): Command {
    return this.#all().root;
  }

  /** Runs the command that the words name; throws `Usage` for what it cannot make out. */
  async run(words: readonly string[]): Promise<void> {
    const named = new Set(words);
    const some = this.#fresh && !this.#whole && Object.keys(this.#nouns).some((noun) => named.has(noun));
    this.#fresh = false;
    try {
      await this.#parse(some ? this.#grown(named) : this.#all(), words);
    } catch (error) {
      if (!(error instanceof Ungrown)) throw error;
      await this.#parse(this.#all(), words);
    }
  }

  async #parse({ root, forget }: Tree, words: readonly string[]): Promise<void> {
    forget();
    this.#out = "";
    try {
      await root.parseAsync([...words], { from: "user" });
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      if (error.code === "commander.helpDisplayed") throw new Said(this.#out);
      throw usage(error);
    }
  }

  #all(): Tree {
    this.#whole ??= this.#grown();
    return this.#whole;
  }

  /** The commands that words can name, or all. */
  #grown(words?: ReadonlySet<string>): Tree {
    const root = new Command("zulipctl");
    root
      .description("Administer a Zulip organization from a terminal, a script or a cron job.")
      .enablePositionalOptions()
      .exitOverride()
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
      throw new Usage(`unknown command “${stray}”`, { hint: suggestion(stray, root) ?? "See: zulipctl --help" });
    });
    for (const command of leaves(root)) if (command.commands.length) command.allowExcessArguments();
    return { root, forget: strict(root) };
  }

  /** Adds what every command has. */
  #equip(command: Command, root: Command): void {
    withGlobalFlags(command);
    command.addOption(new Option("-V, --version", "the version number alone").helpGroup(globalHelp));
    command.on("option:version", () => {
      throw new Said(`${this.#version}\n`);
    });
    if (command === root || !command.commands.length) return;
    // A listener on the noun itself: commander would print the whole help and end with 1.
    command.action(() => {
      const verbs = command.commands.map((verb) => verb.name()).join(", ");
      const [stray] = command.args;
      const near = suggestion(stray, command);
      throw stray === undefined
        ? new Usage(`${path(command)} needs one of: ${verbs}`)
        : new Usage(`unknown command “${path(command)} ${stray}”`, { hint: near ?? `There are: ${verbs}` });
    });
  }
}

const path = (command: Command): string =>
  command.parent?.parent ? `${path(command.parent)} ${command.name()}` : command.name();

function suggestion(stray: string | undefined, command: Command): string | undefined {
  if (!stray) return undefined;
  const names = command.commands.map((child) => child.name());
  const near = names.filter((name) => distance(stray, name) <= Math.max(1, Math.floor(name.length / 3)));
  return near.length ? `Did you mean ${near.join(" or ")}?` : undefined;
}

function usage({ message }: CommanderError): Usage {
  const [, said = message, near] = /^(?:error: )?([\s\S]*?)(?:\s*\((Did you mean [\s\S]*)\))?$/.exec(message) ?? [];
  return new Usage(said.replaceAll("'", "“").replace(/“([^“]*)“/g, "“$1”"), {
    hint: near ?? "Add --help for what there is.",
  });
}
