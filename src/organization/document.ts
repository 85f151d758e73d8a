/** What files say should be: their texts in, a checked value with the places of its parts and all problems out. */
import { misfitsOf } from "./check.ts";
import type { Document, Path, Place } from "./content.ts";
import { Lists, type ReadList } from "./document/lists.ts";
import { Merged } from "./document/merge.ts";
import { parse } from "./document/parse.ts";
import { inWords, Problems } from "./document/problems.ts";
import { rules } from "./document/rules.ts";
import { maxBytes, type Source, textOf } from "./document/source.ts";
import { Tree } from "./document/tree.ts";
import { file } from "./file.ts";
import { members } from "./shape.ts";

const shape = members(file);

/** The attribute that the end of a path is about. */
const attributeIn = (path: Path): string | number | undefined => path.findLast((step) => typeof step === "string");

function check(tree: Tree, problems: Problems): void {
  const { misfits, more } = misfitsOf(shape, tree.value ?? {}, problems.room);
  for (const { path, says, wanted, key, first } of misfits)
    problems.add(
      () => tree.at(path, key && "key"),
      () => {
        const attribute = wanted ? attributeIn(path) : undefined;
        const before = first === undefined ? "" : `; first in ${inWords(tree.at([...path.slice(0, -1), first]))}`;
        return `${attribute === undefined ? "" : `${attribute}: `}${says}${before}`;
      },
    );
  if (more) problems.overflow();
}

/**
 * Reads files as one, in their order, whose texts are handed in as bytes. `readList` is asked for the files that lists
 * name (`@file`). Nothing here throws over what stands in a file.
 */
export async function readDocument(sources: readonly Source[], readList: ReadList): Promise<Document> {
  const problems = new Problems();
  let bytes = 0;
  const fits = (more: number, place: Place): boolean => {
    const before = bytes;
    bytes += more;
    if (bytes > maxBytes && before <= maxBytes) problems.add(() => place, "more than 16 MiB with this file");
    return bytes <= maxBytes;
  };
  const lists = new Lists(readList, problems, fits);
  const files: Tree[] = [];
  for (const each of sources) {
    if (!fits(each.bytes.length, { file: each.name, line: 1, column: 1 })) break;
    const source = textOf(each, problems);
    if (!source) continue;
    const tree = new Tree(source, parse(source, problems));
    await lists.resolve(tree);
    files.push(tree);
  }
  const whole = problems.count === 0;
  // Nothing at all, comments, or the word null: what a program leaves behind that has failed.
  if (whole && files.every(({ value }) => value === undefined || value === null))
    for (const { name } of sources)
      problems.add(
        () => ({ file: name, line: 1, column: 1 }),
        "the file is empty; write {} if it should change nothing",
      );
  for (const tree of files) check(tree, problems);
  const merged = new Merged(files, problems);
  const { value } = merged;
  const at: Document["at"] = (path, key) => merged.at(path, key);
  if (problems.room) rules({ value, at, problems }, whole);
  return {
    value: problems.count ? {} : value,
    problems: problems.sorted(sources.map(({ name }) => name)),
    count: problems.count,
    at,
  };
}
