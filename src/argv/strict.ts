/** Options in ways that commander leaves alone: given twice with two values, contradicting, or repeatable. */
import { type Command, Option } from "commander";
import { Usage } from "../errors.ts";
import { givens, textOfWord, type Word } from "./given.ts";

const many = new WeakSet<Option>();

/** An option that may be given several times; its value is the list of all. */
export function repeatable(flags: string, doc: string): Option {
  const option = new Option(flags, doc).argParser((value: string, before: string[] | undefined) => [
    ...(before ?? []),
    value,
  ]);
  many.add(option);
  return option;
}

/** The same for lists that a file may give: `@file`. */
export function repeatableList(flags: string, doc: string): Option {
  const option = new Option(flags, doc).argParser(givens as never);
  many.add(option);
  return option;
}

/** True for an option that may be given several times. */
export const repeats = (option: Option): boolean => many.has(option);

/**
 * Watches the options of a command and those above it: `watch` goes before each parse. A noun has up to twenty verbs with
 * thirty flags each, so those that the line does not name are left alone.
 */
export function strict(): { watch(command: Command): void } {
  const seen = new Map<string, { flag: string; value: unknown }>();
  const watched = new WeakSet<Command>();
  const add = (command: Command) => {
    watched.add(command);
    for (const option of command.options) {
      if (many.has(option)) continue;
      const flag = option.long ?? option.flags;
      command.on(`option:${option.name()}`, (given: Word | null) => {
        const value = textOfWord(given ?? flag);
        const before = seen.get(option.attributeName());
        if (before && before.value !== value)
          throw new Usage(
            before.flag === flag
              ? `${flag} is given twice with different values`
              : `${before.flag} cannot be combined with ${flag}`,
            { outcome: "not_sent" },
          );
        seen.set(option.attributeName(), { flag, value });
      });
    }
  };
  return {
    watch(command) {
      seen.clear();
      for (let at: Command | null = command; at; at = at.parent) if (!watched.has(at)) add(at);
    },
  };
}
