/** Checks the words after `--` once, before rows are read. */

import type { Command } from "commander";
import { commandName, isAllowedInRows } from "../argv/commander-options.ts";
import { globalHelp } from "../argv/global-flags.ts";
import { flagWords, parseLine } from "../argv/parse-line.ts";
import { unknownCommand, unknownFlag, usageHint } from "../cli/usage-errors.ts";
import { andList } from "../common/counted.ts";
import { Usage } from "../errors.ts";
import type { Template } from "./template.ts";

const afterDashes = ({ message, details }: Usage): Usage => new Usage(`after --: ${message}`, details);

const usageAfterDashes = (message: string, hint?: string): Usage =>
  afterDashes(new Usage(message, { outcome: "not_sent", hint }));

/** Separates flags and column values in a word. Throws `Usage`. */
export function checkWords(root: Command, template: Template): void {
  const { typedWords } = template;
  const words = typedWords.map(({ text }) => text);
  const { command, unknownCommand: unknownWord, shows, flags } = parseLine(root, words);
  if (unknownWord !== undefined) {
    const noun = command.parent ? `${commandName(command)} ` : "";
    if (typedWords.some(({ text, prefix }) => text === unknownWord && prefix !== undefined))
      throw usageAfterDashes(`"${noun}${unknownWord}" is not a command: a column cannot contain a command`);
    throw afterDashes(unknownCommand(unknownWord, command, words));
  }
  const batchOptions = root.commands.find((each) => each.name() === "batch")?.options ?? [];
  const optionsByWord = new Map(flags.map((flag) => [flag.flagIndex, flag.option]));
  const misplaced = new Set<string>();
  let unknownFlagWord: string | undefined;
  for (const [at, word] of flagWords(command, words, flags)) {
    const [spelling = word] = word.split("=", 1);
    const option =
      optionsByWord.get(at) ?? batchOptions.find(({ long, short }) => long === spelling || short === spelling);
    if (option && (batchOptions.includes(option) || option.helpGroupHeading === globalHelp))
      misplaced.add(option.long ?? spelling);
    else if (!option) {
      if (typedWords[at]?.prefix?.includes("=") === false)
        throw usageAfterDashes(`${word} is not a flag: a column cannot contain a flag`);
      unknownFlagWord ??= word;
    }
  }
  if (shows !== undefined) throw usageAfterDashes("--help and --version are not allowed in a row");
  if (misplaced.size) {
    const [apply, them] = misplaced.size > 1 ? ["apply", "them"] : ["applies", "it"];
    const which = andList([...misplaced]);
    throw new Usage(`${which} ${apply} to the whole run: put ${them} before --`, { outcome: "not_sent" });
  }
  if (unknownFlagWord !== undefined) {
    const { what, hint } = unknownFlag(unknownFlagWord, command, command);
    throw usageAfterDashes(what, hint ?? usageHint(command));
  }
  if (!command.commands.length && !isAllowedInRows(command))
    throw usageAfterDashes(`${commandName(command)} is not allowed in a batch`);
  for (const { valueIndex, flagIndex, value } of flags.toReversed()) {
    const { text = "", prefix } = typedWords[valueIndex] ?? {};
    if (valueIndex !== flagIndex || value === undefined || prefix === undefined) continue;
    const from = text.length - value.length;
    template.splitWord(valueIndex, text.startsWith("--") ? from - 1 : from, from);
  }
}
