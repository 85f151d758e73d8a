/** Several files as one: the lists of their sections one after the other, the keys of their settings side by side. */

import { type Content, isEntry, type Path, type Place } from "../content.ts";
import { sections } from "../file.ts";
import { siteOf } from "../site.ts";
import { setKey } from "./parse.ts";
import { inWords, type Problems } from "./problems.ts";
import type { Tree } from "./tree.ts";

/** A part of a list, and the index at which it begins there. */
interface Piece {
  readonly from: number;
  readonly tree: Tree;
}

/** How files are merged that say the same key: `organization` must be equal. */
const kindOf = (name: string): "list" | "settings" | "organization" | undefined => {
  if (name === "organization") return name;
  if (name === "complete") return "list";
  const section = Object.entries(sections).find(([each]) => each === name)?.[1];
  return section && (section.holds === "things" ? "list" : "settings");
};

/** What all files say. A section that is not of its kind is left out: the check has told of it. */
export class Merged {
  readonly #value: Record<string, unknown> = {};
  readonly #pieces = new Map<string, Piece[]>();
  /** The file of each setting, by section and key. */
  readonly #owners = new Map<string, Tree>();
  readonly #first: Tree | undefined;

  constructor(files: readonly Tree[], problems: Problems) {
    this.#first = files[0];
    for (const tree of files)
      if (isEntry(tree.value))
        for (const [name, value] of Object.entries(tree.value)) this.#add(tree, name, value, problems);
  }

  get value(): Content {
    return this.#value;
  }

  at(path: Path, key?: "key"): Place {
    const [section = "", step, ...rest] = path;
    const pieces = this.#pieces.get(String(section));
    const piece = typeof step === "number" ? pieces?.findLast(({ from }) => from <= step) : undefined;
    if (piece) return piece.tree.at([section, Number(step) - piece.from, ...rest], key);
    const owner = this.#owners.get(path.slice(0, 2).join("\0")) ?? this.#owners.get(String(section));
    return (owner ?? pieces?.[0]?.tree ?? this.#first)?.at(path, key) ?? { file: "", line: 1, column: 1 };
  }

  #add(tree: Tree, name: string, value: unknown, problems: Problems): void {
    const kind = kindOf(name);
    const known = this.#value[name];
    const first = this.#owners.get(name);
    if (kind === "list" && Array.isArray(value)) {
      const all = Array.isArray(known) ? known : [];
      this.#value[name] = all;
      this.#pieces.set(name, [...(this.#pieces.get(name) ?? []), { from: all.length, tree }]);
      for (const item of value) all.push(item);
    } else if (kind === "settings" && isEntry(value)) {
      const all = isEntry(known) ? known : {};
      this.#value[name] = all;
      if (!first) this.#owners.set(name, tree);
      for (const [key, setting] of Object.entries(value)) this.#set(tree, [name, key], all, setting, problems);
    } else if (kind === "organization" && typeof value === "string") {
      if (!first) {
        this.#value[name] = value;
        this.#owners.set(name, tree);
      } else if (siteOf(String(known)) !== siteOf(value))
        problems.add(
          () => tree.at([name]),
          () => `different organization than in ${inWords(first.at([name]))}`,
        );
    }
  }

  #set(tree: Tree, path: readonly [string, string], all: object, value: unknown, problems: Problems): void {
    const first = this.#owners.get(path.join("\0"));
    if (first)
      problems.add(
        () => tree.at(path, "key"),
        () => `"${path[1]}" appears twice; first in ${inWords(first.at(path, "key"))}`,
      );
    else {
      setKey(all, path[1], value);
      this.#owners.set(path.join("\0"), tree);
    }
  }
}
