/** Reads the results of a run from its journal. */
import { byteLines } from "../byte-lines.ts";
import { failureFromRecord } from "../error-record.ts";
import { asError, codeOf, Failure, Partial, Unknown, Usage } from "../errors.ts";
import type { Files } from "../world.ts";
import { type Change, type ChangeResult, unchanged } from "./change.ts";
import type { Counts, Entry, Header, RunKind } from "./journal.ts";
import { type ChangeRow, isSome, type Key, keyOf, type Request, requestOf, rowOf, type Task } from "./task.ts";

/** The text for a request that was being sent when the run ended. */
export const lost = (): Unknown =>
  new Unknown("the run ended before the answer came; the change may or may not have been applied", {
    outcome: "unknown",
  });

/** A request without a recorded answer. */
interface Sent {
  rows: readonly Key[];
  operation: string;
  args: Record<string, unknown>;
  /** Its rows that had no open question before. */
  fresh: Set<Key>;
  /** The run ended while it was being sent. */
  open: boolean;
}

/** A request without an answer, for the engine to settle. */
export interface Lost {
  sent: number;
  /** The request as it was sent, with the tasks that are still open. */
  request: Request;
}

export class JournalReplay {
  /** Undefined if the run ended before its first line was written. */
  header: Header | undefined;
  /** The final counts, if the run finished. */
  ended: Counts | undefined;
  /** The length up to the last complete line, in bytes. */
  end = 0;
  /** Ids of names when the run began, by kind and name. */
  readonly names = new Map<string, number>();
  /** The arguments of each row, if the run found its things itself. */
  found: readonly Record<string, unknown>[] | undefined;
  /** The number of the last request. */
  last = 0;
  readonly #finished = new Map<Key, ChangeResult>();
  readonly #doubtful = new Map<Key, Failure>();
  readonly #again = new Set<Key>();
  readonly #unanswered = new Map<number, Sent>();
  /** By row, the number of changes if there are several. */
  readonly #parts = new Map<number, number>();

  /** Returns the result of a task. Undefined if it must still be sent. */
  known(key: Key): ChangeResult | undefined {
    const failure = this.#doubtful.get(key);
    return failure ? { outcome: "unknown", failure } : this.#finished.get(key);
  }

  /**
   * Returns the known results of rows. A row with several changes has the worst result, and a change without a record
   * was not sent.
   */
  rows(): Map<number, ChangeResult> {
    const rank = { done: 0, not_sent: 1, refused: 2, unknown: 3 };
    const rows = new Map<number, ChangeResult>();
    const known = new Map<number, number>();
    for (const key of new Set([...this.#finished.keys(), ...this.#doubtful.keys()])) {
      const row = rowOf(key);
      const [before, result] = [rows.get(row), this.known(key)!];
      if (!before || rank[result.outcome] > rank[before.outcome]) rows.set(row, result);
      known.set(row, (known.get(row) ?? 0) + 1);
    }
    for (const [row, parts] of this.#parts) {
      const made = known.get(row) ?? 0;
      if (rows.get(row)?.outcome !== "done" || made >= parts) continue;
      const failure = new Partial(`${made} of its ${parts} changes done, and the rest not sent`);
      rows.set(row, { outcome: "not_sent", failure });
    }
    return rows;
  }

  /** Returns whether a task to send may have been sent before. */
  again(key: Key): boolean {
    return this.#again.has(key);
  }

  /** Returns the requests that were being sent when the run ended. */
  open(): number[] {
    return [...this.#unanswered].flatMap(([sent, { open }]) => (open ? [sent] : []));
  }

  /** Rebuilds the requests without an answer from their rows, the latest first. */
  lost(all: Iterable<ChangeRow>): Lost[] {
    if (!this.#unanswered.size) return [];
    const changes = new Map<Key, Change>();
    for (const { row, changes: parts } of all)
      for (const [part, change] of parts.entries()) {
        const key = keyOf(row, part);
        if (this.#doubtful.has(key)) changes.set(key, change);
      }
    const taken = new Set<Key>();
    return [...this.#unanswered].reverse().flatMap(([sent, { rows, operation, args }]) => {
      const tasks = rows.flatMap((key): Task[] => {
        const change = changes.get(key);
        // An unchanged task needs no request, whatever happened to this one.
        if (taken.has(key) || change?.operation.name !== operation || change.unchanged) return [];
        taken.add(key);
        return [{ key, change, again: true }];
      });
      return isSome(tasks) ? [{ sent, request: { ...requestOf(tasks), args } }] : [];
    });
  }

  /** False for an entry of an unknown kind. */
  learn(entry: Header | Entry): boolean {
    if ("journal" in entry) this.header ??= entry;
    else if ("sent" in entry) this.#sent(entry);
    else if ("found" in entry) this.found = entry.found;
    else if ("name" in entry) this.names.set(`${entry.kind} ${entry.name}`, entry.is);
    else if ("returned" in entry) this.#undone(entry.returned);
    else if ("answered" in entry) this.#answered(entry);
    else if ("judged" in entry) this.#judged(entry);
    else if ("unanswered" in entry) this.#doubt(entry.unanswered, failureFromRecord(entry.error));
    else if ("settled" in entry) this.#settled(entry);
    else if ("resumed" in entry) this.ended = undefined;
    else if ("ended" in entry) this.ended = entry.counts;
    else return false;
    return true;
  }

  #sent({ sent, rows, parts, operation, args, again }: Extract<Entry, { sent: number }>): void {
    this.last = Math.max(this.last, sent);
    const fresh = new Set(rows.filter((key) => !this.#doubtful.has(key)));
    this.#unanswered.set(sent, { rows, operation, args, fresh, open: true });
    for (const [n, key] of rows.entries()) {
      if (parts && parts[n]! > 1) this.#parts.set(rowOf(key), parts[n]!);
      if (again) this.#again.add(key);
      if (fresh.has(key)) this.#doubtful.set(key, lost());
    }
  }

  #answered(entry: Extract<Entry, { answered: number }>): void {
    if (entry.outcome === "split") {
      this.#undone(entry.answered);
      return;
    }
    const rows = this.#unanswered.get(entry.answered)?.rows ?? [];
    this.#unanswered.delete(entry.answered);
    if (entry.outcome === "refused") {
      const failure = failureFromRecord(entry.error);
      for (const key of rows) this.#finish(key, { outcome: "refused", failure });
      return;
    }
    const { answers, ignored = [] } = entry;
    for (const [n, key] of rows.entries())
      this.#finish(key, { outcome: "done", answer: answers[n] ?? answers[0] ?? {}, ignored });
  }

  #judged(entry: Extract<Entry, { judged: number }>): void {
    for (const [n, key] of entry.rows.entries())
      this.#finish(
        key,
        entry.as === "refused" ? { outcome: "refused", failure: failureFromRecord(entry.errors[n]!) } : unchanged,
      );
  }

  #settled(entry: Extract<Entry, { settled: number }>): void {
    if (entry.as === "unknown") this.#doubt(entry.settled, failureFromRecord(entry.error));
    // A later request may have settled some rows.
    else
      for (const key of this.#unanswered.get(entry.settled)?.rows ?? []) {
        if (!this.#doubtful.has(key)) continue;
        if (entry.as === "done") this.#finish(key, { outcome: "done", answer: {}, ignored: [] });
        else {
          this.#doubtful.delete(key);
          this.#again.add(key);
        }
      }
    this.#unanswered.delete(entry.settled);
  }

  #doubt(sent: number, failure: Failure): void {
    const request = this.#unanswered.get(sent);
    if (!request) return;
    request.open = false;
    for (const key of request.rows) if (this.#doubtful.has(key)) this.#doubtful.set(key, failure);
  }

  /** The request did nothing. Earlier questions stay open. */
  #undone(sent: number): void {
    for (const key of this.#unanswered.get(sent)?.fresh ?? []) this.#doubtful.delete(key);
    this.#unanswered.delete(sent);
  }

  #finish(key: Key, result: ChangeResult): void {
    this.#doubtful.delete(key);
    this.#again.delete(key);
    this.#finished.set(key, result);
  }
}

/** The largest length of a line in bytes. A request can contain a hundred drafts. */
const longest = 128 * 1024 * 1024;

/** Reads a journal. A crash can cut the last line, which nothing relied on. Other damage throws `Usage`. */
export async function replayJournal(files: Files, path: string, kind: RunKind = "batch"): Promise<JournalReplay> {
  const damaged = (line: number): Usage =>
    new Usage(`${path}, line ${line}: not a journal of zulipctl ${kind}, or damaged`, {
      hint: "Nothing was sent. The journal does not tell what was done.",
    });
  const replay = new JournalReplay();
  let opening = "";
  try {
    for await (const { line, bytes, ended } of byteLines(files.stream(path), { longest, tooLong: damaged })) {
      const text = bytes.toString("utf8");
      if (line === 1) opening = text;
      if (!ended) break;
      const entry = entryOf(text);
      const isHeader = entry !== undefined && "journal" in entry;
      if (!entry || (line === 1) !== isHeader) throw damaged(line);
      if (isHeader && (entry.journal !== `zulipctl ${kind}` || entry.version !== 1)) throw damaged(line);
      if (!replay.learn(entry)) throw damaged(line);
      replay.end += bytes.length + 1;
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    const missing = codeOf(error) === "ENOENT";
    throw new Usage(missing ? `journal not found: ${path}` : `cannot read ${path}: ${asError(error).message}`, {
      cause: error,
    });
  }
  // A new journal may only overwrite the cut beginning of one.
  const beginning = `{"journal":"zulipctl ${kind}"`;
  const torn = opening.replace(/\0+$/, "").slice(0, beginning.length);
  if (!replay.header && !beginning.startsWith(torn)) throw damaged(1);
  return replay;
}

function entryOf(line: string): Header | Entry | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === "object" && entry !== null ? (entry as Header | Entry) : undefined;
  } catch {
    return undefined;
  }
}
