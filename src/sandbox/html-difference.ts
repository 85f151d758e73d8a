/** Marks the words that differ between two HTML texts, as a library of servers does. */
import { matchingBlocks } from "./matching-blocks.ts";

/** A word with the tags around it. */
interface Word {
  text: string;
  before: string[];
  after: string[];
  space: string;
  /** The address of a link counts as a word that is only shown if it changed. */
  isAddress: boolean;
}

const emptyTags = new Set(["br", "hr", "img"]);
const blockTags = new Set("p div blockquote ul ol li pre h1 h2 h3 h4 h5 h6 table tr td th".split(" "));

const isTag = (chunk: string): boolean => chunk.startsWith("<");
const isEndTag = (chunk: string): boolean => chunk.startsWith("</");
const nameOf = (tag: string): string => /^<\/?([^\s>/]+)/.exec(tag)?.[1] ?? "";

function wordsOf(html: string): Word[] {
  const words: Word[] = [];
  const addresses: string[] = [];
  let waiting: string[] = [];
  const add = (word: Pick<Word, "text" | "space" | "isAddress">) => {
    words.push({ ...word, before: waiting, after: [] });
    waiting = [];
  };
  for (const [chunk] of html.matchAll(/<[^>]*>|[^<]+/g)) {
    if (!isTag(chunk)) {
      for (const [, text = "", space = ""] of chunk.matchAll(/(\S+)(\s*)/g)) add({ text, space, isAddress: false });
      const last = words.at(-1)?.after;
      const end = last?.at(-1);
      // A space after an end tag stays with the tag.
      if (/^\s/.test(chunk) && end && isEndTag(end) && waiting.length === 0) last?.splice(-1, 1, `${end.trim()} `);
      continue;
    }
    if (nameOf(chunk) === "a" && !isEndTag(chunk)) addresses.push(/href="([^"]*)"/.exec(chunk)?.[1] ?? "");
    if (chunk === "</a>") {
      const address = addresses.pop();
      if (address) add({ text: address, space: " ", isAddress: true });
    }
    const last = words.at(-1);
    if (isEndTag(chunk) && waiting.length === 0 && last) last.after.push(chunk);
    else waiting.push(chunk);
  }
  if (words.length === 0) return [{ text: "", before: waiting, after: [], space: "", isAddress: false }];
  words.at(-1)?.after.push(...waiting);
  return words;
}

const chunksOf = (words: readonly Word[], equal: boolean): string[] =>
  words.flatMap(({ text, before, after, space, isAddress }) => [
    ...before,
    ...(equal && isAddress ? [] : [`${isAddress ? " Link: " : ""}${text}${space}`]),
    ...after,
  ]);

/** Splits into the start tags that are not closed, what is complete, and the end tags that were not opened. */
function splitUnbalanced(chunks: readonly string[]) {
  const [start, end]: [string[], string[]] = [[], []];
  const complete: (string | null)[] = [];
  let open: { name: string; at: number; tag: string }[] = [];
  for (const chunk of chunks) {
    const name = nameOf(chunk);
    if (!isTag(chunk) || emptyTags.has(name)) complete.push(chunk);
    else if (!isEndTag(chunk)) {
      open.push({ name, at: complete.length, tag: chunk });
      complete.push(null);
    } else if (open.at(-1)?.name === name) {
      complete.push(chunk);
      const { at = 0, tag = "" } = open.pop() ?? {};
      complete[at] = tag;
    } else {
      start.push(...open.map(({ tag }) => tag));
      open = [];
      end.push(chunk);
    }
  }
  start.push(...open.map(({ tag }) => tag));
  return { start, complete: complete.filter((chunk) => chunk !== null), end };
}

/** Marks a complete part. A mark is inside of blocks, not around them. */
function marked(kind: string, complete: readonly string[]): string[] {
  const trimmed = complete.map((chunk, at) => (at === complete.length - 1 ? chunk.replace(/ $/, "") : chunk));
  const begin = `<span class="highlight_text_${kind}">`;
  const out: string[] = [];
  let run: string[] = [];
  const close = () => {
    if (run.length > 0) out.push(begin, ...run, "</span>");
    run = [];
  };
  for (const chunk of trimmed) {
    if (!isTag(chunk) || !blockTags.has(nameOf(chunk))) run.push(chunk);
    else {
      close();
      out.push(chunk);
    }
  }
  close();
  return [...out.slice(0, -1), `${out.at(-1) ?? ""} `];
}

/** Separates a mark from the word before it. */
function endWithSpace(chunks: string[]): void {
  const last = chunks.at(-1);
  if (last !== undefined && !last.endsWith(" ")) chunks[chunks.length - 1] = `${last} `;
}

/** The chunks before and after a deleted part exchange tags that belong to it. */
function placeDeleted(before: string[], deleted: readonly string[], after: readonly string[]): string[] {
  const { start, complete, end } = splitUnbalanced(deleted);
  const rest = [...after];
  while (start[0] && rest[0] && isTag(rest[0]) && !isEndTag(rest[0]) && nameOf(rest[0]) === nameOf(start[0])) {
    start.shift();
    before.push(rest.shift() ?? "");
  }
  for (let last = before.at(-1); last && end.length > 0; last = before.at(-1)) {
    if (!isEndTag(last) || nameOf(last) !== nameOf(end.at(-1) ?? "")) break;
    end.pop();
    rest.unshift(before.pop() ?? "");
  }
  endWithSpace(before);
  return [...before, ...marked("deleted", complete), ...rest];
}

function insertInto(chunks: string[], inserted: readonly string[]): void {
  const { start, complete, end } = splitUnbalanced(inserted);
  chunks.push(...start);
  endWithSpace(chunks);
  chunks.push(...marked("inserted", complete), ...end);
}

/** The new HTML in a `div`, with what was inserted and what was deleted. */
export function htmlDifference(now: string, before: string): string {
  const [old, current] = [wordsOf(before), wordsOf(now)];
  const texts = (words: readonly Word[]) => words.map(({ text }) => text);
  const smallest = Math.min(2, current.length / 4);
  const blocks = matchingBlocks(texts(old), texts(current)).filter(({ size }) => size > smallest);
  // Deleted parts are placed last, since they exchange tags with what follows them.
  const parts: { kept: string[]; deleted: string[] }[] = [{ kept: [], deleted: [] }];
  let [a, b] = [0, 0];
  for (const block of [...blocks, { a: old.length, b: current.length, size: 0 }]) {
    const kept = parts.at(-1)?.kept ?? [];
    if (b < block.b) insertInto(kept, chunksOf(current.slice(b, block.b), false));
    const next = chunksOf(current.slice(block.b, block.b + block.size), true);
    if (a < block.a) {
      parts[parts.length - 1] = { kept, deleted: chunksOf(old.slice(a, block.a), false) };
      parts.push({ kept: next, deleted: [] });
    } else kept.push(...next);
    [a, b] = [block.a + block.size, block.b + block.size];
  }
  const [first, ...others] = parts;
  let chunks = first?.kept ?? [];
  let deleted = first?.deleted ?? [];
  for (const part of others) {
    chunks = placeDeleted(chunks, deleted, part.kept);
    deleted = part.deleted;
  }
  return `<div>${chunks.join("").trim()}</div>`;
}
