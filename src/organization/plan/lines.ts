/** The lines of a paragraph of a plan. No sections, so that `undo` loads none. */
import type { ChalkInstance } from "chalk";
import type { Effect } from "../../model/setting.ts";

export type Sign = "+" | "~" | "-";

export interface Paragraph {
  readonly sign: Sign;
  /** `channel design`, or `4 channels`. */
  readonly title: string;
  /** The names of several things. */
  readonly names: readonly string[];
  readonly details: readonly string[];
  /** What the changes destroy or take from people. Of several things, each sentence says which it is about. */
  readonly destructive: readonly Effect[];
  readonly prune: boolean;
}

/** The mark of a line about something destructive. */
export const markOf = ({ irreversible }: Effect): string => (irreversible ? "!!" : "!");

/** The length of a line of names that is not wrapped. */
const lineLength = 100;

/** Returns lines such as `4 channels: design, general,`. `whole`: one line, which is wrapped later. */
export function titleLines({ sign, title, names }: Paragraph, whole = false): string[] {
  if (!names.length) return [`${sign} ${title}`];
  const lines: string[] = [];
  let line = `${sign} ${title}:`;
  for (const [n, name] of names.entries()) {
    const item = `${name}${n < names.length - 1 ? "," : ""}`;
    if (whole || n === 0 || line.length + item.length < lineLength) line += ` ${item}`;
    else {
      lines.push(line);
      line = `    ${item}`;
    }
  }
  return [...lines, line];
}

export const irreversibleFirst = (one: Effect, other: Effect): number =>
  Number(other.irreversible ?? false) - Number(one.irreversible ?? false);

interface Marks {
  readonly destructive?: unknown;
  readonly irreversible?: unknown;
}

/** Returns the counts of marked changes for a question: ` (3 destructive, 1 irreversible)`. Empty if none is marked. */
export function markCounts(changes: readonly Marks[]): string {
  const counts = (["destructive", "irreversible"] as const).flatMap((mark) => {
    const { length } = changes.filter((each) => each[mark]);
    return length ? [`${length} ${mark}`] : [];
  });
  return counts.length ? ` (${counts.join(", ")})` : "";
}

interface LineOptions {
  readonly chalk: ChalkInstance;
  /** Makes a line safe, and wraps it. Continuation lines are indented by `hanging`. */
  readonly folded: (line: string, hanging: number) => string;
  /** `folded` wraps. */
  readonly whole: boolean;
}

export function paragraphLines(one: Paragraph, { chalk, folded, whole }: LineOptions): string[] {
  const { sign, details, destructive, prune } = one;
  const paint = prune ? chalk.dim : sign === "+" ? chalk.green : sign === "-" ? chalk.red : chalk.yellow;
  return [
    ...titleLines(one, whole).map((line) => paint(folded(line, 4))),
    ...details.map((line) => folded(`    ${line}`, 6)),
    ...destructive.map((effect) => {
      const mark = markOf(effect);
      const paintMark = effect.irreversible ? chalk.bold.red : chalk.bold;
      return paintMark(folded(`  ${mark} ${effect.says}`, 3 + mark.length));
    }),
  ];
}
