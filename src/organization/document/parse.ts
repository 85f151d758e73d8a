/** Parses YAML 1.2 or JSON to a plain value, and remembers where each part is. */
import {
  Composer,
  type CST,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  Parser,
  visit,
  type YAMLMap,
} from "yaml";
import { brief } from "../attribute-shapes.ts";
import { isEntry } from "../content.ts";
import { locationText, type Problems, type SourceText, setParts, type TextPart } from "./source-text.ts";

/** The largest depth of lists and mappings. A valid file has six. */
const maxDepth = 50;

/** The largest number of tokens in a file. A file with more is an attack or a mistake. */
const maxTokens = 4_000_000;

/** The largest number of values that aliases may repeat. */
const maxAliases = 100_000;

class Unreadable extends Error {}

/** Limits protect the stack and the memory: the library is recursive. */
function* tokensOf(text: string): Generator<CST.Token> {
  // All before any is parsed: a file that is too large takes a third of the time and of the memory.
  const lexemes: string[] = [];
  for (const lexeme of new Lexer().lex(text))
    if (lexemes.push(lexeme) > maxTokens) throw new Unreadable("the file is too large");
  const parser = new Parser();
  for (const lexeme of lexemes) {
    yield* parser.next(lexeme);
    if (parser.stack.length > 2 * maxDepth) throw new Unreadable(`nested deeper than ${maxDepth} levels`);
  }
  yield* parser.end();
}

/** By the code of a syntax error. */
const remedies: Readonly<Record<string, string>> = {
  BAD_DQ_ESCAPE: "; use single quotes",
  BAD_SCALAR_START: "; put the text in quotes",
  BLOCK_AS_IMPLICIT_KEY: "; a text with a colon needs quotes",
  UNEXPECTED_TOKEN: "; if it is text, put it in quotes",
};

const startOf = (node: unknown): number => (isNode(node) ? (node.range?.[0] ?? 0) : 0);

/** Returns the value. Undefined if the text is empty or has problems. */
export function parse(source: SourceText, problems: Problems): unknown {
  const before = problems.count;
  const add = (offset: number, says: string) => problems.add(source.place(offset), says);
  try {
    const [document, second] = new Composer({ uniqueKeys: false, merge: false }).compose(tokensOf(source.text));
    if (!document) return undefined;
    if (second) add(second.range[0], "second YAML document: put it in a file of its own");
    // Later syntax errors follow from the first.
    const [syntaxError] = document.errors;
    if (syntaxError) add(syntaxError.pos[0], syntaxError.message + (remedies[syntaxError.code] ?? ""));
    if (document.directives.yaml.version !== "1.2") add(0, "unsupported directive: only %YAML 1.2 is allowed");
    const anchors = new Set<string>();
    visit(document, {
      Node: (_, node, path) => {
        const report = (says: string) => add(startOf(node), says);
        if (isAlias(node)) {
          const isInside = path.some((each) => "anchor" in each && each.anchor === node.source);
          if (isInside || !anchors.has(node.source))
            report(`unknown anchor &${brief(node.source)}; if it is text, put it in quotes`);
          return;
        }
        if (node.tag !== undefined && !/^!$|:str$/.test(node.tag))
          report(
            `unsupported tag ${brief(node.tag.replace("tag:yaml.org,2002:", "!!"))}; if it is text, put it in quotes`,
          );
        // An escape can contain characters that servers reject.
        if (isScalar(node) && typeof node.value === "string" && /[\0\p{Surrogate}]/u.test(node.value))
          report("invalid character in this text");
        if (isScalar(node) && node.source === "" && /^[ \t]*#\S/.test(source.text.slice(startOf(node)).slice(0, 80))) {
          const pair = path.at(-1);
          const key = isPair(pair) ? keyOf(pair.key) : undefined;
          report(`${brief(key ?? "this item")} is empty: # begins a comment in YAML; put the text in quotes`);
        }
        if (node.anchor !== undefined) anchors.add(node.anchor);
        if (isMap(node)) checkKeys(node, source, problems);
      },
    });
    if (problems.count > before) return undefined;
    const value: unknown = document.toJS({ maxAliasCount: maxAliases });
    locate(document.contents, value, source);
    return value;
  } catch (error) {
    // The library reports aliases that repeat too much or contain themselves.
    if (!(error instanceof Unreadable || error instanceof ReferenceError)) throw error;
    add(0, error instanceof Unreadable ? error.message : "too many aliases");
    return undefined;
  }
}

/** Keys are texts, even if they look like numbers. */
const keyOf = (key: unknown): string | undefined =>
  !isScalar(key) ? undefined : typeof key.value === "string" ? key.value : key.source || undefined;

function checkKeys({ items }: YAMLMap, source: SourceText, problems: Problems): void {
  const seen = new Map<string, number>();
  for (const { key } of items) {
    const name = keyOf(key);
    const report = (says: string) => problems.add(source.place(startOf(key)), says);
    const first = name === undefined ? undefined : seen.get(name);
    if (name === undefined) report("keys must be text");
    else if (name in {}) report(`invalid key "${name}"`);
    else if (first !== undefined)
      report(`"${brief(name)}" appears twice; first in ${locationText(source.place(first))}`);
    else seen.set(name, startOf(key));
  }
}

/** Remembers the places of a value's parts. Nodes need much memory, so only places are kept. */
function locate(node: unknown, value: unknown, source: SourceText): void {
  const part = (of: unknown, key = of): TextPart => ({ source, value: startOf(of), key: startOf(key) });
  if (isSeq<Node>(node) && Array.isArray(value)) {
    const parts = node.items.map((item) => part(item));
    setParts(value, (n) => parts[Number(n)]);
    for (const [n, item] of node.items.entries()) locate(item, value[n], source);
  } else if (isMap(node) && isEntry(value)) {
    const parts = new Map(node.items.map((item) => [keyOf(item.key), part(item.value ?? item.key, item.key)]));
    setParts(value, (name) => parts.get(String(name)));
    for (const item of node.items) locate(item.value, value[keyOf(item.key) ?? ""], source);
  }
}
