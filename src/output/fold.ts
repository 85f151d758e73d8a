/** Wraps lines for a terminal. Loaded on demand, because measuring text needs large tables. */
import { textWidth } from "./width.ts";

/** Breaks lines between words. Continuation lines are indented by `hanging`. Long words stay whole. */
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
