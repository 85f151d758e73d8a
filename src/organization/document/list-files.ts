/** Reads list files: `@file` in a list of people or groups stands for the lines of that file. */
import { readId } from "../../notation/id.ts";
import { listLine } from "../../notation/list-line.ts";
import { namesPeople, noReference, type ReferenceKind } from "../attribute-shapes.ts";
import type { Location } from "../content.ts";
import {
  decodeFile,
  locationOf,
  type Problems,
  partIn,
  type SourceFile,
  type SourceText,
  setParts,
  type TextPart,
} from "./source-text.ts";
import { visitNames } from "./visit-names.ts";

/** Reads a list file. `path` follows the `@`, `from` is the file that names it. Returns an error text if it fails. */
export type ListReader = (path: string, from: string) => Promise<SourceFile | { readonly error: string }>;

/** A name and its place in the file. */
interface Line {
  readonly name: unknown;
  readonly part: TextPart | undefined;
}

const isFile = (item: unknown): item is string => typeof item === "string" && item.startsWith("@");

/** Returns whether a line can name a person or group. Messages quote no other lines: the file may be any file. */
const mayName = (kind: ReferenceKind, line: string): boolean =>
  namesPeople(kind)
    ? /^(id:(?:0|[1-9]\d{0,14})|(name|group):\P{C}{1,100}|[^\s@]{1,100}@[^\s@]{1,255})$/u.test(line)
    : /^(id:|name:)?\P{C}{1,100}$/u.test(line);

/** Digits that name a person are an id. */
const withId = (kind: ReferenceKind, word: string): string =>
  namesPeople(kind) && readId(word) !== undefined ? `id:${word}` : word;

/** Returns the id of a number in a list of people. YAML reads `0x7` and `07` as numbers, which are no ids. */
function numberAsId(kind: ReferenceKind, list: readonly unknown[], n: number): unknown {
  const item = list[n];
  const part = typeof item === "number" && namesPeople(kind) ? partIn(list, n) : undefined;
  if (!part) return item;
  const [written = ""] = /^[^\s,\]#]*/.exec(part.source.text.slice(part.value, part.value + 40)) ?? [];
  return readId(written) === item ? `id:${written}` : item;
}

function linesOf(source: SourceText, kind: ReferenceKind, problems: Problems): Line[] {
  const lines: Line[] = [];
  for (const { 0: line, index } of source.text.matchAll(/[^\r\n]+/g)) {
    const word = listLine(line);
    if (!word) continue;
    const at = index + line.indexOf(word);
    const name = withId(kind, word);
    if (isFile(name)) {
      const says = "a list file cannot name another file; write a name that begins with @ as name:@…";
      problems.add(source.place(at), says);
    } else if (!mayName(kind, name)) problems.add(source.place(at), `invalid line: ${noReference(kind)}`);
    else lines.push({ name, part: { source, value: at, key: at } });
  }
  return lines;
}

/** Replaces `@file` by the lines of that file. `addSize` returns false when all files together are too large. */
export function listExpander(
  read: ListReader,
  problems: Problems,
  addSize: (bytes: number, place: Location) => boolean,
) {
  const known = new Map<string, readonly Line[]>();

  async function linesIn(path: string, names: ReferenceKind, place: Location): Promise<readonly Line[]> {
    const source = await read(path, place.file);
    if ("error" in source) {
      problems.add(place, source.error);
      return [];
    }
    const key = `${names} ${source.name}`;
    const text = !known.has(key) && addSize(source.bytes.length, place) ? decodeFile(source, problems) : undefined;
    const lines = known.get(key) ?? (text ? linesOf(text, names, problems) : []);
    known.set(key, lines);
    return lines;
  }

  return async (value: unknown): Promise<void> => {
    // An alias is the same list.
    const found = new Map<unknown[], ReferenceKind>();
    visitNames(value, (names, list) => {
      if (!Array.isArray(list)) return;
      for (const n of list.keys()) list[n] = numberAsId(names, list, n);
      if (list.some(isFile)) found.set(list, names);
    });
    for (const [list, names] of found) {
      const all: Line[] = [];
      for (const [n, name] of list.entries()) {
        const part = partIn(list, n);
        if (isFile(name) && part && list.indexOf(name) < n)
          problems.add(locationOf(part), `${name} appears twice in this list`);
        else if (isFile(name) && part)
          for (const line of await linesIn(name.slice(1), names, locationOf(part))) all.push(line);
        else all.push({ name, part });
      }
      list.length = 0;
      for (const { name } of all) list.push(name);
      setParts(list, (n) => all[Number(n)]?.part);
    }
  };
}
