/**
 * The journal of a run: one JSON object a line. Each request is on disk before it is sent, and each answer before it is
 * reported.
 */
import { errorRecord } from "../common/error-record.ts";
import { Usage } from "../errors.ts";
import { answerWithoutSecrets, type ChangeResult } from "./change.ts";
import { type Request, resultsOfTasks, type TaskKey } from "./task.ts";
import { concernsAll } from "./transport.ts";

export const runKinds = ["batch", "org apply", "users offboard", "messages delete", "messages move", "undo"] as const;

/** The command of the run. Only this command can read its rows. */
export type RunKind = (typeof runKinds)[number];

/** These commands compare again each time, so they are not resumed. */
export const comparesAgain = (kind: RunKind): boolean =>
  kind === "org apply" || kind === "users offboard" || kind === "undo";

export interface JournalFile {
  run: string;
  path: string;
  /** What `--resume` needs to find it again. */
  resumeName: string;
  kind: RunKind;
}

/** The first line: the run, and its input. */
export interface Header {
  journal: `zulipctl ${RunKind}`;
  version: 1;
  run: string;
  site: string;
  account: string;
  /** Hashes, so that the journal need not contain the file and the words. */
  input: string;
  words: string;
  rows: number;
  began: string;
  /** The lines of rows in the input. Each pair counts until the next: in `[[1, 2], [5, 8]]`, row 6 is line 9. */
  lines?: readonly RowLine[];
  /** The command line with masked secrets, for people. */
  command?: string;
}

/** The parts that must be equal to resume a run, and its command line for people. */
export type RunInput = Pick<Header, "site" | "account" | "input" | "words" | "rows" | "lines" | "command">;

type RowLine = readonly [row: number, line: number];

/** Returns the pairs where rows and lines begin to differ by another number. */
export const rowLines = (rows: readonly { row: number; line?: number }[]): RowLine[] => {
  const all: RowLine[] = [];
  let difference: number | undefined;
  for (const { row, line } of rows) {
    if (line === undefined || line - row === difference) continue;
    difference = line - row;
    all.push([row, line]);
  }
  return all;
};

/** Returns the line of a row. Undefined if the journal does not have it. */
export function lineOfRow(row: number, lines: readonly RowLine[] = []): number | undefined {
  const from = lines.findLast(([first]) => first <= row);
  return from && from[1] + row - from[0];
}

/** The number of rows by result. `conflict`: somebody else changed the thing first. */
export type RowCounts = Record<"done" | "refused" | "unknown" | "not_sent" | "invalid", number> & { conflict?: number };

/** The later lines. `sent` numbers requests from 1, and the others refer to that number. */
export type JournalEntry =
  /** The id of a name when the run began. */
  | { name: string; is: number; kind: string }
  /** The people that `group:<name>` stood for when the run began. */
  | { group: number; people: readonly number[] }
  /** The arguments of each row, if the run found its things itself. */
  | { found: readonly Record<string, unknown>[] }
  | { resumed: string }
  /** The number of rows that follow from the results of those in the header. */
  | { more: number }
  /** All rows are reported. */
  | { ended: string; counts: RowCounts }
  /** `parts`: the number of changes of rows with several. `from`: what the only change replaces. */
  | {
      sent: number;
      rows: TaskKey[];
      parts?: number[];
      operation: string;
      args: Record<string, unknown>;
      from?: Record<string, unknown>;
      again?: boolean;
    }
  /** It certainly did nothing, as if it was not sent. */
  | { returned: number }
  | { answered: number; outcome: "done"; answers: Record<string, unknown>[]; ignored?: string[] }
  | { answered: number; outcome: "refused"; error: Record<string, unknown> }
  /** A merged request was refused as a whole. Its parts are sent next. */
  | { answered: number; outcome: "split" }
  /** Results that a read found for rows of a refused request, with the error of refused rows. */
  | { judged: number; rows: TaskKey[]; as: "refused"; errors: Record<string, unknown>[] }
  | { judged: number; rows: TaskKey[]; as: "unchanged" }
  /** Nothing more follows. */
  | { unanswered: number; error: Record<string, unknown> }
  | { settled: number; as: "done" | "not_applied" }
  | { settled: number; as: "unknown"; error: Record<string, unknown> };

/** Recording resolves when the record is on disk. */
export interface Journal {
  /** Throws `Usage` if the journal belongs to another run now. */
  checkHeld(): void;
  /** Returns the number of the request. */
  writeSent(request: Request, from?: Readonly<Record<string, unknown>>): Promise<number>;
  write(entry: JournalEntry): Promise<void>;
}

export const alreadyExists = ({ path, kind }: Pick<JournalFile, "path" | "kind">): Usage =>
  new Usage(`the journal ${path} already exists`, {
    hint: comparesAgain(kind)
      ? "Choose another name with --journal."
      : `Resume it with --resume ${path}, or choose another name with --journal.`,
  });

/** Returns the record of a request, with masked secrets. */
export function sentEntry(
  sent: number,
  { operation, args, tasks }: Request,
  from?: Readonly<Record<string, unknown>>,
): JournalEntry {
  const isSecret = (name: string) => operation.params[name]?.secret === true;
  const masked = Object.keys(args).flatMap((name) => (isSecret(name) ? [[name, "[secret]"]] : []));
  const replaced = Object.entries(from ?? {}).filter(([name]) => !isSecret(name));
  return {
    sent,
    rows: tasks.map(({ key }) => key),
    ...(tasks.some(({ parts }) => parts) && { parts: tasks.map(({ parts = 1 }) => parts) }),
    operation: operation.name,
    args: { ...args, ...Object.fromEntries(masked) },
    ...(replaced.length && { from: Object.fromEntries(replaced) }),
    ...(tasks[0].isRepeated && { again: true }),
  };
}

export function answerEntry(sent: number, request: Request, result: ChangeResult): JournalEntry {
  if (result.outcome === "done") {
    const parts = request.operation.merging?.share ? resultsOfTasks(request, result) : [result];
    const answers = parts.map((part) =>
      part.outcome === "done" ? answerWithoutSecrets(request.operation, part.answer) : {},
    );
    return { answered: sent, outcome: "done", answers, ...(result.ignored.length && { ignored: result.ignored }) };
  }
  const error = errorRecord(result.failure);
  if (result.outcome === "unknown") return { unanswered: sent, error };
  // A rejected key says nothing about the change: it is sent again with another key.
  if (result.outcome === "not_sent" || concernsAll(result.failure)) return { returned: sent };
  return request.tasks.length > 1
    ? { answered: sent, outcome: "split" }
    : { answered: sent, outcome: "refused", error };
}
