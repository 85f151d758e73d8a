/** One text of YAML 1.2 or JSON as a plain value, beside the nodes that tell where its parts stand. */
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
  type Scalar,
  type YAMLMap,
} from "yaml";
import { brief } from "../check.ts";
import { inWords, type Problems } from "./problems.ts";
import type { SourceText } from "./source.ts";

/** Levels of lists and mappings. A valid file has six. */
const maxDepth = 50;

/** Tokens of a file, and values with what aliases repeat. More is an attack or a mistake. */
const maxTokens = 4_000_000;
const maxValues = 1_500_000;

class Unreadable extends Error {}

type Add = (offset: number, says: string | (() => string)) => void;

/** What aliases stand for. */
export type Targets = Map<Node, Node>;

export interface Parsed {
  /** Undefined where the text says nothing, and where there are problems. */
  readonly value: unknown;
  readonly root: Node | null;
  readonly targets: Targets;
}

const nothing: Parsed = { value: undefined, root: null, targets: new Map() };

/** The library composes nodes by recursion: its limit of depth is the stack, and its limit of size the memory. */
function tokensOf(text: string): CST.Token[] {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (++count > maxTokens) throw new Unreadable("the file is too large");
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > 2 * maxDepth) throw new Unreadable(`nested deeper than ${maxDepth} levels`);
  }
  return [...tokens, ...parser.end()];
}

/** A key of any name: `__proto__` is one as well. */
export const setKey = (mapping: object, key: string, value: unknown): void => {
  Object.defineProperty(mapping, key, { value, enumerable: true, configurable: true, writable: true });
};

/** Reads a text. What is not YAML, and what no file may say in YAML, is added to the problems. */
export function parse(source: SourceText, problems: Problems): Parsed {
  const before = problems.count;
  const add: Add = (offset, says) => problems.add(() => source.place(offset), says);
  try {
    const [document, second] = new Composer({ uniqueKeys: false, merge: false }).compose(tokensOf(source.text));
    if (!document) return nothing;
    if (second) add(second.range[0], "second YAML document: put it in a file of its own");
    for (const { message, pos } of document.errors) add(pos[0], message);
    if (document.directives.yaml.version !== "1.2") add(0, "unsupported directive: only %YAML 1.2 is allowed");
    const values = new Values(source, add);
    const value = problems.count > before ? undefined : values.of(document.contents);
    return { value: problems.count > before ? undefined : value, root: document.contents, targets: values.targets };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    add(0, error.message);
    return nothing;
  }
}

/** Makes a plain value of nodes. */
class Values {
  readonly targets: Targets = new Map();
  readonly #anchors = new Map<string, Node>();
  readonly #source: SourceText;
  readonly #add: Add;
  /** Lists and mappings that were read, so that an alias is the same value. */
  readonly #made = new Map<Node, unknown>();
  /** Those in which the current node stands. */
  readonly #open = new Set<Node>();
  #count = 0;

  constructor(source: SourceText, add: Add) {
    this.#source = source;
    this.#add = add;
  }

  of(node: Node | null): unknown {
    if (node === null) return null;
    if ("anchor" in node && node.anchor !== undefined) this.#anchors.set(node.anchor, node);
    if (++this.#count > maxValues) throw new Unreadable(`more than ${maxValues.toLocaleString("en")} values`);
    if (isAlias(node)) return this.#alias(node);
    if (node.tag !== undefined && !/^!$|:str$/.test(node.tag))
      this.#wrong(node, `unsupported tag ${brief(node.tag.replace("tag:yaml.org,2002:", "!!"))}`);
    if (isScalar(node)) return this.#scalar(node);
    if (this.#open.size === maxDepth) throw new Unreadable(`nested deeper than ${maxDepth} levels`);
    this.#open.add(node);
    const value = isMap<Node, Node | null>(node)
      ? this.#mapping(node)
      : isSeq<Node>(node)
        ? node.items.map((item) => this.of(item))
        : null;
    this.#open.delete(node);
    this.#made.set(node, value);
    return value;
  }

  #wrong(node: Node, says: string | (() => string)): void {
    this.#add(node.range?.[0] ?? 0, says);
  }

  #alias(alias: Alias): unknown {
    const target = this.#anchors.get(alias.source);
    if (!target || this.#open.has(target)) {
      this.#wrong(
        alias,
        target ? `*${brief(alias.source)} refers to itself` : `unknown anchor &${brief(alias.source)}`,
      );
      return undefined;
    }
    this.targets.set(alias, target);
    // What it repeats counts.
    const again = this.of(target);
    return this.#made.get(target) ?? again;
  }

  /** Escapes can write what no server takes. */
  #scalar(scalar: Scalar): unknown {
    const { value } = scalar;
    if (typeof value !== "string") return value;
    if (value.includes("\0")) this.#wrong(scalar, "NUL character in this text");
    else if (/\p{Surrogate}/u.test(value)) this.#wrong(scalar, "invalid character in this text");
    return value;
  }

  #mapping({ items }: YAMLMap<Node, Node | null>): object {
    const mapping = {};
    const keys = new Map<string, number>();
    for (const { key, value } of items) {
      const name = keyOf(key);
      const at = key.range?.[0] ?? 0;
      if (name === undefined) {
        this.#add(at, "keys must be text");
        continue;
      }
      const first = keys.get(name);
      if (first === undefined) keys.set(name, at);
      else this.#add(at, () => `"${brief(name)}" appears twice; first in ${inWords(this.#source.place(first))}`);
      setKey(mapping, name, this.of(value));
    }
    return mapping;
  }
}

/** Keys are texts, also where a value would be a number. */
export const keyOf = (key: Node): string | undefined =>
  !isScalar(key) ? undefined : typeof key.value === "string" ? key.value : key.source || undefined;
