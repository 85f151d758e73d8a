/** Measures and wraps text in terminal columns. Loaded on demand, because it needs large tables. */

import stringWidth from "string-width";
import { latin } from "./sanitize.ts";

/** Returns the width of one line without control characters. */
export const textWidth = (text: string): number => (latin.test(text) ? text.length : stringWidth(text));

/** Returns the words of a line. A command at its end is one word: people paste it, and a line break would cut it. */
function wordsOf(line: string): string[] {
  const at = line.search(/(?<=: )zulipctl (?!.*\. [A-Z])/);
  return at < 0 ? line.split(" ") : [...line.slice(0, at - 1).split(" "), line.slice(at)];
}

/** Breaks lines between words. Continuation lines are indented by `hanging`. Long words stay whole. */
export const folding =
  (columns: number) =>
  (line: string, hanging: number): string => {
    if (textWidth(line) <= columns) return line;
    const indent = /^ */.exec(line)?.[0] ?? "";
    const [first = "", ...words] = wordsOf(line.slice(indent.length));
    const lines: string[] = [];
    let current = indent + first;
    for (const word of words) {
      if (textWidth(`${current} ${word}`) <= columns) current += ` ${word}`;
      else {
        lines.push(current);
        current = " ".repeat(hanging) + word;
      }
    }
    return [...lines, current].join("\n");
  };
