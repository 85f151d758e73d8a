/** Kinds of parameters of commands: their names, readers and values. */

import { InvalidArgumentError } from "commander";
import type { CompletionKind, Offer } from "../argv/commander-options.ts";
import { wholeNumber } from "../argv/global-flags.ts";
import { listLines, readIds, readText } from "../argv/read-text.ts";
import type { TextInput } from "../argv/text-input.ts";
import { chosenWord } from "../common/choices.ts";
import { isBlank } from "../common/folding.ts";
import { type RemovalLimit, readRemovalLimit } from "../model/removal-limit.ts";
import { readAddress } from "../notation/address.ts";
import { readVisible, trimmed } from "../notation/blanks.ts";
import { idFlaw, readId } from "../notation/id.ts";
import { readChannelName, readGroupName, readNewName } from "../notation/name.ts";
import { readMoment } from "../notation/time.ts";
import { readDuration, readSize } from "../notation/units.ts";
import { maxDetailed } from "../organization/plan/limits.ts";
import { type CommandParameter, type ReadContext, requiredFlag, withDefault } from "./parameter.ts";

/** A switch. */
export const toggle = (doc: string): CommandParameter<true, boolean> => ({ doc });

/** `--private` and `--no-private`. */
export const onOff = (doc: string, negated: string): CommandParameter<boolean, boolean> => ({ doc, negated });

/** `--no-merge`: switches off a default. */
export const negatedOnly = (doc: string): CommandParameter<boolean, boolean> & { readonly onlyNegated: true } => ({
  doc,
  onlyNegated: true,
});

const because = (flaw: string | undefined): string => (flaw === undefined ? "" : `; ${flaw}`);

const anyText: Offer = { of: "free" };
const anyOf = (of: "number" | "duration" | "time" | "size"): Offer => ({ of });

/** The text as typed. */
export const text = (doc: string, metavar = "text"): CommandParameter<string, string> => ({
  metavar,
  doc,
  offers: anyText,
});

/** A new name. */
export const newName = (doc: string, metavar = "name"): CommandParameter<string, string> => ({
  ...text(doc, metavar),
  read: (typed: string, { flag }: ReadContext) => readNewName(typed, flag),
});

/** The name of a new channel. */
export const newChannelName = (doc: string, metavar = "name"): CommandParameter<string, string> => ({
  ...text(doc, metavar),
  read: (typed: string, { flag }: ReadContext) => readChannelName(typed, flag),
});

/** The name of a new group. */
export const newGroupName = (doc: string, metavar = "name"): CommandParameter<string, string> => ({
  ...text(doc, metavar),
  read: (typed: string, { flag }: ReadContext) => readGroupName(typed, flag),
});

/** A new e-mail address. */
export const address = (doc: string): CommandParameter<string, string> => ({
  ...text(doc, "e-mail"),
  read: (typed: string, { flag }: ReadContext) => readAddress(typed, flag),
});

/** A text that can be repeated. */
export const texts = (doc: string, metavar = "text"): CommandParameter<string[], string[]> => ({
  metavar,
  doc,
  many: true,
  offers: anyText,
});

/** Selects some things of all. It is not empty: the variable of a script may be unset. */
export const filter = (doc: string, metavar = "text"): CommandParameter<string, string> => ({
  ...text(doc, metavar),
  parse(typed: string) {
    if (isBlank(typed)) throw new InvalidArgumentError("It must not be empty: it would select everything.");
    return trimmed(typed);
  },
});

/** Adds what completion offers: things of a kind, or words. */
export const offered = <W extends CommandParameter>(of: CompletionKind | readonly string[], parameter: W): W => ({
  ...parameter,
  offers: { ...parameter.offers, of },
});

/** The path of a file. */
export const path = (doc: string, metavar = "file"): CommandParameter<string, string> => ({
  ...offered("file", text(doc, metavar)),
  parse: (typed: string) => {
    if (typed === "") throw new InvalidArgumentError("It must be the name of a file.");
    return typed;
  },
});

/** One of several words. */
export const choice = <const C extends string>(
  choices: readonly C[],
  doc: string,
  metavar: string,
  stored?: Readonly<Record<C, number | string>>,
): CommandParameter<C, C> => ({ metavar, doc, choices, ...(stored && { stored }) });

/** A whole number of at least `least`. */
export const number = (doc: string, metavar = "n", least = 0): CommandParameter<number, number> => ({
  metavar,
  doc,
  parse: wholeNumber(least),
  offers: anyOf("number"),
});

/** The id of one thing. */
export const id = (of: CompletionKind, doc: string): CommandParameter<number, number> => ({
  metavar: "id",
  doc,
  offers: { of },
  parse: (typed: string) => {
    const found = readId(typed.trim());
    if (found === undefined)
      throw new InvalidArgumentError(`It must be a whole number${because(idFlaw(typed.trim()))}.`);
    return found;
  },
});

/** The size of a file in bytes: `10MB`, `1.5GiB`. */
export const fileSize = (doc: string): CommandParameter<number, number> => ({
  metavar: "size",
  doc,
  offers: anyOf("size"),
  parse: (typed: string) => {
    const bytes = readSize(typed);
    if (bytes === undefined) throw new InvalidArgumentError("It must be a size such as 500kB, 10MB or 1.5GiB.");
    return bytes;
  },
});

/** A flag of commands that print a plan. */
export const planDetails = toggle(`show all details of a plan with more than ${maxDetailed} changes`);

/** How many entries of lists may be removed: `12`, or `5%` of each list. */
export const removalLimit = (doc: string): CommandParameter<RemovalLimit, RemovalLimit> => ({
  metavar: "n|n%",
  doc,
  offers: anyText,
  parse: (typed: string) => {
    const limit = readRemovalLimit(typed);
    if (!limit)
      throw new InvalidArgumentError("It must be a whole number such as 12, or a percentage from 0% to 100%.");
    return limit;
  },
});

/** Several of these words, separated by commas. */
export const oneOrMore = <const W extends string>(
  words: readonly W[],
  doc: string,
  metavar: string,
): CommandParameter<W[], W[]> => ({
  metavar: `${metavar},...`,
  doc,
  offers: { of: words, list: true, only: true },
  parse: (typed: string) =>
    typed.split(/,|\n/).map((each) => {
      const word = chosenWord(words, each);
      if (word === undefined)
        throw new InvalidArgumentError(
          `It must be one or more of ${words.join(", ")}${each === typed ? "" : `, not "${each}"`}.`,
        );
      return word;
    }),
});

/** A duration in milliseconds. */
export const duration = (doc: string): CommandParameter<number, number> => ({
  metavar: "time",
  doc,
  offers: anyOf("duration"),
  parse: (typed: string) => {
    const span = readDuration(typed);
    if (span === undefined)
      throw new InvalidArgumentError("It must be a span of time, such as 1y, 2w, 90d, 12h, 30m or 10s.");
    return span;
  },
});

/** A time so long ago, `90d` or `12h`, in milliseconds since the epoch. */
export const ago = (doc: string): CommandParameter<number, number> => ({
  ...duration(doc),
  read: (span: number, { context }: ReadContext) => context.world.clock.now() - span,
});

/** A time: so long ago (`7d`), or ISO 8601. In Unix seconds. */
export const moment = (doc: string): CommandParameter<number, string> => ({
  metavar: "time",
  doc,
  offers: anyOf("time"),
  read: (typed: string, { context, flag }: ReadContext) => readMoment(context.world.clock.now(), typed, flag),
});

/** Text, also from a file (`@file`) or stdin (`-`). */
export const textOrFile = (doc: string, metavar = "text"): CommandParameter<string, TextInput> => ({
  metavar,
  doc,
  file: true,
  offers: { of: "free", at: true },
  read: (raw: TextInput, { context, flag }) => readText(context.world, flag, raw),
});

/** Markdown for a description. */
export const markdown = (): CommandParameter<string, TextInput> =>
  textOrFile("Markdown; @file reads a file, - reads stdin");

/** Texts: as typed, or lines of a file (`@file`) or of stdin (`-`) without empty ones. */
export const lines = (
  doc: string,
  metavar = "text",
  readLine = (line: string, _flag: string) => line,
  linesOf = (text: string, _from: string) => text.split(/\r?\n/).filter((line) => !isBlank(line)),
): CommandParameter<string[], TextInput[]> => ({
  metavar,
  doc,
  many: true,
  file: true,
  offers: { of: "free", at: true },
  read: async (raw: TextInput[], { context, flag }) => {
    // No argument is not an empty file.
    if (!raw.length) return undefined;
    const all: string[] = [];
    for (const value of raw) {
      const whole = value.isStdin || (value.startsWithTyped("@") && !value.startsWithTyped("@@"));
      const text = await readText(context.world, flag, value);
      all.push(...(whole ? linesOf(text, flag) : [text]));
    }
    return all.map((line) => readLine(line, flag));
  },
});

/** Names of existing things that are changed one by one. */
export const names = (doc: string, metavar = "name", readName = readVisible): CommandParameter<string[], TextInput[]> =>
  lines(doc, metavar, readName, (text, from) => listLines(text, from).map(({ line }) => line));

/** Ids without duplicates, separated by blanks or commas. `-` reads them from stdin. */
export const ids = (of: CompletionKind, doc: string, metavar = "id"): CommandParameter<number[], TextInput[]> => ({
  metavar,
  doc,
  many: true,
  file: true,
  offers: { of, list: true },
  read: async (raw: TextInput[], { context, flag }) => [...new Set(await readIds(context.world, flag, raw))],
});

/** `--expect`: the expected current values of permissions. */
export const expectFlag = (of: CompletionKind) =>
  offered(
    of,
    texts(
      "change a permission only if it has this value now; current: the value that zulipctl just read",
      "setting=who",
    ),
  );

/** Where the requests of a run are recorded. */
export const journalFlag = withDefault("one in the state directory", path("record the requests in this new file"));

/** Where a download is saved. */
export const savingFlags = {
  to: withDefault("its own name, in this directory", path("where to save it", "file|directory|-")),
  overwrite: toggle("overwrite an existing file"),
};

const onlyYours = "only you can read it (on Windows, everyone who can read the folder)";

/** A new file that only its owner can read. */
export const privatePath = (doc: string, metavar?: string) => path(`${doc} ${onlyYours}`, metavar);

/** Where a file about everybody is saved. */
export const privateSavingFlags = (metavar?: string) => ({
  to: requiredFlag(privatePath("the file to write; it names every person, so", metavar)),
  overwrite: savingFlags.overwrite,
});
