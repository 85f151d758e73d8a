/** The server's HTML of a search match, made text. */
import { decodeHTML } from "entities";
import { Marked, type Part } from "./cell.ts";

/** Where the tag that opens at `from` ends; a `>` in a quoted attribute is none. -1 where it does not end. */
function tagEnd(html: string, from: number): number {
  let quote = "";
  for (let at = from; at < html.length; at++) {
    const letter = html.charAt(at);
    if (quote) quote = letter === quote ? "" : quote;
    else if (letter === ">") return at;
    else if (letter === '"' || letter === "'") quote = letter;
  }
  return -1;
}

const name = /^\/?([a-zA-Z][a-zA-Z0-9-]*)/;
const inline = new Set(["a", "b", "code", "del", "em", "i", "s", "span", "strong", "sub", "sup", "time", "u"]);
const highlighting = /\sclass\s*=\s*["']?[^"']*\bhighlight\b/;
const alternative = /\salt\s*=\s*(?:"([^"]*)"|'([^']*)')/;

const spaced = (text: string): string => text.replace(/\s+/g, " ");

/**
 * Tags go, entities are decoded, white space becomes one space, the text inside `<span class="highlight">` is a hit.
 * An image stands as its alternative text. Not yet safe for a terminal: the table sees to that.
 */
export function marked(html: string): Marked {
  const parts: Part[] = [];
  const spans: boolean[] = [];
  let hits = 0;
  // Asking a growing text for its end again and again would copy it each time.
  let afterSpace = true;
  const say = (text: string) => {
    const told = afterSpace ? spaced(text).replace(/^ /, "") : spaced(text);
    if (!told) return;
    afterSpace = told.endsWith(" ");
    const last = parts.at(-1);
    if (last?.hit === hits > 0) last.text += told;
    else parts.push({ text: told, hit: hits > 0 });
  };
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    if (open < 0) break;
    say(decodeHTML(html.slice(at, open)));
    const comment = html.startsWith("<!--", open);
    const word = name.exec(html.slice(open + 1, open + 40))?.[1]?.toLowerCase();
    if (!comment && !word) {
      say("<");
      at = open + 1;
      continue;
    }
    const end = comment ? html.indexOf("-->", open + 4) : tagEnd(html, open + 1);
    // What never ends is no tag; the rest is text, and looking again at every `<` in it would take for ever.
    if (end < 0) {
      at = open;
      break;
    }
    const tag = html.slice(open, end);
    at = end + (comment ? 3 : 1);
    if (comment || !word) continue;
    if (word === "span" && tag[1] === "/") hits -= spans.pop() ? 1 : 0;
    else if (word === "span") {
      spans.push(highlighting.test(tag));
      hits += spans.at(-1) ? 1 : 0;
    } else if (word === "img") {
      const [, double, single] = alternative.exec(tag) ?? [];
      say(decodeHTML(double ?? single ?? ""));
    } else if (!inline.has(word)) say(" ");
  }
  say(decodeHTML(html.slice(at)));
  const last = parts.at(-1);
  if (last) last.text = last.text.trimEnd();
  return new Marked(parts.filter(({ text }) => text));
}
