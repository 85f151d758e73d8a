/** What is wrong with an input, for people: grouped by cause, the first of each told and the rest counted. */
import { jsonText } from "./json.ts";

/** How many of one cause are told. */
const most = 10;

interface Problem {
  file?: unknown;
  line?: unknown;
  column?: unknown;
  message?: unknown;
}

const problemOf = (value: unknown): Problem =>
  typeof value === "object" && value !== null ? value : { message: String(value) };

/** Messages that differ in a name or a number alone have one cause. */
const causeOf = ({ column, message }: Problem): string =>
  `${typeof column === "string" ? column : ""} ${String(message)
    .replace(/"[^"]*"/g, '""')
    .replace(/\d+/g, "0")}`;

function lineOf(problem: Problem, others = 0): string {
  const { file, line, column, message } = problem;
  const where = [
    file,
    line && `line ${line}${others ? ` and ${others} ${others === 1 ? "other" : "others"}` : ""}`,
    column && `column ${column}`,
  ];
  const said = message === undefined ? jsonText(problem) : message;
  return [where.filter(Boolean).join(", "), said].filter(Boolean).join(": ");
}

function groupLines(group: readonly Problem[]): string[] {
  const [first] = group;
  // No place in the input is to blame where all say the same and none names a column.
  if (group.length > 1 && first!.line && group.every(({ message, column }) => message === first!.message && !column))
    return [lineOf(first!, group.length - 1)];
  const more = group.length - most;
  return [
    ...group.slice(0, most).map((problem) => lineOf(problem)),
    ...(more > 0 ? [`and ${more} more like these`] : []),
  ];
}

export function problemLines(problems: readonly unknown[]): string[] {
  const groups = new Map<string, Problem[]>();
  for (const problem of problems.map(problemOf)) {
    const cause = causeOf(problem);
    const group = groups.get(cause);
    if (group) group.push(problem);
    else groups.set(cause, [problem]);
  }
  return [...groups.values()].flatMap(groupLines);
}
