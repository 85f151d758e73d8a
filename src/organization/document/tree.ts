/** The value of one file, and the place of each of its parts. */
import { isMap, isSeq, type Node } from "yaml";
import type { Path, Place } from "../content.ts";
import { keyOf, type Parsed, type Targets } from "./parse.ts";
import type { SourceText } from "./source.ts";

export class Tree {
  readonly value: unknown;
  /** Nodes whose place is not told by the text: lines of list files. */
  readonly placed = new WeakMap<Node, Place>();
  readonly #root: Node | null;
  readonly #source: SourceText;
  readonly #targets: Targets;

  constructor(source: SourceText, { value, root, targets }: Parsed) {
    this.#source = source;
    this.value = value;
    this.#root = root;
    this.#targets = targets;
  }

  #meaning(node: Node | null): Node | null {
    return (node && this.#targets.get(node)) ?? node;
  }

  /** The node at the end of a path, and the key before it; as far as there are any. */
  #find(path: Path): { node: Node | null; key: Node | null } {
    let found: { node: Node | null; key: Node | null } = { node: this.#root, key: this.#root };
    for (const step of path) {
      const node = this.#meaning(found.node);
      if (isSeq<Node>(node)) {
        const item = node.items[Number(step)];
        if (!item) return found;
        found = { node: item, key: item };
      } else if (isMap<Node, Node | null>(node)) {
        const pair = node.items.find(({ key }) => keyOf(key) === step);
        if (!pair) return found;
        found = { node: pair.value ?? pair.key, key: pair.key };
      } else return found;
    }
    return found;
  }

  /** The nodes of a list. */
  itemsAt(path: Path): unknown[] {
    const node = this.#meaning(this.#find(path).node);
    return isSeq(node) ? node.items : [];
  }

  at(path: Path, key?: "key"): Place {
    const { node, key: before } = this.#find(path);
    const found = key ? before : node;
    return (found && this.placed.get(found)) ?? this.#source.place(found?.range?.[0] ?? 0);
  }
}
