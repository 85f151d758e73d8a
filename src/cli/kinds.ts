/** The kinds of words that verbs take: each says what it is called, how it is read and what it stands for. */

import { InvalidArgumentError } from "commander";
import type { GroupSetting } from "../api/group-setting.ts";
import { wholeNumber } from "../argv/flags.ts";
import type { Given } from "../argv/given.ts";
import type { Kind, Offer } from "../argv/options.ts";
import { idsOf, itemsElsewhere, namesOf, textOf, typedItem } from "../argv/text.ts";
import { checkName } from "../notation/name.ts";
import { momentOf } from "../notation/time.ts";
import { readDuration, readSize } from "../notation/units.ts";
import type { World } from "../world.ts";
import type { Reading, Word, Words } from "./word.ts";

/** A thing of the organization, and what the person called it. */
export interface Named {
  id: number;
  typed: string;
}

/** Given or not. */
export const toggle = (doc: string): Word<true, boolean> => ({ doc });

/** `--private` and `--no-private`. */
export const onOff = (doc: string, negated: string): Word<boolean, boolean> => ({ doc, negated });

/** `--no-merge`: what is otherwise so is not. */
export const not = (doc: string): Word<boolean, boolean> & { readonly onlyNegated: true } => ({
  doc,
  onlyNegated: true,
});

const free: Offer = { of: "free" };

/** As it was typed. */
export const text = (doc: string, metavar = "text"): Word<string, string> => ({ metavar, doc, offers: free });

/** A name that something is to get. */
export const newName = (doc: string, metavar = "name"): Word<string, string> => ({
  ...text(doc, metavar),
  read: (typed: string, { flag }: Reading) => checkName(typed, flag),
});

/** The same, several times. */
export const texts = (doc: string, metavar = "text"): Word<string[], string[]> => ({
  metavar,
  doc,
  many: true,
  offers: free,
});

/** The same word, for which completion offers these: things of a kind, or words. */
export const offered = <W extends Word>(of: Kind | readonly string[], word: W): W => ({
  ...word,
  offers: { ...word.offers, of },
});

/** The path of a file. */
export const path = (doc: string, metavar = "file") => offered("file", text(doc, metavar));

/** One of several, as typed. */
export const choice = <const C extends string>(choices: readonly C[], doc: string, metavar: string): Word<C, C> => ({
  metavar,
  doc,
  choices,
});

/** A whole number from `least` on. */
export const number = (doc: string, metavar = "n", least = 0): Word<number, number> => ({
  metavar,
  doc,
  parse: wholeNumber(least),
  offers: free,
});

/** How large a file is, in bytes: `10MB`, `1.5GiB`. */
export const fileSize = (doc: string): Word<number, number> => ({
  metavar: "size",
  doc,
  offers: free,
  parse: (typed: string) => {
    const bytes = readSize(typed);
    if (bytes === undefined) throw new InvalidArgumentError("It must be a size such as 500kB, 10MB or 1.5GiB.");
    return bytes;
  },
});

/** Words with commas between, each one of these. */
export const oneOrMore = <const W extends string>(
  words: readonly W[],
  doc: string,
  metavar: string,
): Word<W[], W[]> => ({
  metavar: `${metavar},...`,
  doc,
  offers: { of: words, list: true },
  parse: (typed: string) =>
    typed.split(",").map((each) => {
      const word = words.find((one) => one === each.trim());
      if (word === undefined)
        throw new InvalidArgumentError(`invalid value "${each}": must be one of ${words.join(", ")}.`);
      return word;
    }),
});

/** A span of time in milliseconds. */
export const duration = (doc: string): Word<number, number> => ({
  metavar: "time",
  doc,
  offers: free,
  parse: (typed: string) => {
    const span = readDuration(typed);
    if (span === undefined)
      throw new InvalidArgumentError("It must be a span of time, such as 1y, 2w, 90d, 12h, 30m or 10s.");
    return span;
  },
});

/** So long ago, `90d` or `12h`: the moment, in milliseconds since the epoch. */
export const ago = (doc: string): Word<number, number> => ({
  ...duration(doc),
  read: (span: number, { context }: Reading) => context.world.clock.now() - span,
});

/** A moment: so long ago (`7d`), or ISO 8601. In Unix seconds. */
export const moment = (doc: string): Word<number, string> => ({
  metavar: "time",
  doc,
  offers: free,
  read: (typed: string, { context, flag }: Reading) => momentOf(context.world.clock.now(), typed, flag),
});

/** Text that may stand in a file (`@file`) or come from stdin (`-`). */
export const textOrFile = (doc: string, metavar = "text"): Word<string, Given> => ({
  metavar,
  doc,
  file: true,
  offers: { of: "free", at: true },
  read: (raw: Given, { context, flag }) => textOf(context.world, flag, raw),
});

/** Markdown for a description. */
export const markdown = (): Word<string, Given> => textOrFile("Markdown; @file reads a file, - reads stdin");

/** Texts: as typed, or one a line of a file (`@file`) or of stdin (`-`), where empty lines are none. */
export const lines = (doc: string, metavar = "text"): Word<string[], Given[]> => ({
  metavar,
  doc,
  many: true,
  file: true,
  offers: { of: "free", at: true },
  read: async (raw: Given[], { context, flag }) => {
    // Nothing was typed, which is not an empty file.
    if (!raw.length) return undefined;
    const all: string[] = [];
    for (const value of raw) {
      const whole = value.isStdin || (value.begins("@") && !value.begins("@@"));
      const text = await textOf(context.world, flag, value);
      all.push(...(whole ? text.split(/\r?\n/).filter(Boolean) : [text]));
    }
    return all;
  },
});

/** Ids of things of a kind, blank or comma separated, each once; `-` reads them from stdin. */
export const ids = (of: Kind, doc: string, metavar = "id"): Word<number[], Given[]> => ({
  metavar,
  doc,
  many: true,
  file: true,
  offers: { of, list: true },
  read: async (raw: Given[], { context, flag }) => [...new Set(await idsOf(context.world, flag, raw))],
});

type Finding = "channel" | "folder" | "group" | "user";

const one = (kind: Finding, doc: string): Word<Named, string> => ({
  metavar: kind,
  doc,
  offers: { of: kind },
  find: async (typed: string, { context, flag }) => ({ typed, id: await context.find[kind](typed, flag) }),
});

export const channel = (doc = "name or id") => one("channel", doc);
export const folder = (doc = "name or id") => one("folder", doc);
export const group = (doc = "name or id") => one("group", doc);
export const user = (doc = "id, e-mail, name:… or me") => one("user", doc);

/** `--folder <folder>`, and `--no-folder` for none. */
export const orNone = <T, R>(word: Word<T, R>, negated: string): Word<T | false, R | false> => ({ ...word, negated });

/** Each a name or id as it was typed, or a list in a file (`@file`) or on stdin (`-`). */
export async function listed(
  world: World,
  flag: string,
  raw: readonly Given[],
  options?: { mark?: boolean },
): Promise<string[]> {
  const all: string[] = [];
  for (const value of raw) all.push(...((await itemsElsewhere(world, flag, value, options)) ?? [typedItem(value)]));
  return all;
}

/** `@devs` names a group, so that no file can be given for groups. */
const elsewhere = (kind: Finding): string =>
  kind === "group" ? "- reads one a line from stdin" : "@file or - reads one a line";

/**
 * `<channel>...`: things to be changed one by one, each once. Only a file and stdin may give none: then there is nothing
 * to do. `restores`: to bring them back.
 */
export const things = (
  kind: Finding,
  { doc = `names or ids; ${elsewhere(kind)}`, restores }: { doc?: string; restores?: true } = {},
): Word<Named[], Given[]> => ({
  metavar: kind,
  doc,
  many: true,
  file: true,
  offers: { of: kind, ...(kind !== "group" && { at: true }) },
  read: (raw: Given[], { context, flag }) => listed(context.world, flag, raw, { mark: kind === "group" }),
  find: async (typed: string[], { context, flag }) => {
    const found = new Map<number, Named>();
    for (const name of typed) {
      const id = await context.find[kind](name, flag, restores);
      if (!found.has(id)) found.set(id, { id, typed: name });
    }
    return [...found.values()];
  },
});

/** `<channel>` or several of them: with commas, on stdin (`-`), channels also in a file (`@file`). */
export const oneOrList = (kind: "channel" | "group"): Word<string, Given> => ({
  metavar: kind,
  doc: `name or id; several with commas; ${elsewhere(kind)}`,
  file: true,
  offers: { of: kind, list: true, ...(kind === "channel" && { at: true }) },
});

const several = (kind: Finding, doc: string): Word<number[], Given[]> => ({
  metavar: `${kind},...`,
  doc,
  many: true,
  file: true,
  offers: { of: kind, list: true, at: true },
  read: (raw: Given[], { context, flag }) => namesOf(context.world, flag, raw),
  // Each once; a second mention changes nothing for the server either.
  find: async (typed: string[], { context, flag }) => {
    const found = [];
    for (const name of typed) found.push(await context.find[kind](name, flag));
    return [...new Set(found)];
  },
});

/** A list of people, of groups, of channels: comma lists, `@file` and `-`, repeatable. */
export const users = (doc: string) => several("user", doc);
export const groups = (doc: string) => several("group", doc);
export const channels = (doc: string) => several("channel", doc);

/** The value of a group setting. */
export const who = (doc: string): Word<GroupSetting, string> => ({
  metavar: "who",
  doc,
  offers: { of: "who" },
  find: (typed: string, { context, flag }: Reading) => context.find.who(typed, flag),
});

/** `true`: `--diff` and `--if-changed`; `"diff"`: the verb has an `--if-changed` of its own. */
export type Preview = true | "diff";

export const diff = toggle("send nothing: read, and show what is there beside what would be");
export const exitCode = toggle("with --diff: exit code 8 if anything differs");
export const ifChanged = toggle("read first, and send only what differs; nothing that differs is success");

/** The words of a verb with the flags that it has for looking before. */
export function withPreview<T extends { readonly preview?: Preview | undefined; readonly flags?: Words }>(verb: T): T {
  const { preview, flags } = verb;
  if (!preview) return verb;
  return { ...verb, flags: { ...flags, diff, exitCode, ...(preview === true && { ifChanged }) } };
}

/** Where a file goes that is fetched. */
export const savingFlags = {
  to: path("where to save it (default: its own name, in this directory)", "file|directory|-"),
  overwrite: toggle("overwrite an existing file"),
};
