/**
 * What a run has sent and heard, one JSON object a line, each on disk before the run relies on it: what was sent is
 * recorded before it leaves, what was answered before it is reported.
 */
import { errorRecord } from "../error-record.ts";
import { asError, codeOf, Usage } from "../errors.ts";
import { jsonText } from "../output/json.ts";
import type { Files, Lock } from "../world.ts";
import type { Log } from "../writing.ts";
import type { ChangeResult } from "./change.ts";
import { type Key, type Request, shares } from "./task.ts";
import { concernsAll } from "./transport.ts";

/** The command whose run it is: what its rows are, no other knows. */
export type JournalKind = "zulipctl batch" | "zulipctl org apply";

/** The first line: which run of which input this is. */
export interface Header {
  journal: JournalKind;
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

/** How many rows came to what. */
export type Counts = Record<"done" | "refused" | "unknown" | "not_sent" | "invalid", number>;

/** The later lines. `sent` numbers requests from 1; the others refer to that number. */
export type Entry =
  /** What a name meant when the run began. */
  | { name: string; is: number; kind: string }
  | { resumed: string }
  /** The run has told what became of every row. */
  | { ended: string; counts: Counts }
  /** `parts`: how many changes each of these rows has, where one has several. */
  | { sent: number; rows: Key[]; parts?: number[]; operation: string; args: Record<string, unknown>; again?: true }
  /** It certainly did nothing, and is as if it had not been sent. */
  | { returned: number }
  | { answered: number; outcome: "done"; answers: Record<string, unknown>[]; ignored?: string[] }
  | { answered: number; outcome: "refused"; error: Record<string, unknown> }
  /** The whole of a merged request was refused; its parts are sent next. */
  | { answered: number; outcome: "split" }
  /** What a read has told of rows of a refused request, each with its error where they are refused. */
  | { judged: number; rows: Key[]; as: "refused"; errors: Record<string, unknown>[] }
  | { judged: number; rows: Key[]; as: "unchanged" }
  /** Nothing more will come. */
  | { unanswered: number; error: Record<string, unknown> }
  | { settled: number; as: "done" | "not_applied" }
  | { settled: number; as: "unknown"; error: Record<string, unknown> };

/** What records resolves when the record is on disk. */
export interface Journal {
  /** Throws `Usage` where the journal is no longer this run's. */
  check(): void;
  /** Gives the request's number. */
  sent(request: Request): Promise<number>;
  write(entry: Entry): Promise<void>;
}

/** For commands that are over before anything could be resumed. */
export const noJournal: Journal = { check: () => undefined, sent: async () => 0, write: async () => undefined };

/** Arguments as they may be kept: secrets masked. */
const kept = ({ operation, args }: Request): Record<string, unknown> => {
  const secrets = Object.keys(args).filter((name) => operation.params[name]?.secret);
  return secrets.length ? { ...args, ...Object.fromEntries(secrets.map((name) => [name, "[secret]"])) } : args;
};

export class FileJournal implements Journal {
  readonly #log: Log;
  readonly #path: string;
  readonly #lock: Lock;
  #last: number;

  private constructor(log: Log, { path, lock }: Place, last: number) {
    this.#log = log;
    this.#path = path;
    this.#lock = lock;
    this.#last = last;
  }

  /** A new file, which must not exist yet. */
  static async start(files: Files, place: Place, header: Header, entries: readonly Entry[]): Promise<FileJournal> {
    const { path } = place;
    insist(place);
    const log = await files.append(path, { exclusive: true }).catch((error) => {
      if (codeOf(error) !== "EEXIST") throw unwritable(path, error);
      throw alreadyThere(path);
    });
    const journal = new FileJournal(log, place, 0);
    await journal.#writeAll([header, ...entries]);
    return journal;
  }

  /** Goes on after the last whole line. `header` is written where a crash has left none. */
  static async resume(
    files: Files,
    place: Place,
    { end, last }: { end: number; last: number },
    entries: readonly (Header | Entry)[],
  ): Promise<FileJournal> {
    const { path } = place;
    insist(place);
    const log = await files.append(path, { truncateTo: end }).catch((error) => {
      throw unwritable(path, error);
    });
    const journal = new FileJournal(log, place, last);
    await journal.#writeAll(entries);
    return journal;
  }

  check(): void {
    insist({ path: this.#path, lock: this.#lock });
  }

  async sent(request: Request): Promise<number> {
    const sent = ++this.#last;
    const rows = request.tasks.map(({ key }) => key);
    const again = request.again ? { again: true as const } : {};
    const several = request.tasks.some(({ parts }) => parts);
    const parts = several ? { parts: request.tasks.map(({ parts = 1 }) => parts) } : {};
    const entry = { sent, rows, ...parts, operation: request.operation.name, args: kept(request), ...again };
    await this.#writeAll([entry]);
    return sent;
  }

  async write(entry: Entry): Promise<void> {
    await this.#writeAll([entry]);
  }

  async #writeAll(entries: readonly (Entry | Header)[]): Promise<void> {
    // Whoever has taken the journal over alone writes to it.
    this.check();
    try {
      let text = "";
      for (const entry of entries) text += `${jsonText(entry)}\n`;
      await this.#log.append(text);
      await this.#log.sync();
    } catch (error) {
      throw unwritable(this.#path, error);
    }
  }

  close(): Promise<void> {
    return this.#log.close();
  }
}

/** A journal and the lock that makes it this run's. */
export interface Place {
  path: string;
  lock: Lock;
}

function insist({ path, lock }: Place): void {
  if (lock.held()) return;
  throw new Usage(`the journal ${path} is no longer this run's: its lock was taken by another run, or removed`, {
    hint: "The other run knows what this one had sent.",
    outcome: "not_sent",
  });
}

/** A journal is one run's, which only `--resume` takes up again. */
export const alreadyThere = (path: string): Usage =>
  new Usage(`the journal ${path} already exists`, {
    hint: `Resume it with --resume ${path}, or choose another name with --journal.`,
  });

export const elsewhere =
  "ZULIPCTL_STATE_DIR names another directory for journals, --journal <file> another file for this one.";

const unwritable = (path: string, cause: unknown): Usage =>
  new Usage(`cannot write the journal ${path}: ${asError(cause).message}`, {
    cause,
    hint: elsewhere,
    outcome: "not_sent",
  });

/** How an answer, or the want of one, is recorded. */
export function conclusion(sent: number, request: Request, result: ChangeResult): Entry {
  if (result.outcome === "done") {
    const parts = request.operation.merging?.share ? shares(request, result) : [result];
    const answers = parts.map((part) => (part.outcome === "done" ? part.answer : {}));
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
