/** What files say should be: their texts in, a checked value with the places of its parts and all problems out. */
import { misfitsOf } from "./check.ts";
import { Budget, mostBytes, tooLarge } from "./document/budget.ts";
import { Lists, type Origins, type ReadList } from "./document/lists.ts";
import { Merged } from "./document/merge.ts";
import { parse } from "./document/parse.ts";
import { inWords, Problems } from "./document/problems.ts";
import { rules } from "./document/rules.ts";
import { type Source, textOf } from "./document/source.ts";
import { file } from "./file.ts";
import type { Document, Path, Place } from "./place.ts";
import { members } from "./shape.ts";

const shape = members(file);

/** The attribute that the end of a path is about. */
const attribute = (path: Path): string | undefined => path.findLast((step) => typeof step === "string") as string;

function check(origins: Origins, problems: Problems): void {
  const { misfits, more } = misfitsOf(shape, origins.value ?? {}, problems.room);
  for (const { path, says, key, first } of misfits)
    problems.add(
      () => origins.at(path, key && "key"),
      () => {
        const before = first === undefined ? "" : `; first in ${inWords(origins.at([...path.slice(0, -1), first]))}`;
        const what = says.startsWith("must ") ? attribute(path) : undefined;
        return `${what === undefined ? says : `${what}: ${says}`}${before}`;
      },
    );
  if (more) problems.overflow();
}

/** Nothing at all, comments, or the word null: what a program leaves behind that has failed. */
const saysNothing = ({ value }: Origins): boolean => value === undefined || value === null;
const nothing = "the file is empty; write {} if it should change nothing";

/**
 * Reads files as one, in their order, whose texts are handed in as bytes. `readList` is asked for the files that lists
 * name (`@file`). Nothing here throws over what stands in a file.
 */
export async function readDocument(sources: readonly Source[], readList: ReadList): Promise<Document> {
  const [problems, budget] = [new Problems(), new Budget()];
  let bytes = 0;
  const size = (more: number, place: () => Place): boolean => {
    const before = bytes;
    bytes += more;
    if (bytes > mostBytes && before <= mostBytes) problems.add(place, tooLarge);
    return bytes <= mostBytes;
  };
  const lists = new Lists(readList, budget, problems, size);
  const files: Origins[] = [];
  for (const read of sources) {
    if (!size(read.bytes.length, () => ({ file: read.name, line: 1, column: 1 }))) break;
    const { source, wrong, offset } = textOf(read);
    if (wrong !== undefined) problems.add(() => source.place(offset), wrong);
    else if (!budget.spent) files.push(await lists.resolve(parse(source, budget, problems)));
  }
  const whole = problems.count === 0;
  if (whole && files.every(saysNothing))
    for (const { name } of sources) problems.add(() => ({ file: name, line: 1, column: 1 }), nothing);
  for (const origins of files) check(origins, problems);
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
