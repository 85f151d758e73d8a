/** The server's HTML of a search match, made text. */
import { decodeHTML } from "entities";
import { Marked, type Part } from "./cell.ts";

/** A comment, or a tag; a `>` in a quoted attribute does not end it. What never ends is text. */
const markup = /<!--[\s\S]*?-->|<(?<close>\/?)(?<name>[a-z][a-z0-9-]*)(?<attributes>(?:"[^"]*"|'[^']*'|[^"'>])*)>/gi;
const inline = new Set(["a", "b", "code", "del", "em", "i", "s", "span", "strong", "sub", "sup", "time", "u"]);
const highlighting = /\sclass\s*=\s*["']?[^"']*\bhighlight\b/;
const alternative = /\salt\s*=\s*(?:"([^"]*)"|'([^']*)')/;

/**
 * Tags go, entities are decoded, white space becomes one space, the text inside `<span class="highlight">` is a hit.
 * An image stands as its alternative text. Not yet safe for a terminal: the table sees to that.
 */
export function marked(html: string): Marked {
  const parts: Part[] = [];
  /** For each open span, whether it highlights. */
  const spans: boolean[] = [];
  let afterSpace = true;
  const add = (text: string) => {
    const spaced = text.replace(/\s+/g, " ");
    const added = afterSpace ? spaced.replace(/^ /, "") : spaced;
    if (!added) return;
    afterSpace = added.endsWith(" ");
    const hit = spans.includes(true);
    const last = parts.at(-1);
    if (last?.hit === hit) last.text += added;
    else parts.push({ text: added, hit });
  };
  let at = 0;
  for (const { index, 0: whole, groups = {} } of html.matchAll(markup)) {
    add(decodeHTML(html.slice(at, index)));
    at = index + whole.length;
    const { close, name = "", attributes = "" } = groups;
    const tag = name.toLowerCase();
    if (tag === "span" && close) spans.pop();
    else if (tag === "span") spans.push(highlighting.test(attributes));
    else if (tag === "img") {
      const [, double, single] = alternative.exec(attributes) ?? [];
      add(decodeHTML(double ?? single ?? ""));
    } else if (tag && !inline.has(tag)) add(" ");
  }
  add(decodeHTML(html.slice(at)));
  const last = parts.at(-1);
  if (last) last.text = last.text.trimEnd();
  return new Marked(parts.filter(({ text }) => text));
}
