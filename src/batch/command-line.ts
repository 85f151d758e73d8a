/** A command line as a shell would take it apart, with nothing expanded. */
import { split } from "shellwords-ts";
import { Usage } from "../errors.ts";

/** The line up to where a comment begins: a `#` at the beginning of a word, outside of quotes. */
function withoutComment(line: string): string {
  let quote = "";
  for (let at = 0; at < line.length; at++) {
    const letter = line[at]!;
    if (letter === "\\" && quote !== "'") at++;
    else if (quote) quote = letter === quote ? "" : quote;
    else if (letter === '"' || letter === "'") quote = letter;
    else if (letter === "#" && (at === 0 || /\s/.test(line[at - 1]!))) return line.slice(0, at);
  }
  return line;
}

/** Empty for blank lines and comments. Throws `Usage` for a quote that is not closed. */
export function wordsOf(line: string): { word: string; column: number }[] {
  const raws: string[] = [];
  const text = withoutComment(line).trimEnd();
  let parts: string[];
  try {
    parts = split(text, (raw) => raws.push(raw));
  } catch {
    throw new Usage("a quote is not closed on this line");
  }
  const words: { word: string; column: number }[] = [];
  let at = 0;
  for (const [n, raw] of raws.entries()) {
    const joined = n > 0 && !/\s$/.test(raws[n - 1]!);
    // The library takes an empty pair of quotes for the end of a word, also inside one.
    if (joined) words.at(-1)!.word += parts[n];
    else words.push({ word: parts[n]!, column: at + 1 + (raw.length - raw.trimStart().length) });
    at += raw.length;
  }
  return words;
}
