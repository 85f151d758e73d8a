/** Which part of a text is what in its value. */
import type { Path, Place } from "../place.ts";
import type { SourceText } from "./source.ts";

/** Children of a node in their order, or by their keys. */
type Children = readonly number[] | ReadonlyMap<string, { readonly key: number; readonly node: number }>;

const isList = (children: Children): children is readonly number[] => Array.isArray(children);

/** Nodes count in the order in which they begin; a key is a node before its value. */
export class Tree {
  readonly source: SourceText;
  /** Where a node begins. */
  readonly #starts: Uint32Array;
  /** The first node that is no part of it. */
  readonly #ends: Uint32Array;
  /** The keys of mappings. */
  readonly #keys: readonly (string | undefined)[];
  /** What aliases stand for. */
  readonly #aliases: ReadonlyMap<number, number>;
  readonly #children = new Map<number, Children>();

  constructor(
    source: SourceText,
    starts: Uint32Array,
    ends: Uint32Array,
    keys: readonly (string | undefined)[],
    aliases: ReadonlyMap<number, number>,
  ) {
    this.source = source;
    this.#starts = starts;
    this.#ends = ends;
    this.#keys = keys;
    this.#aliases = aliases;
  }

  /** Of a node; of the beginning where there is none. */
  place(node: number): Place {
    return this.source.place(this.#starts[node] ?? 0);
  }

  /** What an alias stands for; of other nodes itself. */
  meaning(node: number): number {
    return this.#aliases.get(node) ?? node;
  }

  /** The node at the end of a path, and the key before it; as far as there are any. */
  find(path: Path): { node: number; key: number } {
    let [node, key] = [0, 0];
    for (const step of path) {
      const children = this.#childrenOf(this.meaning(node));
      const next = isList(children) ? children[step as number] : children.get(String(step))?.node;
      if (next === undefined) return { node, key: node };
      key = isList(children) ? next : children.get(String(step))!.key;
      node = next;
    }
    return { node, key };
  }

  at(path: Path, key?: "key"): Place {
    const found = this.find(path);
    return this.place(key ? found.key : found.node);
  }

  /** Where a key stands first. */
  first(mapping: number, key: string): number {
    const children = this.#childrenOf(mapping);
    return (isList(children) ? undefined : children.get(key)?.key) ?? mapping;
  }

  #childrenOf(node: number): Children {
    const known = this.#children.get(node);
    if (known) return known;
    const end = this.#ends[node] ?? 0;
    const list: number[] = [];
    const map = new Map<string, { key: number; node: number }>();
    for (let at = node + 1; at < end; at = this.#ends[at]!) {
      const key = this.#keys[at];
      if (key === undefined) list.push(at);
      else {
        const value = this.#ends[at]!;
        if (!map.has(key)) map.set(key, { key: at, node: value });
        at = value;
      }
    }
    const children = map.size ? map : list;
    this.#children.set(node, children);
    return children;
  }
}
