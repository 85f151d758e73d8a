/**
 * Writes text of others in Markdown. It is always code, so it becomes no link, mention or HTML, and cannot end its
 * block.
 */
import { counted } from "../common/counted.ts";
import { escaped, sanitizeLine } from "./sanitize.ts";

/** The longest line of a comment. */
const longestLine = 500;
const longestSpan = 200;

/** Shows invisible characters: they make a name different. */
function lineOf(text: string, most: number): string {
  const line = sanitizeLine(escaped(text));
  return line.length > most ? `${line.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "")}…` : line;
}

/** Longer than any run of backticks in the text. */
function fenceOf(text: string, least: number): string {
  const runs = [...text.matchAll(/`+/g)].map(([run]) => run.length);
  return "`".repeat(Math.max(least, ...runs.map((length) => length + 1)));
}

/** Formats text within a line. */
export function codeSpan(text: string): string {
  const line = lineOf(text, longestSpan);
  const fence = fenceOf(line, 1);
  const space = /^[` ]|[` ]$|^$/.test(line) ? " " : "";
  return `${fence}${space}${line}${space}${fence}`;
}

/** Formats a list with a limited number of items. */
export function listOf(items: readonly string[], most: number): string[] {
  const more = items.length - most;
  return [...items.slice(0, most), ...(more > 0 ? [`… and ${more} more`] : [])].map((item) => `- ${item}`);
}

/** Returns the lines that fit. The last line counts those left out. */
export function codeBlock(all: readonly string[], { language, room }: { language: string; room: number }): string {
  const lines = all.map((line) => lineOf(line, longestLine));
  // The largest size of fences and the last line.
  let left = room - 2 * (longestLine + 1) - 100;
  const end = lines.findIndex((line) => {
    left -= line.length + 1;
    return left < 0;
  });
  const shown = end < 0 ? lines : [...lines.slice(0, end), `… and ${counted(lines.length - end, "more line")}`];
  const fence = fenceOf(shown.join("\n"), 3);
  return [`${fence}${language}`, ...shown, fence].join("\n");
}

/** A block that opens with a click. */
export const collapsible = (summary: string, block: string): string =>
  `<details>\n<summary>${summary}</summary>\n\n${block}\n\n</details>`;

/** An alert, as GitHub shows it. */
export const alert = (kind: "CAUTION" | "WARNING", lines: readonly string[]): string =>
  [`[!${kind}]`, ...lines].map((line) => `> ${line}`.trimEnd()).join("\n");

/** Formats text within a cell of a table. A backslash before `|` would end the cell. */
export const codeCell = (text: string): string =>
  codeSpan(text).replace(/\\?\|/g, (found) => (found === "|" ? "\\|" : "\\u007c"));

/** A table. `right`: the columns with numbers. */
export function table(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  right: (column: number) => boolean = () => false,
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(heads), line(heads.map((_, n) => (right(n) ? "---:" : "---"))), ...rows.map(line)].join("\n");
}
