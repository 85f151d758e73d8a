import { Command } from "commander";
import { isNoun } from "../src/argv/parse-line.ts";
import { addParameters } from "../src/cli/noun.ts";
import { registry } from "../src/commands/nouns.ts";
import { Shell } from "../src/run/shell.ts";
import { testWorld } from "./world.ts";

const isHidden = (command: Command) => (command as unknown as { _hidden: boolean })._hidden;

const whole = new Command("zulipctl");
for (const plant of Object.values(registry(new Shell(testWorld(), async () => 0)))) await plant(whole);
for (const verb of whole.commands.flatMap((noun) => [noun, ...noun.commands])) addParameters(verb);

/** Returns all commands that can run, by name: `channel update`. */
export function everyCommand({ hidden = false } = {}): Map<string, Command> {
  const below = (command: Command, words: string[]): [string, Command][] =>
    command.commands
      .filter((child) => hidden || !isHidden(child))
      .flatMap((child) => {
        const path = [...words, child.name()];
        const itself: [string, Command][] = isNoun(child) ? [] : [[path.join(" "), child]];
        return [...itself, ...below(child, path)];
      });
  return new Map(below(whole, []));
}
