/** Parses desired-state files: checks their texts, merges them, and remembers the place of each value. */

import { membersOf } from "../common/object-members.ts";
import { type Content, type Document, isEntry, isSites, type Location, type Path, sitesOf } from "./content.ts";
import { checkDocumentRules } from "./document/check-document.ts";
import { normalizeNames } from "./document/entry-names.ts";
import { type ListReader, listExpander } from "./document/list-files.ts";
import { parse } from "./document/parse.ts";
import {
  decodeFile,
  findLocation,
  locationOf,
  locationText,
  maxBytes,
  Problems,
  partIn,
  type SourceFile,
  SourceText,
  setParts,
  type TextPart,
} from "./document/source-text.ts";
import { fileShape, thingSections } from "./section-registry.ts";
import { validate } from "./validate.ts";

const lists = new Set<string>(["complete", ...thingSections]);

/** Joins the lists of sections, and the keys of settings. Sections of the wrong type are skipped: they are reported. */
function mergeFiles(files: readonly unknown[], problems: Problems): Content {
  const all: Record<string, unknown> = {};
  const parts = new Map<unknown, Map<string | number, TextPart>>();

  function set(target: object, key: string | number, value: unknown, part: TextPart): void {
    const ownParts = parts.get(target) ?? new Map<string | number, TextPart>();
    if (!parts.has(target)) setParts(target, (step) => ownParts.get(step));
    parts.set(target, ownParts.set(key, part));
    Reflect.set(target, key, value);
  }

  function add(name: string, value: unknown, part: TextPart): void {
    const present = all[name];
    if (name === "organization") {
      if (!isSites(value)) return;
      const first = partIn(all, name);
      if (!first) set(all, name, value, part);
      else if (isSites(present) && sitesOf(present).join() !== sitesOf(value).join())
        problems.add(locationOf(part), `different organization than in ${locationText(locationOf(first))}`);
    } else if (lists.has(name) ? Array.isArray(value) : isEntry(value)) {
      const target = Array.isArray(present) || isEntry(present) ? present : Array.isArray(value) ? [] : {};
      if (!present) set(all, name, target, part);
      for (const [key, member] of Object.entries(Array.isArray(value) ? value : membersOf(value)))
        addTo(target, Array.isArray(target) ? target.length : key, member, partIn(value, key)!);
    }
  }

  function addTo(target: object, key: string | number, value: unknown, part: TextPart): void {
    const first = partIn(target, key);
    if (first)
      problems.add(
        locationOf(part, "key"),
        `"${key}" appears twice; first in ${locationText(locationOf(first, "key"))}`,
      );
    else set(target, key, value, part);
  }

  for (const file of files)
    if (isEntry(file)) for (const [name, value] of Object.entries(file)) add(name, value, partIn(file, name)!);
  return all;
}

/** Returns the attribute that contains the end of a path. */
const attributeIn = (path: Path): string | number | undefined => path.findLast((step) => typeof step === "string");

/**
 * Reads several files as one, in their order, from bytes. `readList` returns the files that lists name with `@file`.
 * Errors in a file are returned as problems and never thrown.
 */
export async function readDocument(sources: readonly SourceFile[], readList: ListReader): Promise<Document> {
  const problems = new Problems();
  let bytes = 0;
  const addSize = (size: number, place: Location): boolean => {
    const before = bytes;
    bytes += size;
    if (bytes > maxBytes && before <= maxBytes) problems.add(place, "more than 16 MiB with this file");
    return bytes <= maxBytes;
  };
  const expandLists = listExpander(readList, problems, addSize);
  const files: unknown[] = [];
  let isComplete = true;
  for (const each of sources) {
    const start = { file: each.name, line: 1, column: 1 };
    const before = problems.count;
    const source = addSize(each.bytes.length, start) ? decodeFile(each, problems) : undefined;
    const value = source && parse(source, problems);
    await expandLists(value);
    if (problems.count > before) isComplete = false;
    if (!source) continue;
    files.push(value);
    for (const { path, message, expects, key } of validate(fileShape, value ?? {})) {
      const attribute = expects ? attributeIn(path) : undefined;
      const place = findLocation(value, { source, value: 0, key: 0 }, path, key);
      problems.add(place, attribute === undefined ? message : `${attribute}: ${message}`);
    }
  }
  // An empty file is usually what a failed program left behind.
  if (isComplete && files.every((value) => value === undefined || value === null))
    for (const { name } of sources)
      problems.add({ file: name, line: 1, column: 1 }, "the file is empty; write {} if it should change nothing");
  const value = mergeFiles(files, problems);
  const first = { source: new SourceText(sources[0]?.name ?? "", ""), value: 0, key: 0 };
  const at: Document["at"] = (path, key) => findLocation(value, first, path, key);
  const report = (path: Path, message: string, key?: "key") => problems.add(at(path, key), message);
  normalizeNames(value, report);
  checkDocumentRules({ value, report, place: (path) => locationText(at(path)) }, isComplete);
  return {
    value: problems.count ? {} : value,
    problems: problems.sorted(sources.map(({ name }) => name)),
    count: problems.count,
    at,
  };
}
