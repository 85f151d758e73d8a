/** Lines that fit a terminal. Loaded where there is one: to measure texts takes much that has to be made ready. */
import { textWidth } from "../../output/width.ts";

/** Breaks between words, what follows the first line being indented by `hanging`. A word that is too long stays whole. */
export const folding =
  (columns: number) =>
  (line: string, hanging: number): string =>
    folded(line, columns, hanging);

function folded(line: string, columns: number, hanging: number): string {
  if (textWidth(line) <= columns) return line;
  const indent = /^ */.exec(line)![0];
  const lines: string[] = [];
  let current = indent;
  let width = textWidth(indent);
  let begun = false;
  for (const word of line.slice(indent.length).split(" ")) {
    const more = textWidth(word) + (begun ? 1 : 0);
    if (begun && width + more > columns) {
      lines.push(current);
      current = `${" ".repeat(hanging)}${word}`;
      width = hanging + textWidth(word);
    } else {
      current += `${begun ? " " : ""}${word}`;
      width += more;
    }
    begun = true;
  }
  return [...lines, current].join("\n");
}
