/** Lists of people and groups of which a part stands in files of its own: `@file`, one a line. */
import { Scalar } from "yaml";
import { strip } from "../../folding.ts";
import type { Place } from "../content.ts";
import { file } from "../file.ts";
import { members, type Names } from "../shape.ts";
import { visit } from "./names.ts";
import type { Problems } from "./problems.ts";
import { type Source, type SourceText, textOf } from "./source.ts";
import type { Tree } from "./tree.ts";

/** Reads a list that stands in a file, by the words behind the @ and the file that names it; or says why it cannot. */
export type ReadList = (path: string, from: string) => Promise<Source | { readonly wrong: string }>;

/** A name, and where it begins. */
interface Line {
  readonly name: string;
  readonly place: Place;
}

/** Lines of all list files together. */
const maxLines = 1_500_000;

const isFile = (item: unknown): item is string => typeof item === "string" && item.startsWith("@");

/** Whether a line can name a person or group. Others are not quoted anywhere: the file may be any file. */
const mayName = (kind: Names, line: string): boolean =>
  kind === "person"
    ? /^(id:\d{1,15}|name:\P{C}{1,100}|[^\s@]{1,100}@[^\s@]{1,255})$/u.test(line)
    : /^(id:|name:)?\P{C}{1,100}$/u.test(line);

function linesOf(source: SourceText, kind: Names, problems: Problems): Line[] {
  const lines: Line[] = [];
  for (const { 0: line, index } of source.text.matchAll(/[^\r\n]+/g)) {
    const name = strip(line);
    if (!name) continue;
    const place = source.place(index + line.indexOf(name));
    if (isFile(name)) {
      const says = "a list file cannot name another file; write a name that begins with @ as name:@…";
      problems.add(() => place, says);
    } else if (!mayName(kind, name)) problems.add(() => place, `invalid line: must be the name of a ${kind}`);
    else lines.push({ name, place });
  }
  return lines;
}

/** Puts the lines of files in the place of their names. */
export class Lists {
  readonly #read: ReadList;
  readonly #problems: Problems;
  readonly #fits: (bytes: number, place: Place) => boolean;
  readonly #known = new Map<string, readonly Line[]>();
  #lines = 0;

  /** `fits` is told the bytes of each file, and says whether they are not too many. */
  constructor(read: ReadList, problems: Problems, fits: (bytes: number, place: Place) => boolean) {
    this.#read = read;
    this.#problems = problems;
    this.#fits = fits;
  }

  async resolve(tree: Tree): Promise<void> {
    const found: { list: unknown[]; items: unknown[]; names: Names; places: Place[] }[] = [];
    const seen = new Set<unknown[]>();
    visit(members(file), tree.value, {
      list(names, list, path) {
        // An alias is the same list.
        if (seen.has(list) || !list.some(isFile)) return;
        seen.add(list);
        found.push({ list, items: tree.itemsAt(path), names, places: list.map((_, n) => tree.at([...path, n])) });
      },
    });
    for (const { list, items, names, places } of found) {
      const [texts, nodes] = [[...list], [...items]];
      list.length = items.length = 0;
      const named = new Set<readonly Line[]>();
      for (const [n, text] of texts.entries()) {
        const place = places[n];
        if (!isFile(text) || !place) {
          list.push(text);
          items.push(nodes[n]);
          continue;
        }
        const lines = await this.#linesIn(text.slice(1), names, place);
        this.#lines += lines.length;
        if (named.has(lines)) this.#problems.add(() => place, `${text} appears twice in this list`);
        else if (this.#lines > maxLines)
          this.#problems.add(
            () => place,
            `with the lines of this file: more than ${maxLines.toLocaleString("en")} names`,
          );
        else
          for (const line of lines) {
            const node = new Scalar(line.name);
            tree.placed.set(node, line.place);
            list.push(line.name);
            items.push(node);
          }
        if (lines.length) named.add(lines);
      }
    }
  }

  async #linesIn(path: string, names: Names, place: Place): Promise<readonly Line[]> {
    const source = await this.#read(path, place.file);
    if ("wrong" in source) {
      this.#problems.add(() => place, source.wrong);
      return [];
    }
    const key = `${names} ${source.name}`;
    const known = this.#known.get(key);
    if (known) return known;
    const text = this.#fits(source.bytes.length, place) ? textOf(source, this.#problems) : undefined;
    const lines = text ? linesOf(text, names, this.#problems) : [];
    this.#known.set(key, lines);
    return lines;
  }
}
