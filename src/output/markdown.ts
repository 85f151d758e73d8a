/**
 * Text of others in Markdown. It always stands as code, where it is no link, mention or HTML and cannot end the block that
 * it is in.
 */
import { counted } from "../counted.ts";
import { escaped, sanitizeLine } from "./sanitize.ts";

/** Characters of one line: nobody reads more in a comment. */
const longestLine = 500;
const longestSpan = 200;

/** A name that differs by what nobody sees is another one. */
function lineOf(text: string, most: number): string {
  const line = sanitizeLine(escaped(text));
  return line.length > most ? `${line.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "")}…` : line;
}

/** Longer than any run of backticks in the text. */
function fenceOf(text: string, least: number): string {
  const runs = [...text.matchAll(/`+/g)].map(([run]) => run.length);
  return "`".repeat(Math.max(least, ...runs.map((length) => length + 1)));
}

/** Text within a line. */
export function codeSpan(text: string): string {
  const line = lineOf(text, longestSpan);
  const fence = fenceOf(line, 1);
  const space = /^[` ]|[` ]$|^$/.test(line) ? " " : "";
  return `${fence}${space}${line}${space}${fence}`;
}

/** A list with at most so many items. */
export function listOf(items: readonly string[], most: number): string[] {
  const more = items.length - most;
  return [...items.slice(0, most), ...(more > 0 ? [`… and ${more} more`] : [])].map((item) => `- ${item}`);
}

/** As many of the lines as there is room for; a last line says how many are left out. */
export function codeBlock(all: readonly string[], { language, room }: { language: string; room: number }): string {
  const lines = all.map((line) => lineOf(line, longestLine));
  // What the fences and the last line take at most.
  let left = room - 2 * (longestLine + 1) - 100;
  const end = lines.findIndex((line) => {
    left -= line.length + 1;
    return left < 0;
  });
  const shown = end < 0 ? lines : [...lines.slice(0, end), `… and ${counted(lines.length - end, "more line")}`];
  const fence = fenceOf(shown.join("\n"), 3);
  return [`${fence}${language}`, ...shown, fence].join("\n");
}

/** Opens with a click. */
export const collapsible = (summary: string, block: string): string =>
  `<details>\n<summary>${summary}</summary>\n\n${block}\n\n</details>`;

/** A box that stands out, as GitHub draws it. */
export const alert = (kind: "CAUTION" | "WARNING", lines: readonly string[]): string =>
  [`[!${kind}]`, ...lines].map((line) => `> ${line}`.trimEnd()).join("\n");
