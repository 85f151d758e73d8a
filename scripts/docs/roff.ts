/** Text for a page of the manual, in the man(7) language, which groff and mandoc both read. */

const special: Readonly<Record<string, string>> = {
  "\\": "\\e",
  "“": "\\(lq",
  "”": "\\(rq",
  "–": "\\(en",
  "…": "...",
  "×": "\\(mu",
  "→": "\\(->",
};

const foreign = (letter: string): string =>
  special[letter] ?? `\\[u${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}]`;

/** A line that begins with a period or an apostrophe would be a request. */
const shielded = (line: string): string => line.replace(/^(?=[.'])/, "\\&");

/** Formats text to type. The terminal must show it unchanged, so that it can be pasted. */
export const code = (text: string): string =>
  shielded(
    text
      .replace(/\\|[^\x20-\x7e]/gu, foreign)
      .replaceAll("-", "\\-")
      .replaceAll("'", "\\(aq")
      .replaceAll("`", "\\(ga")
      .replaceAll("^", "\\(ha")
      .replaceAll("~", "\\(ti"),
  );

/** Breaks lines at 80 columns. A page is filled again when it is shown. */
function wrapped(text: string): string {
  const lines: string[] = [""];
  for (const word of text.split(" "))
    if (lines.at(-1) && lines.at(-1)!.length + word.length > 74) lines.push(word);
    else lines.push([lines.pop(), word].filter(Boolean).join(" "));
  return lines.map(shielded).join("\n");
}

/** Formats running text. Lines may break at hyphens, but not in flags. */
export const prose = (text: string): string =>
  wrapped(
    text
      .split(/(?<![\w-])(--?[a-zA-Z][\w-]*)/)
      .map((part, n) => (n % 2 ? code(part) : part.replace(/\\|[^\x20-\x7e]/gu, foreign).replaceAll("'", "\\(aq")))
      .join(""),
  );

/** Lines of running text, each with its indentation. */
export const lines = (text: string): string =>
  text
    .split("\n")
    .map((line) => (line ? "\\ ".repeat(line.search(/\S/)) + prose(line.trimStart()) : ""))
    .join("\n.br\n")
    .replaceAll("\n.br\n\n.br\n", "\n.PP\n");

export const bold = (text: string): string => `\\fB${code(text)}\\fR`;
export const italic = (text: string): string => `\\fI${code(text)}\\fR`;

/** Formats names and placeholders differently: `--folder <folder>`. */
export const term = (text: string): string =>
  text
    .split(/(<[^>]*>|\[[^\]]*\])/)
    .map((part, n) => {
      if (n % 2) return italic(part);
      return part.replace(/\S+/g, (word) => (/^[,|]$/.test(word) ? word : bold(word)));
    })
    .join("");

export const section = (heading: string, ...lines: string[]): string[] => [`.SH ${heading}`, ...lines];

/** Formats a term with its meaning below it. */
export const item = (head: string, says: string): string[] => [".TP", head, says];

/** Formats lines to type. */
export const typed = (lines: readonly string[]): string[] => [".PP", ".RS 4", ".nf", ...lines.map(code), ".fi", ".RE"];

export function page(name: string, version: string, lines: readonly string[]): string {
  // Without a date, so that the page does not change every day.
  const head = `.TH ${name.toUpperCase().replaceAll("-", "\\-")} 1 "" "zulipctl ${version}" "zulipctl"`;
  return `${[head, ...lines].join("\n")}\n`;
}
