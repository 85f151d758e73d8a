/** One text of YAML 1.2 or JSON as a plain value whose parts have places. */
import {
  type Alias,
  Composer,
  type CST,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  Parser,
  type YAMLMap,
} from "yaml";
import type { Entry } from "../content.ts";
import { brief } from "../shape.ts";
import { type Part, placeOf, setParts } from "./parts.ts";
import { type Problems, placeText } from "./problems.ts";
import type { SourceText } from "./source.ts";

/** Levels of lists and mappings. A valid file has six. */
const maxDepth = 50;

/** Tokens of a file, and values with what aliases repeat. More is an attack or a mistake. */
const maxTokens = 4_000_000;
const maxValues = 1_500_000;

class Unreadable extends Error {}

/** The library composes nodes by recursion: its limit of depth is the stack, and its limit of size the memory. */
function* tokensOf(text: string): Generator<CST.Token> {
  const parser = new Parser();
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (++count > maxTokens) throw new Unreadable("the file is too large");
    yield* parser.next(lexeme);
    if (parser.stack.length > 2 * maxDepth) throw new Unreadable(`nested deeper than ${maxDepth} levels`);
  }
  yield* parser.end();
}

/** Undefined where the text says nothing, and where there are problems. What no file may say in YAML is one. */
export function parse(source: SourceText, problems: Problems): unknown {
  const before = problems.count;
  const add = (offset: number, says: string) => problems.add(source.place(offset), says);
  try {
    const [document, second] = new Composer({ uniqueKeys: false, merge: false }).compose(tokensOf(source.text));
    if (!document) return undefined;
    if (second) add(second.range[0], "second YAML document: put it in a file of its own");
    for (const { message, pos } of document.errors) add(pos[0], message);
    if (document.directives.yaml.version !== "1.2") add(0, "unsupported directive: only %YAML 1.2 is allowed");
    const value = problems.count > before ? undefined : new Values(source, add).of(document.contents);
    return problems.count > before ? undefined : value;
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    add(0, error.message);
    return undefined;
  }
}

/** What an anchor stands for, and how many values that is. */
interface Anchored {
  readonly value: unknown;
  readonly size: number;
}

/** Makes a plain value of nodes. */
class Values {
  readonly #anchors = new Map<string, Anchored>();
  readonly #source: SourceText;
  readonly #add: (offset: number, says: string) => void;
  #count = 0;

  constructor(source: SourceText, add: (offset: number, says: string) => void) {
    this.#source = source;
    this.#add = add;
  }

  of(node: Node | null): unknown {
    if (node === null) return null;
    const before = this.#count;
    this.#counted(1);
    if (isAlias(node)) return this.#alias(node);
    if (node.tag !== undefined && !/^!$|:str$/.test(node.tag))
      this.#wrong(node, `unsupported tag ${brief(node.tag.replace("tag:yaml.org,2002:", "!!"))}`);
    const value = this.#valueOf(node);
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, { value, size: this.#count - before });
    return value;
  }

  #wrong(node: Node, says: string): void {
    this.#add(startOf(node), says);
  }

  #counted(more: number): void {
    this.#count += more;
    if (this.#count > maxValues) throw new Unreadable(`more than ${maxValues.toLocaleString("en")} values`);
  }

  #alias(alias: Alias): unknown {
    const target = this.#anchors.get(alias.source);
    if (!target) return this.#wrong(alias, `unknown anchor &${brief(alias.source)}`);
    // What it repeats counts.
    this.#counted(target.size);
    return target.value;
  }

  #valueOf(node: Node): unknown {
    if (isMap<Node, Node | null>(node)) return this.#mapping(node);
    if (isSeq<Node>(node)) {
      const list = node.items.map((item) => this.of(item));
      // Nodes are large: only their places are kept.
      const parts = node.items.map((item) => this.#part(item));
      setParts(list, (n) => parts[Number(n)]);
      return list;
    }
    const value = isScalar(node) ? node.value : null;
    // Escapes can write what no server takes.
    if (typeof value === "string" && /[\0\p{Surrogate}]/u.test(value))
      this.#wrong(node, "invalid character in this text");
    return value;
  }

  #part(value: Node, key = value): Part {
    return { source: this.#source, value: startOf(value), key: startOf(key) };
  }

  #mapping({ items }: YAMLMap<Node, Node | null>): Entry {
    const mapping: Record<string, unknown> = {};
    const parts = new Map<string | number, Part>();
    for (const { key, value } of items) {
      const name = keyOf(key);
      const first = name === undefined ? undefined : parts.get(name);
      if (name === undefined) this.#wrong(key, "keys must be text");
      else if (name in {}) this.#wrong(key, `invalid key "${name}"`);
      else if (first) this.#wrong(key, `"${brief(name)}" appears twice; first in ${placeText(placeOf(first, "key"))}`);
      else {
        parts.set(name, this.#part(value ?? key, key));
        mapping[name] = this.of(value);
      }
    }
    setParts(mapping, (name) => parts.get(name));
    return mapping;
  }
}

const startOf = (node: Node): number => node.range?.[0] ?? 0;

/** Keys are texts, also where a value would be a number. */
const keyOf = (key: Node): string | undefined =>
  !isScalar(key) ? undefined : typeof key.value === "string" ? key.value : key.source || undefined;
