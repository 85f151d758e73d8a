/** The text of a message that linkifiers search: its Markdown without code, mathematics, links and addresses. */

interface Run {
  /** The start in the message, in UTF-16 code units. */
  start: number;
  /** As long as in the message. Text that cannot match is replaced by U+0002, which ends matches. */
  text: string;
}

const fence = /^[ ]{0,3}(?<mark>`{3,}|~{3,})[ ]*(?<language>[^\s`]*)[^\n`]*$/;
const bullet = /^[ ]*(?:[*+-]|[0-9]+\.)[ ]+|^[ ]{0,3}#{1,6}[ ]+/;
const tableRow = /^[ ]*\|.*\|[ ]*$/;

/** In the order of the server. */
const maskedPatterns: readonly RegExp[] = [
  /(?<!\\)(`+)(?!`).+?(?<!`)\1(?!`)/gs,
  /\B(?<!\$)\$\$[^\n_$](?:\\\$|[^$\n])*\$\$(?!\$)\B/g,
  /<time:[^>]*>/g,
  /!?\[(?:[^[\]]|\[[^[\]]*\])*\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+(?:"[^"]*"|'[^']*'))?\)/g,
  /(?<![^\s'"(,:<])https?:\/\/[\w.:@-]+?(?:\/[^\s()"]*?(?:\([^\s()"]*\)[^\s()"]*?)*)?(?=[!:;?),.'">]*(?:$|\s))/gu,
  /(?<![^\s'"(,:<])[\w.-]+@[\w.-]+\.\w+(?=[!:;?),.'">]*(?:$|\s))/gu,
];

/** Replaces the text from `start` to `end` by U+0002. */
export const mask = (text: string, start: number, end: number): string =>
  text.slice(0, start) + "\u0002".repeat(end - start) + text.slice(end);

const withoutMarkup = (text: string): string =>
  maskedPatterns.reduce((left, kind) => left.replace(kind, (match) => "\u0002".repeat(match.length)), text);

/** Returns the lines of a message with their places, without code blocks. */
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
    // A fence or a line of code separates the text before and after it.
    if (mark || open?.code) yield { start: start + line.length, text: "" };
    start += line.length + 1;
  }
}

/** Returns paragraphs, items, headings and cells, trimmed. */
export function inlineRuns(text: string): Run[] {
  const runs: Run[] = [];
  let open: Run | undefined;
  for (const { start, text: line } of proseLines(text)) {
    // White space replaces the signs of quotation, so that lines keep their places.
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
    .map((run) => ({
      start: run.start + (run.text.length - run.text.trimStart().length),
      text: withoutMarkup(run.text.trim()),
    }))
    .filter((run) => run.text);
}
