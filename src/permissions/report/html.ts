/** HTML templates. Only the text of this program becomes markup. */
import { sanitizeLine } from "../../output/sanitize.ts";

/** Markup, made only by `html` and `trusted`. */
export class Html {
  constructor(readonly markup: string) {}
}

type TemplatePart = Html | string | number | false | undefined | readonly TemplatePart[];

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
};

/**
 * Escapes text for content and quoted attributes. The text becomes one line, without characters that hide or reorder
 * other text.
 */
const escaped = (text: string): string => sanitizeLine(text).replace(/[&<>"'`]/g, (found) => entities[found] ?? "");

function markupOf(part: TemplatePart): string {
  if (part instanceof Html) return part.markup;
  if (typeof part === "string") return escaped(part);
  if (typeof part === "number") return String(part);
  return part ? part.map(markupOf).join("") : "";
}

/** A template. Values that are not markup are escaped. */
export const html = (markup: TemplateStringsArray, ...parts: readonly TemplatePart[]): Html =>
  new Html(markup.map((text, at) => (at === 0 ? text : markupOf(parts[at - 1]) + text)).join(""));

/** Marks the content of this program's own files as markup. */
export const trusted = (markup: string): Html => new Html(markup);

/** Writes data for a script so that it cannot end the script element. */
export const jsonData = (data: unknown): Html =>
  new Html(
    JSON.stringify(data).replace(
      /[<>&\u2028\u2029]/g,
      (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
    ),
  );
