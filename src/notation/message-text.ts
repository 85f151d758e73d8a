/** The parts of a message in which linkifiers look for matches: its Markdown without code, mathematics, links and addresses. */

export interface Run {
  /** The start in the message, in UTF-16 code units. */
  start: number;
  /** As long as in the message. Text that is already taken is U+0002, which ends matches. */
  text: string;
}

const fence = /^[ ]{0,3}(?<mark>`{3,}|~{3,})[ ]*(?<language>[^\s`]*)[^\n`]*$/;
const bullet = /^[ ]*(?:[*+-]|[0-9]+\.)[ ]+|^[ ]{0,3}#{1,6}[ ]+/;
const tableRow = /^[ ]*\|.*\|[ ]*$/;

/** In the order of the server. */
const taken: readonly RegExp[] = [
  /(?<!\\)(`+)(?!`).+?(?<!`)\1(?!`)/gs,
  /\B(?<!\$)\$\$[^\n_$](?:\\\$|[^$\n])*\$\$(?!\$)\B/g,
  /<time:[^>]*>/g,
  /!?\[(?:[^[\]]|\[[^[\]]*\])*\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+(?:"[^"]*"|'[^']*'))?\)/g,
  /(?<![^\s'"(,:<])https?:\/\/[\w.:@-]+?(?:\/[^\s()"]*?(?:\([^\s()"]*\)[^\s()"]*?)*)?(?=[!:;?),.'">]*(?:$|\s))/gu,
  /(?<![^\s'"(,:<])[\w.-]+@[\w.-]+\.\w+(?=[!:;?),.'">]*(?:$|\s))/gu,
];

/** The text with U+0002 from `start` up to `end`. */
export const masked = (text: string, start: number, end: number): string =>
  text.slice(0, start) + "\u0002".repeat(end - start) + text.slice(end);

/** Handles several parts. */
export function maskedAll(text: string, parts: readonly (readonly [start: number, end: number])[]): string {
  let [left, from] = ["", 0];
  for (const [start, end] of parts.toSorted(([one], [other]) => one - other)) {
    left += text.slice(from, start) + "\u0002".repeat(Math.max(0, end - Math.max(from, start)));
    from = Math.max(from, end);
  }
  return left + text.slice(from);
}

const free = (text: string): string =>
  taken.reduce((left, kind) => left.replace(kind, (match) => "\u0002".repeat(match.length)), text);

/** The lines of a message with where they begin; those of code blocks are left out. */
function* proseLines(text: string): Generator<Run> {
  let start = 0;
  const fences: { mark: string; code: boolean }[] = [];
  for (const line of text.split("\n")) {
    const { mark, language = "" } = fence.exec(line)?.groups ?? {};
    const open = fences.at(-1);
    const closes = open && mark && !language && mark[0] === open.mark[0] && mark.length >= open.mark.length;
    if (closes) fences.pop();
    else if (mark && !open?.code) {
      fences.push({ mark, code: !/^(?:quote|quoted|spoiler)$/.test(language) });
      // The text after the word is the heading of the spoiler.
      const heading = language === "spoiler" ? line.indexOf(language) + language.length : line.length;
      yield { start: start + heading, text: line.slice(heading) };
    } else if (!open?.code) yield { start, text: line };
    // A fence or a line of code parts what is before it from what follows.
    if (mark || open?.code) yield { start: start + line.length, text: "" };
    start += line.length + 1;
  }
}

/** Paragraphs, items, headings and cells: white space around them is gone. */
export function inlineRuns(text: string): Run[] {
  const runs: Run[] = [];
  let open: Run | undefined;
  for (const { start, text: line } of proseLines(text)) {
    // Signs of quotation stand for white space, so that lines keep their places.
    const plain = line.replace(/^[ ]*(?:>[ ]?)+/, (signs) => " ".repeat(signs.length));
    const lead = bullet.exec(plain)?.[0].length ?? 0;
    if (!plain.trim()) open = undefined;
    else if (tableRow.test(plain)) {
      open = undefined;
      let at = start;
      for (const cell of plain.split("|")) {
        runs.push({ start: at, text: cell });
        at += cell.length + 1;
      }
    } else if (open && !lead) open.text += `\n${plain}`;
    else {
      open = { start: start + lead, text: plain.slice(lead) };
      runs.push(open);
    }
  }
  return runs
    .map((run) => ({ start: run.start + (run.text.length - run.text.trimStart().length), text: free(run.text.trim()) }))
    .filter((run) => run.text);
}
