/** Lines that fit a terminal. Loaded where there is one: to measure texts takes much that has to be made ready. */
import { textWidth } from "./width.ts";

/** Breaks between words, what follows the first line being indented by `hanging`. A word that is too long stays whole. */
export const folding =
  (columns: number) =>
  (line: string, hanging: number): string => {
    if (textWidth(line) <= columns) return line;
    const indent = /^ */.exec(line)?.[0] ?? "";
    const [first = "", ...words] = line.slice(indent.length).split(" ");
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
