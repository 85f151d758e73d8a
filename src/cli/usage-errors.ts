/** Turns commander's errors into messages with hints. */

import { type Argument, type Command, type CommanderError, InvalidArgumentError, Option } from "commander";
import { commandName } from "../argv/commander-options.ts";
import { isNoun, type ParsedFlag } from "../argv/parse-line.ts";
import { type RawWord, textOfWord } from "../argv/text-input.ts";
import { commandLine } from "../common/shell-words.ts";
import { didYouMean } from "../common/suggestions.ts";
import { Usage } from "../errors.ts";
import { invisiblePart, trimmed } from "../notation/blanks.ts";
import { hintForVerb, suggestFlag, suggestVerb } from "./command-suggestions.ts";

/** Returns the words up to the first flag. */
function operandsOf(words: readonly string[]): readonly string[] {
  const flagged = words.findIndex((each) => each.startsWith("-"));
  return flagged < 0 ? words : words.slice(0, flagged);
}

/** Suggests the command for a verb before its noun. `after`: the words after the verb. */
function verbFirst(word: string, after: readonly string[], root: Command): string | undefined {
  const before = operandsOf(after);
  const [named = "", ...operands] = before;
  const noun = root.commands.find((each) => isNoun(each) && [each.name(), ...each.aliases()].includes(named));
  if (!noun) return undefined;
  const verbs = noun.commands.map((verb) => verb.name());
  const suggested = suggestVerb(word, noun, operands.length);
  const hint = verbs.includes(word) || suggested === "rm" ? undefined : hintForVerb(word, noun, operands.length);
  if (hint !== undefined) return hint;
  if (suggested === undefined) return `The noun comes first: zulipctl ${noun.name()} <${verbs.join("|")}>`;
  // What no argument takes is the value of a flag.
  const takesAll = noun.commands.some((verb) => verb.name() === suggested && verb.registeredArguments.length > 0);
  const line = commandLine([noun.name(), suggested, ...(takesAll ? operands : [])]);
  return `Did you mean: ${line}${before.length === after.length && (takesAll || !operands.length) ? "" : " …"}`;
}

/** Suggests a command for an unknown first word: a similar command, a command with a flag of that name, or a verb. */
function suggestion(word: string, after: readonly string[], root: Command): string {
  const reversed = verbFirst(word, after, root);
  if (reversed !== undefined) return reversed;
  const shown = (command: Command) => command.createHelp().visibleCommands(command);
  if (word === "version") return "Did you mean: zulipctl --version?";
  const verbs = shown(root).flatMap(shown);
  const same = verbs.filter((verb) => verb.name() === word).map(commandName);
  if (same.length && same.length < 4) return `Did you mean: ${same.join(", ")}?`;
  const nouns = shown(root).map((noun) => noun.name());
  return didYouMean(word, nouns) ?? 'Run "zulipctl --help" for usage.';
}

/** `line`: the words of the line. */
export function unknownCommand(word: string, command: Command, line: readonly string[]): Usage {
  const verbs = command.commands.map((verb) => verb.name());
  const after = line.slice(line.indexOf(word) + 1);
  const operands = operandsOf(after).length;
  const suggested = suggestVerb(word, command, operands);
  const words = [command.parent && commandName(command), word].filter((part) => part !== null).join(" ");
  return new Usage(`unknown command "${words}"`, {
    outcome: "not_sent",
    hint: command.parent
      ? (hintForVerb(word, command, operands) ??
        (suggested ? `Did you mean: ${suggested}?` : didYouMean(word, verbs)) ??
        `Available: ${verbs.join(", ")}.`)
      : suggestion(word, after, command),
  });
}

interface Problem {
  what: string;
  hint?: string;
  flag?: string;
}

const longFlag = (flags: string): string => /--[\w-]+/.exec(flags)?.[0] ?? flags;

/** Names the flag, not its value: the value of an unknown flag may be a password. */
export function unknownFlag(word: string, command: Command, named: Command): Problem {
  const flag = word.startsWith("--") ? /^--[\p{L}\p{N}_-]*/u.exec(word)![0] : word.slice(0, 2);
  const has = (each: Command) => each.options.some(({ long, short }) => long === flag || short === flag);
  if (flag === "--")
    return { what: "a word begins with -- but is not a flag", hint: "Put arguments that are not flags after --." };
  if (has(command)) return { what: `${flag} takes no value` };
  const what = `unknown flag: ${flag}`;
  const flags = named.options.flatMap(({ long, hidden }) => (long && !hidden ? long : []));
  if (has(named))
    return { what: `${flag} must come after the command`, hint: `Write: ${commandName(named)} ${flag}`, flag };
  // It is probably a flag of the command after --.
  const dashes = { batch: "batch <file>", each: "each" }[commandName(named)];
  const hint = dashes && `Put -- before the command: zulipctl ${dashes} -- <command>`;
  return { what, hint: suggestFlag(flag, named) ?? didYouMean(flag, flags) ?? hint, flag };
}

/** An extra argument may be a password, if the command reads one in another way. */
const takesSecret = ({ options }: Command): boolean =>
  options.some(({ long }) => /^--(password-stdin|token-stdin|with-key)$/.test(long ?? ""));

/** A flag or operand does not accept this value. */
export class InvalidValue extends Usage {}

export function invalidValue(taker: Option | Argument, text: string, error: unknown): unknown {
  if (!(error instanceof InvalidArgumentError)) return error;
  const flag = taker instanceof Option ? longFlag(taker.flags) : `<${taker.name()}>`;
  const choices = taker.argChoices;
  const invisible = invisiblePart(trimmed(text));
  const problem = invisible ? `contains ${invisible}` : error.message.replace(/^It (.*)\.$/s, "$1");
  const hint = choices && didYouMean(text.trim(), choices);
  const failure = new InvalidValue(`invalid ${flag} "${text}": ${problem}`, { outcome: "not_sent", hint });
  return Object.assign(failure, { flag });
}

export function missingFlagValue({ option, value }: ParsedFlag): Usage {
  const flag = longFlag(option.flags);
  const hint = `If that is the value, write: ${flag}=${value}`;
  const failure = new Usage(`missing value for ${flag}: "${value}" is a flag`, { outcome: "not_sent", hint });
  return Object.assign(failure, { flag });
}

/** `name`: the operand, as in messages. */
export const emptyOperand = (name: string, hint?: string): Usage =>
  Object.assign(new InvalidValue(`${name} is empty`, { outcome: "not_sent", hint }), { flag: name });

export const usageHint = (named: Command): string =>
  `Run "${named.parent ? `zulipctl ${commandName(named)}` : "zulipctl"} --help" for usage.`;

const resumes = (command: Command): boolean => command.getOptionValue("resume") !== undefined;
const resumeNote = ": --resume also needs the file and the command of the run; zulipctl batch show names them";

/** `named`: the command of the line. In commander's messages the variable parts are in quotes. */
function problemOf({ code, message }: CommanderError, command: Command, named: Command): Problem {
  const [, part = ""] = /'([\s\S]*?)'/.exec(message) ?? [];
  const name = commandName(command);
  switch (code) {
    case "commander.unknownOption":
      return unknownFlag(part, command, named);
    case "commander.missingArgument":
      return { what: `${name} needs <${part}>${resumes(command) ? resumeNote : ""}` };
    case "commander.missingMandatoryOptionValue":
      return { what: `${name} needs ${part}` };
    case "commander.optionMissingArgument":
      return { what: `missing value for ${part}` };
    case "commander.excessArguments": {
      const most = command.registeredArguments.length;
      const takes = ["no argument", "one argument"][most] ?? `${most} arguments`;
      const words: readonly (RawWord | undefined)[] = command.args;
      const word = takesSecret(command) ? "" : ` "${textOfWord(words[most] ?? "")}"`;
      return { what: `${name} takes ${takes}; unexpected argument${word}` };
    }
    default:
      return { what: message.replace(/^error: /, "") };
  }
}

export function usageError(error: CommanderError, command: Command, named: Command): Usage {
  const { what, hint, flag } = problemOf(error, command, named);
  return Object.assign(new Usage(what, { outcome: "not_sent", hint: hint ?? usageHint(named) }), flag && { flag });
}
