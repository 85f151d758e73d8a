/** Checks the words after `--` once, before any row is read. */
import type { Command } from "commander";
import { globalHelp } from "../argv/flags.ts";
import { standsInRows } from "../argv/options.ts";
import { flagWords, read } from "../argv/reading.ts";
import { nameOf, strayed, unknownFlag } from "../cli/misuse.ts";
import { Usage } from "../errors.ts";
import type { Template } from "./template.ts";

const after = ({ message, details }: Usage): Usage => new Usage(`after --: ${message}`, details);

const fault = (message: string, hint?: string): Usage => after(new Usage(message, { outcome: "not_sent", hint }));

/** Parts flags from values of columns in the same word. Throws `Usage`. */
export function checkWords(root: Command, template: Template): void {
  const { typed } = template;
  const words = typed.map(({ text }) => text);
  const { command, stray, asks, flags } = read(root, words);
  const data = "values of columns are data, and";
  if (stray !== undefined) {
    const noun = command.parent ? `${nameOf(command)} ` : "";
    if (typed.some(({ text, prefix }) => text === stray && prefix !== undefined))
      throw fault(`"${noun}${stray}" is not a command: ${data} commands must be typed`);
    throw after(strayed(stray, command));
  }
  const batch = root.commands.find((each) => each.name() === "batch")!;
  const known = new Map(flags.map((flag) => [flag.word, flag.option]));
  const misplaced = new Set<string>();
  const unknown: string[] = [];
  for (const at of flagWords(command, words, flags)) {
    const word = words[at]!;
    const spelling = word.split("=", 1)[0]!;
    const own = known.get(at);
    const option =
      own === undefined
        ? batch.options.find(({ long, short }) => long === spelling || short === spelling)
        : own.helpGroupHeading === globalHelp
          ? own
          : undefined;
    if (option) misplaced.add(option.long ?? spelling);
    else if (own === undefined) {
      if (typed[at]?.prefix?.includes("=") === false) throw fault(`${word} is not a flag: ${data} flags must be typed`);
      unknown.push(word);
    }
  }
  if (asks !== undefined) throw fault("--help and --version are not allowed in a row");
  if (misplaced.size) {
    const several = misplaced.size > 1;
    throw new Usage(
      `${new Intl.ListFormat("en-GB").format(misplaced)} ${several ? "apply" : "applies"} to the whole run: put ${several ? "them" : "it"} before --`,
      { outcome: "not_sent" },
    );
  }
  if (unknown.length) {
    const { what, hint } = unknownFlag(unknown[0]!, command, command);
    throw fault(what, hint ?? `Run "zulipctl ${nameOf(command)} --help" for usage.`);
  }
  if (!command.commands.length && !standsInRows(command)) throw fault(`${nameOf(command)} is not allowed in a batch`);
  for (const { at, word, value } of flags.toReversed())
    if (at === word && value !== undefined && typed[at]?.prefix !== undefined) {
      const from = words[at]!.length - value.length;
      template.part(at, words[at]!.startsWith("--") ? from - 1 : from, from);
    }
}
