/** Reads texts and lists, also from files and stdin. */

import { asUtf8, foreignContent, placeOfNull } from "../common/foreign-content.ts";
import { MiB } from "../common/unit-sizes.ts";
import { asError, Failure, systemErrorCode, Usage } from "../errors.ts";
import { trimmed } from "../notation/blanks.ts";
import { groupPrefix, idFlaw, readId } from "../notation/id.ts";
import { listLine } from "../notation/list-line.ts";
import type { World } from "../world/world.ts";
import { TextInput } from "./text-input.ts";

const stdinsInUse = new WeakSet<World["stdin"]>();

/** The largest number of bytes. */
const most = 16 * MiB;

async function decode(bytes: AsyncIterable<Uint8Array>, what: string, largest = most): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > largest) throw new Usage(`${what} is larger than ${largest / MiB} MiB`);
    chunks.push(chunk);
  }
  const all = Buffer.concat(chunks);
  const foreign = foreignContent(all);
  if (foreign) throw new Usage(`${what} ${foreign.what}`, { hint: foreign.hint });
  const text = utf8(all, what);
  const place = placeOfNull(text);
  if (place) throw new Usage(`${what} contains U+0000 (${place})`);
  return text;
}

function utf8(bytes: Uint8Array, what: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    const [before = ""] = new TextDecoder().decode(bytes).split("\ufffd");
    throw new Usage(`${what} is not UTF-8 text (line ${before.split("\n").length})`, { hint: asUtf8 });
  }
}

/** Reads stdin. Throws `Usage` for a second flag that reads it. */
export function stdinBytes(world: World, flag: string): AsyncIterable<Uint8Array> {
  if (stdinsInUse.has(world.stdin)) throw new Usage(`${flag} cannot read stdin: another flag reads it`);
  stdinsInUse.add(world.stdin);
  return world.stdin.bytes();
}

export async function readStdin(world: World, flag: string): Promise<string> {
  return decode(stdinBytes(world, flag), `stdin for ${flag}`);
}

/** Reads the first line of stdin. A program may leave the pipe open. */
export async function readStdinLine(world: World, flag: string): Promise<string> {
  async function* untilNewline() {
    for await (const chunk of stdinBytes(world, flag)) {
      yield chunk;
      if (chunk.includes(10)) return;
    }
  }
  const [line = ""] = (await decode(untilNewline(), `stdin for ${flag}`)).split(/\r?\n/);
  if (!line) throw new Usage(`${flag}: stdin is empty`);
  return line;
}

const reasons: Record<string, (path: string) => string> = {
  ENOENT: (path) => `file not found: ${path}`,
  EISDIR: (path) => `${path} is a directory`,
  EACCES: (path) => `permission denied: ${path}`,
};

/** Describes why a file cannot be read. */
export const unreadableMessage = (path: string, error: unknown): string =>
  reasons[systemErrorCode(error)]?.(path) ?? `cannot read ${path}: ${asError(error).message}`;

/** Reads a file as text. Throws `Usage` with flag and file. */
export async function readFile(
  world: World,
  flag: string,
  path: string,
  largest?: number,
  hint?: string,
): Promise<string> {
  if (!path)
    throw new Usage(`${flag}: the name of the file is empty`, { hint: "The variable of a script may be unset." });
  try {
    return await decode(world.files.stream(path), `the file ${path} of ${flag}`, largest);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Usage(`${flag}: ${unreadableMessage(path, error)}`, { hint, cause: error });
  }
}

const atSign = "Text that begins with @, such as a mention, begins with @@ here.";

/** Reads `@file`, `-` for stdin, or text: `@@x` is `@x`. One final newline of a file or stdin is removed. */
export async function readText(world: World, flag: string, value: TextInput): Promise<string> {
  if (value.startsWithTyped("@@")) return value.text.slice(1);
  if (!value.isStdin && !value.startsWithTyped("@")) return value.text;
  const text = value.isStdin
    ? await readStdin(world, flag)
    : await readFile(world, flag, value.text.slice(1), undefined, atSign);
  return text.replace(/\r?\n$/, "");
}

/** Puts blanks for the brackets of a list of ids as jq and CSV show it: `[11,12]`. */
const withoutBrackets = (text: string): string =>
  text.replace(/^(\s*)\[(\s*|\s*\d+\s*(?:,\s*\d+\s*)*)\](\s*)$/, "$1 $2 $3");

/** Reads ids, separated by blanks or commas, also from `-`. Only stdin and a list in brackets may contain none. */
export async function readIds(world: World, flag: string, values: readonly TextInput[]): Promise<number[]> {
  const ids: number[] = [];
  let mayBeEmpty = false;
  for (const value of values) {
    const raw = value.isStdin ? await readStdin(world, flag) : value.text;
    const text = withoutBrackets(raw);
    mayBeEmpty ||= value.isStdin || text !== raw;
    if (!value.isStdin && /\S/.test(text) && /(^|,)\s*(,|$)/.test(text))
      throw new Usage(`${flag}: "${text}" has an empty item`);
    const words = value.isStdin ? [text] : value.parts(text).map((part) => part.text);
    for (const word of words.flatMap((part) => part.split(/[\s,]+/)).filter(Boolean)) {
      const id = readId(word);
      if (id === undefined)
        throw new Usage(`${flag}: invalid id "${word}": ${idFlaw(word) ?? "must be a whole number"}`);
      ids.push(id);
    }
  }
  if (!ids.length && !mayBeEmpty) throw new Usage(`${flag}: no ids given`);
  return ids;
}

/** Names of columns for people or things. */
const heads = /^(e-?mail|delivery_email|id|\w+_id|userid|user|name|full_name|channel|stream|group|role)$/i;
/** Names of columns that name nothing. A channel can be called "email", and an emoji "badge_id". */
const ownHeads = /^(delivery_email|(user|stream|channel|group|folder)_id|full_name)$/i;

/** A name can begin with a bracket, but is no JSON then. */
function isJson(text: string): boolean {
  if (!/^\s*(\[\s*["[{\d]|\{\s*")/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the lines of a list with their numbers, without blank ones and comments. Throws `Usage` for a table or JSON.
 * `from`: the file, for the message.
 */
export function listLines(text: string, from: string, people = false): { line: string; number: number }[] {
  if (isJson(text))
    throw new Usage(`${from}: this is JSON, not a list`, {
      hint: "Pass one item a line, such as what jq -r '.[]' prints of a JSON list.",
    });
  const lines = text.split(/\r?\n/).flatMap((raw, n) => {
    const line = listLine(raw);
    return line ? { line, number: n + 1 } : [];
  });
  const cells = (lines[0]?.line ?? "").split(/[,;\t]/).map((cell) => trimmed(cell).replace(/^"(.*)"$/, "$1"));
  const one = cells.length === 1;
  const head = cells.find((cell) => (one && !people ? ownHeads : heads).test(cell));
  if (head && cells.every((cell) => /^[\w -]+$/.test(cell)))
    throw new Usage(`${from}: this is a table with the column${one ? "" : "s"} ${cells.join(", ")}, not a list`, {
      hint: `Pass one item a line, or run a command for each row: zulipctl batch <file> -- <command> '{${head}}'`,
      more: { columns: cells },
    });
  return lines;
}

interface ListFileOptions {
  /** `@devs` is a name. */
  atIsName?: boolean;
  /** The items are people, or addresses of new people. */
  people?: boolean | "addresses";
}

function missingFileHint(name: string, people: ListFileOptions["people"]): string | undefined {
  const [, table, column] = /^(.+\.(?:csv|tsv|ndjson|jsonl|json)):([^/]+)$/i.exec(name) ?? [];
  if (table) return `For each row of a table: zulipctl batch ${table} -- <command> '{${column}}'`;
  if (name.includes("/")) return undefined;
  if (people !== true) return `Write a name that begins with @ as @@${name}.`;
  return name.includes(".") ? undefined : `Write the people of a group as ${groupPrefix}${name}.`;
}

async function listFile(world: World, flag: string, value: string, people: ListFileOptions["people"]): Promise<string> {
  try {
    return await readFile(world, flag, value.slice(1));
  } catch (error) {
    if (error instanceof Usage && systemErrorCode(error.cause) === "ENOENT")
      error.details.hint ??= missingFileHint(value.slice(1), people);
    throw error;
  }
}

/** A line of stdin: ids, blank or comma separated, or one name. */
const inLine = (line: string): string[] => {
  const ids = trimmed(withoutBrackets(line));
  return /^(\d+([\s,]+\d+)*,?)?$/.test(ids) ? ids.split(/[\s,]+/).filter(Boolean) : [line];
};

/**
 * Reads a list from a file (`@file`) or stdin (`-`), one item a line. Items may contain commas. Undefined for other
 * values.
 */
export async function itemsFromFile(
  world: World,
  flag: string,
  value: TextInput,
  { atIsName, people }: ListFileOptions = {},
): Promise<TextInput[] | undefined> {
  const itemsIn = (text: string, from: string, data: { ids: boolean }) =>
    listLines(text, from, Boolean(people)).flatMap(({ line, number }) =>
      (data.ids ? inLine(line) : [line]).map(
        (item) => new TextInput(item, { typed: 0, ...data, place: `${from}, line ${number}` }),
      ),
    );
  if (value.isStdin) return itemsIn(withoutBrackets(await readStdin(world, flag)), `${flag} -`, { ids: true });
  if (atIsName || !value.startsWithTyped("@") || value.startsWithTyped("@@")) return undefined;
  return itemsIn(await listFile(world, flag, value.text, people), `${flag} ${value.text}`, { ids: false });
}

/** Returns a typed item. `@@x` is `@x`. */
export const typedItem = (value: TextInput): TextInput => value.part(value.startsWithTyped("@@") ? 1 : 0);

/** Returns the parts of `a,b` or of a cell, with the blanks around them; none of `[]`. Throws `Usage` for an empty one. */
export function splitList(typed: TextInput, flag: string): TextInput[] {
  const list = typedItem(typed);
  const inside = withoutBrackets(list.text);
  if (inside !== list.text && !trimmed(inside)) return [];
  const parts = list.parts(inside);
  if (!parts.every(({ text }) => trimmed(text))) throw new Usage(`${flag}: "${typed.text}" has an empty item`);
  return parts;
}

/** Returns the parts between the commas of lists: `a,b`, or a line of `@file` or `-`. Files and `[]` may be empty. */
export async function readLists(
  world: World,
  flag: string,
  values: readonly TextInput[],
  options?: ListFileOptions,
): Promise<TextInput[][]> {
  const lists: TextInput[][] = [];
  for (const value of values) {
    const lines = (await itemsFromFile(world, flag, value, options))?.map((line) => [line]);
    lists.push(...(lines ?? [splitList(value, flag)]));
  }
  return lists;
}
