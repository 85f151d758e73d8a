/** Converts the server's HTML of a search match to text. */
import { decodeHTML } from "entities";
import { type CellPart, HighlightedText } from "./table-cell.ts";

/** A comment or tag. A quoted attribute may contain `>`. An unclosed tag is text. */
const markup = /<!--[\s\S]*?-->|<(?<close>\/?)(?<name>[a-z][a-z0-9-]*)(?<attributes>(?:"[^"]*"|'[^']*'|[^"'>])*)>/gi;
const inline = new Set(["a", "b", "code", "del", "em", "i", "s", "span", "strong", "sub", "sup", "time", "u"]);
const highlighting = /\sclass\s*=\s*["']?[^"']*\bhighlight\b/;
const alternative = /\salt\s*=\s*(?:"([^"]*)"|'([^']*)')/;

/**
 * Removes tags, decodes entities, and joins white space. Text in `<span class="highlight">` is a hit, and an image
 * becomes its alternative text. The result may contain control characters.
 */
export function highlightedText(html: string): HighlightedText {
  const parts: CellPart[] = [];
  /** For each open span, whether it is a highlight. */
  const spans: boolean[] = [];
  let afterSpace = true;
  const add = (text: string) => {
    const spaced = text.replace(/\s+/g, " ");
    const added = afterSpace ? spaced.replace(/^ /, "") : spaced;
    if (!added) return;
    afterSpace = added.endsWith(" ");
    const hit = spans.includes(true);
    const last = parts.at(-1);
    if (last?.isHit === hit) last.text += added;
    else parts.push({ text: added, isHit: hit });
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
  return new HighlightedText(parts.filter(({ text }) => text));
}
