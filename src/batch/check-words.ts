/** Checks the words after `--` once, before rows are read. */
import type { Command } from "commander";
import { globalHelp } from "../argv/flags.ts";
import { isAllowedInRows } from "../argv/options.ts";
import { flagWords, parseLine } from "../argv/parse-line.ts";
import { nameOf, unknownCommand, unknownFlag, usageHint } from "../cli/misuse.ts";
import { Usage } from "../errors.ts";
import type { Template } from "./template.ts";

const after = ({ message, details }: Usage): Usage => new Usage(`after --: ${message}`, details);

const fault = (message: string, hint?: string): Usage => after(new Usage(message, { outcome: "not_sent", hint }));

/** Separates flags and column values in a word. Throws `Usage`. */
export function checkWords(root: Command, template: Template): void {
  const { typed } = template;
  const words = typed.map(({ text }) => text);
  const { command, unknownCommand: stray, shows, flags } = parseLine(root, words);
  if (stray !== undefined) {
    const noun = command.parent ? `${nameOf(command)} ` : "";
    if (typed.some(({ text, prefix }) => text === stray && prefix !== undefined))
      throw fault(`"${noun}${stray}" is not a command: a column cannot contain a command`);
    throw after(unknownCommand(stray, command));
  }
  const own = root.commands.find((each) => each.name() === "batch")?.options ?? [];
  const known = new Map(flags.map((flag) => [flag.flagIndex, flag.option]));
  const misplaced = new Set<string>();
  let unknown: string | undefined;
  for (const [at, word] of flagWords(command, words, flags)) {
    const [spelling = word] = word.split("=", 1);
    const option = known.get(at) ?? own.find(({ long, short }) => long === spelling || short === spelling);
    if (option && (own.includes(option) || option.helpGroupHeading === globalHelp))
      misplaced.add(option.long ?? spelling);
    else if (!option) {
      if (typed[at]?.prefix?.includes("=") === false)
        throw fault(`${word} is not a flag: a column cannot contain a flag`);
      unknown ??= word;
    }
  }
  if (shows !== undefined) throw fault("--help and --version are not allowed in a row");
  if (misplaced.size) {
    const [apply, them] = misplaced.size > 1 ? ["apply", "them"] : ["applies", "it"];
    const which = new Intl.ListFormat("en-GB").format(misplaced);
    throw new Usage(`${which} ${apply} to the whole run: put ${them} before --`, { outcome: "not_sent" });
  }
  if (unknown !== undefined) {
    const { what, hint } = unknownFlag(unknown, command, command);
    throw fault(what, hint ?? usageHint(command));
  }
  if (!command.commands.length && !isAllowedInRows(command))
    throw fault(`${nameOf(command)} is not allowed in a batch`);
  for (const { valueIndex, flagIndex, value } of flags.toReversed()) {
    const { text = "", prefix } = typed[valueIndex] ?? {};
    if (valueIndex !== flagIndex || value === undefined || prefix === undefined) continue;
    const from = text.length - value.length;
    template.part(valueIndex, text.startsWith("--") ? from - 1 : from, from);
  }
}
