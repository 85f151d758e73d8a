/** HTML in which nothing but this program's own text is markup. */
import { sanitizeLine } from "../../output/sanitize.ts";

/** Markup. Only `html` and `trusted` make it. */
export class Html {
  constructor(readonly markup: string) {}
}

type Part = Html | string | number | false | undefined | readonly Part[];

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
};

/**
 * Text as it may stand between tags and in quoted attributes. It is one line, and has lost what would hide or reorder
 * the text around it.
 */
const asText = (text: string): string => sanitizeLine(text).replace(/[&<>"'`]/g, (found) => entities[found] ?? "");

function written(part: Part): string {
  if (part instanceof Html) return part.markup;
  if (typeof part === "string") return asText(part);
  if (typeof part === "number") return String(part);
  return part ? part.map(written).join("") : "";
}

/** A template of markup: every value in it that is no markup itself is text. */
export const html = (markup: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(markup.map((text, at) => (at === 0 ? text : written(parts[at - 1]) + text)).join(""));

/** Markup out of files of this program. */
export const trusted = (markup: string): Html => new Html(markup);

/** Data for a script, in a form that cannot end the element it stands in. */
export const embedded = (data: unknown): Html =>
  new Html(
    JSON.stringify(data).replace(
      /[<>&\u2028\u2029]/g,
      (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
    ),
  );
