/** Reads the results of a run from its journal. */

import { byteLines } from "../common/byte-lines.ts";
import { failureFromRecord } from "../common/error-record.ts";
import { groupBy } from "../common/group-by.ts";
import type { Fields } from "../common/object-members.ts";
import { MiB } from "../common/unit-sizes.ts";
import { asError, Failure, Partial, systemErrorCode, Unknown, Usage } from "../errors.ts";
import { hasMasked } from "../notation/url-secrets.ts";
import type { Files } from "../world/world.ts";
import { appliedResult, type Change, type ChangeResult, unchangedResult, worstOf } from "./change.ts";
import type { Header, JournalEntry, RowCounts, RunKind } from "./journal.ts";
import { journalLine } from "./journal-line.ts";
import {
  type ChangeRow,
  isNonEmpty,
  type Request,
  requestOf,
  rowOfTask,
  type Task,
  type TaskKey,
  taskKey,
} from "./task.ts";

/** The text for a request that was being sent when the run ended. */
export const runEnded = (): Unknown =>
  new Unknown("the run ended before the answer came; the change may or may not have been applied", {
    outcome: "unknown",
  });

/** A request without a recorded answer. */
interface Sent {
  rows: readonly TaskKey[];
  operation: string;
  args: Record<string, unknown>;
  /** What its only change replaces. */
  from: Readonly<Record<string, unknown>> | undefined;
  /** Its rows that had no open question before. */
  newRows: readonly TaskKey[];
}

const unknown = (failure: Failure): ChangeResult => ({ outcome: "unknown", failure });
const refused = (error: Record<string, unknown>): ChangeResult => ({
  outcome: "refused",
  failure: failureFromRecord(error),
});

/** Returns the worst result of a row. A change without a record was not sent. */
function rowResult(results: readonly ChangeResult[], parts: number): ChangeResult {
  const worst = worstOf(results);
  if (worst !== "done" || results.length === parts) return results.find(({ outcome }) => outcome === worst)!;
  const failure = new Partial(`${results.length} of its ${parts} changes done, and the rest not sent`);
  return { outcome: "not_sent", failure };
}

/** Journals keep no secrets of URLs: the row has them. */
const withSecrets = (args: Fields, own: Fields): Fields =>
  Object.fromEntries(Object.entries(args).map(([name, value]) => [name, hasMasked(value) ? own[name] : value]));

export class JournalReplay {
  /** Undefined if the run ended before its first line was written. */
  header: Header | undefined;
  /** The number of rows that the header does not count. */
  moreRows = 0;
  /** The final counts, if the run finished. */
  finalCounts: RowCounts | undefined;
  /** The length up to the last complete line, in bytes. */
  length = 0;
  /** Ids of names when the run began, by kind and name. */
  readonly names = new Map<string, number>();
  /** The people of groups when the run began. */
  readonly people = new Map<number, readonly number[]>();
  /** The arguments of each row, if the run found its things itself. */
  rowArgs: readonly Record<string, unknown>[] | undefined;
  /** The number of the last request. */
  lastNumber = 0;
  /** The number of the request that was being sent when the run ended. */
  interruptedRequest: number | undefined;
  readonly #results = new Map<TaskKey, ChangeResult>();
  /** Tasks of requests that were not applied. */
  readonly #notApplied = new Set<TaskKey>();
  readonly #unanswered = new Map<number, Sent>();
  /** By row, the number of changes if there are several. */
  readonly #parts = new Map<number, number>();
  /** By task, the operation that was sent. */
  readonly #operations = new Map<TaskKey, string>();
  readonly #operationNames = new Map<string, string>();

  /** Returns the result of a task. Undefined if it must still be sent. */
  resultOf(key: TaskKey): ChangeResult | undefined {
    return this.#results.get(key);
  }

  /** The requests whose changes are unknown. */
  get unanswered(): readonly Omit<Sent, "newRows">[] {
    return [...this.#unanswered.values()].filter(({ rows }) => rows.some((key) => this.#isUnknown(key)));
  }

  #isUnknown(key: TaskKey): boolean {
    return this.#results.get(key)?.outcome === "unknown";
  }

  /** Returns the known results of rows. */
  rows(): Map<number, ChangeResult> {
    const byRow = groupBy([...this.#results.keys()], rowOfTask);
    const rowResultOf = (row: number, keys: readonly TaskKey[]) =>
      rowResult(
        keys.map((key) => this.#results.get(key)!),
        this.#parts.get(row) ?? 1,
      );
    return new Map([...byRow].map(([row, keys]) => [row, rowResultOf(row, keys)]));
  }

  /** An undo has taken back what was done: it is sent again. */
  forgetDone(): void {
    for (const [key, { outcome }] of this.#results) if (outcome === "done") this.#results.delete(key);
    this.finalCounts = undefined;
  }

  /** Returns the operations that a row has sent, by part. Undefined for parts that were not sent. */
  operationsOf(row: number): (string | undefined)[] {
    return Array.from({ length: this.#parts.get(row) ?? 1 }, (_, part) => this.#operations.get(taskKey(row, part)));
  }

  /** Returns the tasks that the run made. Those that were done already are not among them. */
  doneKeys(): TaskKey[] {
    return [...this.#results].flatMap(([key, result]) => (result.outcome === "done" && !result.unchanged ? [key] : []));
  }

  /** Returns whether a task to send may have been sent before. */
  wasSent(key: TaskKey): boolean {
    return this.#notApplied.has(key) || this.#isUnknown(key);
  }

  /** Rebuilds the requests without an answer, with the tasks that are still open. The latest comes first. */
  unansweredRequests(all: readonly ChangeRow[]): (Pick<Sent, "from"> & { sent: number; request: Request })[] {
    // An unchanged task needs no request, whatever happened to this one.
    const changes = new Map<TaskKey, Change>(
      all
        .flatMap(({ row, changes }) => changes.map((change, part) => [taskKey(row, part), change] as const))
        .filter(([key, change]) => this.#isUnknown(key) && !change.unchanged),
    );
    return [...this.#unanswered].reverse().flatMap(([sent, { rows, operation, args, from }]) => {
      const tasks = rows.flatMap((key): Task[] => {
        const change = changes.get(key);
        if (change?.operation.name !== operation) return [];
        changes.delete(key);
        return [{ key, change, isRepeated: true }];
      });
      if (!isNonEmpty(tasks)) return [];
      const request = requestOf(tasks);
      return [{ sent, from, request: { ...request, args: withSecrets(args, request.args) } }];
    });
  }

  learn(entry: Header | JournalEntry): void {
    if ("journal" in entry) this.header ??= entry;
    else if ("sent" in entry) this.#sent(entry);
    else if ("found" in entry) this.rowArgs = entry.found;
    else if ("name" in entry) this.names.set(`${entry.kind} ${entry.name}`, entry.is);
    else if ("people" in entry) this.people.set(entry.group, entry.people);
    else if ("returned" in entry) this.#forget(entry.returned);
    else if ("answered" in entry) this.#answered(entry);
    else if ("judged" in entry) this.#explainedRefusal(entry);
    else if ("unanswered" in entry) this.#unknown(entry.unanswered, entry.error);
    else if ("settled" in entry) this.#settled(entry);
    else if ("more" in entry) this.moreRows += entry.more;
    else if ("resumed" in entry) this.finalCounts = undefined;
    else this.finalCounts = entry.counts;
  }

  #sent({ sent, rows, parts, operation, args, from }: Extract<JournalEntry, { sent: number }>): void {
    this.lastNumber = Math.max(this.lastNumber, sent);
    this.interruptedRequest = sent;
    const newRows = rows.filter((key) => !this.#isUnknown(key));
    this.#unanswered.set(sent, { rows, operation, args, from, newRows });
    for (const key of newRows) this.#results.set(key, unknown(runEnded()));
    // Texts of JSON are not shared.
    const name = this.#operationNames.get(operation) ?? operation;
    this.#operationNames.set(name, name);
    for (const key of rows) this.#operations.set(key, name);
    for (const [n, key] of rows.entries()) if (parts && parts[n]! > 1) this.#parts.set(rowOfTask(key), parts[n]!);
  }

  /** Returns the rows of a request. Nothing more is open about it. */
  #close(sent: number): Sent | undefined {
    const request = this.#unanswered.get(sent);
    this.#unanswered.delete(sent);
    this.interruptedRequest = undefined;
    return request;
  }

  #answered(entry: Extract<JournalEntry, { answered: number }>): void {
    if (entry.outcome === "split") this.#forget(entry.answered);
    for (const [n, key] of (this.#close(entry.answered)?.rows ?? []).entries()) {
      if (entry.outcome === "refused") this.#results.set(key, refused(entry.error));
      else if (entry.outcome === "done") {
        const { answers, ignored = [] } = entry;
        this.#results.set(key, { outcome: "done", answer: answers[n] ?? answers[0] ?? {}, ignored });
      }
    }
  }

  #explainedRefusal(entry: Extract<JournalEntry, { judged: number }>): void {
    for (const [n, key] of entry.rows.entries())
      this.#results.set(key, entry.as === "refused" ? refused(entry.errors[n]!) : unchangedResult);
  }

  #settled(entry: Extract<JournalEntry, { settled: number }>): void {
    if (entry.as === "unknown") this.#unknown(entry.settled, entry.error);
    for (const key of this.#close(entry.settled)?.rows ?? []) {
      // A later request may have given some rows a result.
      if (entry.as === "unknown" || !this.#isUnknown(key)) continue;
      if (entry.as === "done") this.#results.set(key, appliedResult);
      else {
        this.#results.delete(key);
        this.#notApplied.add(key);
      }
    }
  }

  #unknown(sent: number, error: Record<string, unknown>): void {
    this.interruptedRequest = undefined;
    for (const key of this.#unanswered.get(sent)?.rows ?? [])
      if (this.#isUnknown(key)) this.#results.set(key, unknown(failureFromRecord(error)));
  }

  /** The request did nothing. Earlier questions stay open. */
  #forget(sent: number): void {
    for (const key of this.#close(sent)?.newRows ?? []) if (this.#isUnknown(key)) this.#results.delete(key);
  }
}

/** The largest length of a line in bytes. A request can contain a hundred drafts. */
const longest = 128 * MiB;

/** Reads a journal. A crash can cut the last line, which nothing relied on. Other damage throws `Usage`. */
export async function replayJournal(files: Files, path: string, kind: RunKind = "batch"): Promise<JournalReplay> {
  const damaged = (line: number): Usage =>
    new Usage(`${path}, line ${line}: not a journal of zulipctl ${kind}, or damaged`, {
      hint: "Nothing was sent. The journal does not tell what was done.",
    });
  const replay = new JournalReplay();
  let opening = "";
  try {
    for await (const { line, bytes, hasNewline } of byteLines(files.stream(path), { longest, tooLong: damaged })) {
      const text = bytes.toString("utf8");
      if (line === 1) opening = text;
      if (!hasNewline) break;
      const entry = journalLine(text);
      const isHeader = entry !== undefined && "journal" in entry;
      if (!entry || (line === 1) !== isHeader) throw damaged(line);
      if (isHeader && (entry.journal !== `zulipctl ${kind}` || entry.version !== 1)) throw damaged(line);
      replay.learn(entry);
      replay.length += bytes.length + 1;
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    const missing = systemErrorCode(error) === "ENOENT";
    throw new Usage(missing ? `journal not found: ${path}` : `cannot read ${path}: ${asError(error).message}`, {
      cause: error,
      ...(missing && { hint: "List runs with: zulipctl batch list" }),
    });
  }
  // A new journal may only overwrite the cut beginning of one.
  const beginning = `{"journal":"zulipctl ${kind}"`;
  const torn = opening.replace(/\0+$/, "").slice(0, beginning.length);
  if (!replay.header && !beginning.startsWith(torn)) throw damaged(1);
  return replay;
}
