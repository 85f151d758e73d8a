/**
 * What a run has sent and heard, one JSON object a line, each on disk before the run relies on it: what was sent is
 * recorded before it leaves, what was answered before it is reported.
 */
import { errorRecord } from "../error-record.ts";
import { Usage } from "../errors.ts";
import { type ChangeResult, withoutSecrets } from "./change.ts";
import { type Key, type Request, shares } from "./task.ts";
import { concernsAll } from "./transport.ts";

export const runKinds = ["batch", "org apply", "users offboard", "messages delete", "messages move"] as const;

/** The command whose run it is. Only that command knows what its rows are. */
export type RunKind = (typeof runKinds)[number];

export interface JournalPlace {
  run: string;
  path: string;
  /** What `--resume` takes to find it again. */
  again: string;
  kind: RunKind;
}

/** The first line: which run of which input this is. */
export interface Header {
  journal: `zulipctl ${RunKind}`;
  version: 1;
  run: string;
  site: string;
  account: string;
  /** Hashes, so that neither the file nor the words need be kept. */
  input: string;
  words: string;
  rows: number;
  began: string;
  /** As it was typed, secrets masked: for people. */
  command?: string;
}

/** What must be the same for a run to be resumed, and its command line for people. */
export type RunInput = Pick<Header, "site" | "account" | "input" | "words" | "rows" | "command">;

/** How many rows came to what. */
export type Counts = Record<"done" | "refused" | "unknown" | "not_sent" | "invalid", number>;

/** The later lines. `sent` numbers requests from 1; the others refer to that number. */
export type Entry =
  /** What a name meant when the run began. */
  | { name: string; is: number; kind: string }
  /** The arguments of each row of a run that found its things itself. */
  | { found: readonly Record<string, unknown>[] }
  | { resumed: string }
  /** The run has reported every row. */
  | { ended: string; counts: Counts }
  /** `parts`: how many changes each of these rows has, where one has several. */
  | { sent: number; rows: Key[]; parts?: number[]; operation: string; args: Record<string, unknown>; again?: boolean }
  /** It certainly did nothing, and is as if it had not been sent. */
  | { returned: number }
  | { answered: number; outcome: "done"; answers: Record<string, unknown>[]; ignored?: string[] }
  | { answered: number; outcome: "refused"; error: Record<string, unknown> }
  /** The whole of a merged request was refused; its parts are sent next. */
  | { answered: number; outcome: "split" }
  /** What a read has shown of rows of a refused request, each with its error where they are refused. */
  | { judged: number; rows: Key[]; as: "refused"; errors: Record<string, unknown>[] }
  | { judged: number; rows: Key[]; as: "unchanged" }
  /** Nothing more will come. */
  | { unanswered: number; error: Record<string, unknown> }
  | { settled: number; as: "done" | "not_applied" }
  | { settled: number; as: "unknown"; error: Record<string, unknown> };

/** What records resolves when the record is on disk. */
export interface Journal {
  /** Throws `Usage` where the journal is no longer this run's. */
  checkHeld(): void;
  /** Gives the request's number. */
  sent(request: Request): Promise<number>;
  write(entry: Entry): Promise<void>;
}

/** For commands that are over before anything could be resumed. */
export const noJournal: Journal = { checkHeld: () => undefined, sent: async () => 0, write: async () => undefined };

export const alreadyExists = (path: string): Usage =>
  new Usage(`the journal ${path} already exists`, {
    hint: `Resume it with --resume ${path}, or choose another name with --journal.`,
  });

/** What records a request before it is sent: secrets masked. */
export function sentEntry(sent: number, { operation, args, tasks, again }: Request): Entry {
  const masked = Object.keys(args).flatMap((name) => (operation.params[name]?.secret ? [[name, "[secret]"]] : []));
  return {
    sent,
    rows: tasks.map(({ key }) => key),
    ...(tasks.some(({ parts }) => parts) && { parts: tasks.map(({ parts = 1 }) => parts) }),
    operation: operation.name,
    args: { ...args, ...Object.fromEntries(masked) },
    ...(again && { again }),
  };
}

/** How an answer, or the want of one, is recorded. */
export function conclusion(sent: number, request: Request, result: ChangeResult): Entry {
  if (result.outcome === "done") {
    const parts = request.operation.merging?.share ? shares(request, result) : [result];
    const answers = parts.map((part) =>
      part.outcome === "done" ? withoutSecrets(request.operation, part.answer) : {},
    );
    return { answered: sent, outcome: "done", answers, ...(result.ignored.length && { ignored: result.ignored }) };
  }
  const error = errorRecord(result.failure);
  if (result.outcome === "unknown") return { unanswered: sent, error };
  // A refused key says nothing about the change: with another key it is sent anew.
  if (result.outcome === "not_sent" || concernsAll(result.failure)) return { returned: sent };
  return request.tasks.length > 1
    ? { answered: sent, outcome: "split" }
    : { answered: sent, outcome: "refused", error };
}
