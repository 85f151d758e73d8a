/** commander's complaints about a command line, in our words. */
import type { Command, CommanderError } from "commander";
import { distance } from "fastest-levenshtein";
import { Usage } from "../errors.ts";
import { holdsData, plain } from "./given.ts";

/** A command by its words: `channel update`. */
export const nameOf = (command: Command): string =>
  command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();

/** “Did you mean …?” for a word that is nearly one of those there are. */
export function suggestion(stray: string, known: readonly string[]): string | undefined {
  const near = known.filter((name) => distance(stray, name) <= Math.ceil(name.length / 3));
  return near.length ? `Did you mean ${near.join(" or ")}?` : undefined;
}

/** What to try instead of a first word that is no command: one like it, a flag of that name, or the verb of few nouns. */
export function meant(stray: string, root: Command): string {
  const shown = (command: Command) => command.createHelp().visibleCommands(command);
  const near = suggestion(
    stray,
    shown(root).map((noun) => noun.name()),
  );
  if (near) return near;
  if (["help", "version"].includes(stray)) return `Did you mean zulipctl --${stray}?`;
  const verbs = shown(root).flatMap(shown);
  const same = verbs.filter((verb) => verb.name() === stray).map(nameOf);
  return same.length && same.length < 4 ? `Did you mean ${same.join(" or ")}?` : "See: zulipctl --help";
}

interface Said {
  what: string;
  hint?: string;
}

const flagIn = (flags: string): string => /--[\w-]+/.exec(flags)?.[0] ?? flags;

/** A flag that is cut short is nearer to the whole than to any word of its own length. */
function begins(command: Command, flag: string): string | undefined {
  const longer = command.options.flatMap(({ long, hidden }) => (long?.startsWith(flag) && !hidden ? long : []));
  return flag.length > 3 && longer.length ? `Did you mean ${longer.join(" or ")}?` : undefined;
}

/** For each code of commander's, what its message says: the parts that vary stand between its quotation marks. */
const complaints: Record<string, [RegExp, (command: Command, ...parts: string[]) => Said]> = {
  "commander.missingArgument": [/argument '(.*)'/, (command, name) => ({ what: `${nameOf(command)} needs <${name}>` })],
  "commander.missingMandatoryOptionValue": [
    /option '(.*)'/,
    (command, flags) => ({ what: `${nameOf(command)} needs ${flags}` }),
  ],
  "commander.optionMissingArgument": [/option '(.*)'/, (_, flags) => ({ what: `${flags} lacks its value` })],
  "commander.unknownOption": [
    /option '([\s\S]*)'(?:\n\((Did you mean .*)\))?$/,
    (command, flag, near) => ({
      what: holdsData(flag!)
        ? `${flag} is no flag: what a column gives is data, and flags are typed`
        : `unknown flag ${flag}`,
      hint: holdsData(flag!) ? undefined : (begins(command, flag!) ?? near),
    }),
  ],
  "commander.excessArguments": [
    /(?:)/,
    (command) => {
      const most = command.registeredArguments.length;
      const takes = ["no argument", "one argument"][most] ?? `${most} arguments`;
      return { what: `${nameOf(command)} takes ${takes}; “${command.args[most]}” is one too many` };
    },
  ],
  "commander.invalidArgument": [
    /(?:option '(.*?)' argument|command-argument value) '([\s\S]*?)' is invalid(?: for argument '(.*)')?\. (?:Allowed choices are (.*)\.|It (.*)\.)$/,
    (_, flags, given, argument, choices, must) =>
      choices
        ? {
            what: `${flags ? flagIn(flags) : `<${argument}>`} is one of ${choices}, not “${given}”`,
            hint: suggestion(given!, choices.split(", ")),
          }
        : { what: `${flagIn(flags!)} ${must}, not “${given}”` },
  ],
};

export function misuse({ code, message }: CommanderError, command: Command): Usage {
  const [pattern, say] = complaints[code] ?? [];
  const parts = pattern?.exec(message)?.slice(1);
  const { what, hint } = parts && say ? say(command, ...parts) : { what: message.replace(/^error: /, "") };
  const asked = command.parent ? `zulipctl ${nameOf(command)}` : "zulipctl";
  return new Usage(plain(what), { hint: hint ?? `See: ${asked} --help` });
}
