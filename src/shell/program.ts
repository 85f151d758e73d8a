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

const leaves = (command: Command): Command[] => [command, ...command.commands.flatMap(leaves)];

export class Program {
  readonly root: Command;
  readonly #forget: () => void;
  #out = "";

  /** `plant` adds the nouns to the trunk. */
  constructor(version: string, plant: (root: Command) => void) {
    const root = new Command("zulipctl");
    this.root = root;
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
    plant(root);
    for (const command of leaves(root)) {
      withGlobalFlags(command);
      command.addOption(new Option("-V, --version", "the version number alone").helpGroup(globalHelp));
      command.on("option:version", () => {
        throw new Said(`${version}\n`);
      });
      // A listener on the noun itself: commander would print the whole help and end with 1.
      if (command !== root && command.commands.length)
        command.action(() => {
          const verbs = command.commands.map((verb) => verb.name()).join(", ");
          const [stray] = command.args;
          const near = suggestion(stray, command);
          throw stray === undefined
            ? new Usage(`${path(command)} needs one of: ${verbs}`)
            : new Usage(`unknown command “${path(command)} ${stray}”`, { hint: near ?? `There are: ${verbs}` });
        });
    }
    root.action(() => {
      const [stray] = root.args;
      if (stray === undefined) {
        root.outputHelp();
        throw new Said(this.#out);
      }
      throw new Usage(`unknown command “${stray}”`, { hint: suggestion(stray, root) ?? "See: zulipctl --help" });
    });
    for (const command of leaves(root)) if (command.commands.length) command.allowExcessArguments();
    this.#forget = strict(root);
  }

  /** Runs the command that the words name; throws `Usage` for what it cannot make out. */
  async run(words: readonly string[]): Promise<void> {
    this.#forget();
    this.#out = "";
    try {
      await this.root.parseAsync([...words], { from: "user" });
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      if (error.code === "commander.helpDisplayed") throw new Said(this.#out);
      throw usage(error);
    }
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
