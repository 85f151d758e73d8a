import { errorRecord } from "../common/error-record.ts";
import { groupBy } from "../common/group-by.ts";
import { hasMembers, membersOf } from "../common/object-members.ts";
import { type Details, Failure, Interrupted, signalCodes, Usage } from "../errors.ts";
import type { World } from "../world/world.ts";
import { Unwritable, unwritableFailure } from "./buffered-writer.ts";
import type { OutputOptions } from "./form.ts";
import { wrapping } from "./line.ts";
import { jsonText, sanitizeLine, sanitizeLines } from "./sanitize.ts";

/** How errors are printed. */
export interface ErrorStyle {
  form: "json" | "table";
  color: OutputOptions["color"];
  verbose: boolean;
}

interface ErrorDescription {
  exitCode: number;
  kind: string;
  message: string;
  details: Details;
}

/** Describes an error about a path. */
const reasons: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  ELOOP: "it leads through too many links",
  ENAMETOOLONG: "the name is too long",
  ENOTDIR: "a part of it is not a directory",
  EISDIR: "it is a directory",
  EROFS: "the file system is read-only",
};

const isUnusablePath = (error: unknown): error is { code: string; path: string } => {
  const { code, path } = membersOf(error);
  return typeof path === "string" && typeof code === "string" && Object.hasOwn(reasons, code);
};

const describeThrown = (error: unknown): string => {
  if (error instanceof Error) return `${error.name}: ${error.message}`;
  return typeof error === "object" ? jsonText(error) : String(error);
};

type ErrorWorld = Pick<World, "stderr" | "env" | "version"> & { signals?: Pick<World["signals"], "outcome"> };

/** Returns the message and exit code of any error. */
export function describeError(error: unknown, { version, signals }: ErrorWorld, verbose: boolean): ErrorDescription {
  const outcome = signals?.outcome;
  if (error instanceof Failure) return error;
  if (error instanceof Unwritable) return unwritableFailure(error);
  if (error instanceof Interrupted)
    return { exitCode: signalCodes[error.signal], kind: "cancelled", message: "Stopped.", details: {} };
  if (isUnusablePath(error) && outcome !== "unknown")
    return new Usage(`cannot use ${error.path}: ${reasons[error.code]}`);
  const bug = { exitCode: 70, kind: "bug" };
  if (error instanceof Error && "damaged" in error) return { ...bug, message: error.message, details: { outcome } };
  if (error instanceof Error && "incomplete" in error) {
    const hint = "It may have been upgraded or removed meanwhile. Run the command again, or reinstall zulipctl.";
    const message = `a part of zulipctl ${version} cannot be loaded: ${error.message}`;
    return { ...bug, message, details: { outcome, hint } };
  }
  const stack = verbose && error instanceof Error ? error.stack : undefined;
  const hint = verbose ? "Please report it with these lines." : "Please report it with what --verbose prints.";
  const message = `This is a bug in zulipctl ${version}: ${describeThrown(error)}`;
  return { ...bug, message, details: { outcome, hint, more: { stack } } };
}

/** The largest number of problems listed for one cause. */
const most = 10;

interface Problem {
  file?: unknown;
  line?: unknown;
  row?: unknown;
  column?: unknown;
  message?: unknown;
  hint?: unknown;
}

const problemOf = (value: unknown): Problem => (hasMembers(value) ? value : { message: String(value) });

/** Messages that differ only in names or numbers have the same cause. */
const causeOf = ({ column, message }: Problem): string =>
  `${typeof column === "string" ? column : ""} ${String(message)
    .replace(/"[^"]*"/g, '""')
    .replace(/\d+/g, "0")}`;

function lineOf(problem: Problem, others = 0): string {
  const { file, line, row, column, message } = problem;
  const where = [
    file,
    line && `line ${line}${others ? ` and ${others} ${others === 1 ? "other" : "others"}` : ""}`,
    row && `row ${row}`,
    column && `column ${column}`,
  ];
  const said = message === undefined ? jsonText(problem) : message;
  return [where.filter(Boolean).join(", "), said].filter(Boolean).join(": ");
}

const hintLines = ({ hint }: Problem): string[] => (hint === undefined ? [] : [`  ${hint}`]);

function groupLines(group: readonly Problem[]): string[] {
  const [first] = group;
  // If all have the same message, no place is listed.
  if (group.length > 1 && first?.line && group.every(({ message, column }) => message === first.message && !column))
    return [lineOf(first, group.length - 1), ...hintLines(first)];
  const more = group.length - most;
  const shown = group.slice(0, most);
  // One hint for the problems above it that have the same.
  const lines = shown.flatMap((problem, at) => [
    lineOf(problem),
    ...(problem.hint === shown[at + 1]?.hint ? [] : hintLines(problem)),
  ]);
  return [...lines, ...(more > 0 ? [`and ${more} more like these`] : [])];
}

const problemLines = (problems: readonly unknown[]): string[] =>
  [...groupBy(problems.map(problemOf), causeOf).values()].flatMap(groupLines);

/**
 * Writes an error to stderr: `zulipctl: …` with its hint, or a JSON object if the form is json. Returns the exit code.
 * `more.problems` of a failure follow its message. Other errors are bugs: `verbose` shows their stack. Never throws.
 */
export async function printError(
  error: unknown,
  { form, color, verbose }: ErrorStyle,
  world: ErrorWorld,
): Promise<number> {
  const { exitCode, kind, message, details } = describeError(error, world, verbose);
  const { more, hint } = details;
  // Errors in arguments or input are found before sending.
  const outcome = details.outcome ?? (kind === "usage" ? world.signals?.outcome : undefined);
  // Loaded on demand: every start loads this file.
  const { chalkFor, colorLevel } = await import("./color.ts");
  const wrap = await wrapping(world.stderr);
  const paint = chalkFor(colorLevel(color, world.stderr, world.env));
  const textForPeople = () => {
    const problems = Array.isArray(more?.problems) ? more.problems : [];
    const lines = [
      wrap(`${paint.bold.red("zulipctl:")} ${sanitizeLine(message)}`),
      ...problemLines(problems).map((line) => wrap(`  ${sanitizeLine(line)}`)),
      ...(hint ? [paint.dim(wrap(sanitizeLine(hint)))] : []),
      ...(kind === "bug" && more?.stack ? [sanitizeLines(String(more.stack))] : []),
    ];
    return lines.join("\n");
  };
  const text =
    form === "json"
      ? jsonText({ error: errorRecord({ exitCode, kind, message, details: { ...details, outcome } }) })
      : textForPeople();
  try {
    await world.stderr.write(`${text}\n`);
  } catch {
    // stderr is closed. The exit code still tells the result.
  }
  return exitCode;
}
