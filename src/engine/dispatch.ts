/** Sends one request and finds out its result. It writes the journal, and reads again if no answer came. */
import { errorRecord } from "../common/error-record.ts";
import { Failure, Refused, TooOld, Unknown, Unreachable, undefinedOnFailure } from "../errors.ts";
import { callOf } from "../wire/call.ts";
import { appliedResult, type Change, type ChangeResult, notSent } from "./change.ts";
import {
  type CheckResult,
  canCheck,
  checkUnanswered,
  entryOfCheck,
  explainRefusal,
  readState,
} from "./check-unanswered.ts";
import { Continued } from "./continued.ts";
import type { EngineOptions } from "./engine-options.ts";
import { answerEntry, type JournalEntry } from "./journal.ts";
import { runEnded } from "./journal-replay.ts";
import type { RequestSizes } from "./merging.ts";
import { sentChangeOf } from "./sent-change.ts";
import { type Request, resultsOfTasks, spellingOf, splitInHalves, type Task, type TaskAndResult } from "./task.ts";
import { concernsAll, type Transport } from "./transport.ts";

type FailedResult = ChangeResult & { failure: Failure };

/** The largest number of repetitions without an answer. */
const mostRepetitions = 5;

/** The result of a request: the results of some tasks, and the others, in parts to send next. */
interface Dispatched {
  results: readonly TaskAndResult[];
  rest: readonly (readonly Task[])[];
  /** The changes to make in place of a task whose thing exists already. */
  instead?: { task: Task; changes: readonly Change[] };
}

const all = (request: Request, result: ChangeResult): Dispatched => {
  const results = resultsOfTasks(request, result);
  return { results: request.tasks.map((task, n) => ({ task, result: results[n]! })), rest: [] };
};

/** The server refused it because of one or more tasks. */
const refused = (request: Request, result: FailedResult): Dispatched =>
  request.tasks.length > 1 && !(result.failure instanceof TooOld)
    ? { results: [], rest: splitInHalves(request.tasks) }
    : all(request, result);

/** The engine, as far as one request concerns it. */
interface Stoppable {
  readonly stopped: Failure | undefined;
  stop(failure: Failure): void;
  replacedBy(change: Change): Readonly<Record<string, unknown>> | undefined;
}

export class Dispatch {
  constructor(
    private readonly transport: Transport,
    private readonly options: Pick<EngineOptions, "journal" | "clock" | "signals" | "checkUnanswered">,
    private readonly sizes: RequestSizes,
    private readonly engine: Stoppable,
  ) {}

  /** Sends a request until the result of its tasks is known, or cannot be known. */
  async perform(first: Request): Promise<Dispatched> {
    const continued = new Continued(this.transport);
    for (let request = first, repetition = 1; ; repetition++) {
      const { sent, result } = await this.#send(request);
      const { continuation } = request.operation;
      if (result.outcome === "done" && sent !== undefined && continuation?.isUnfinished(result.answer)) {
        const progress = await continued.progress(request, continuation);
        if (progress !== "some") return this.#conclude(request, sent, progress);
        await this.record({ settled: sent, as: "not_applied" });
        if (this.engine.stopped) return all(request, notSent(this.engine.stopped));
        repetition = 0;
        continue;
      }
      if (result.outcome !== "unknown" || sent === undefined) return this.#conclude(request, sent, result);
      await this.record({ unanswered: sent, error: errorRecord(result.failure) });
      const checked = await this.checkUnanswered(request);
      await this.record(entryOfCheck(sent, checked, result.failure));
      if (checked === "applied") return all(request, appliedResult);
      if (checked !== "not_applied") return all(request, result);
      request = withoutEarlierFailure(request);
      if (this.engine.stopped) return all(request, notSent(this.engine.stopped));
      if (repetition >= mostRepetitions) return this.#giveUp(request, result.failure, repetition);
    }
  }

  async #send(request: Request): Promise<{ sent: number | undefined; result: ChangeResult }> {
    const { clock } = this.options;
    let sent: number | undefined;
    let sentAt = 0;
    const beforeSend = async () => {
      sent = await this.#recordSending(request);
      sentAt = clock.monotonic();
    };
    const notApplied = async () => {
      if (sent !== undefined) await this.record({ returned: sent });
      sent = undefined;
    };
    const onFirstByte = () => this.options.journal?.checkHeld();
    const { verifyWith, newChannel, from, setLists, afterAdditions } = request.tasks[0].change;
    const judged = request.tasks.flatMap(({ change }) => change.judged ?? []);
    const words = { verifyWith, newChannel, from, judged };
    const sendable = { ...callOf(request), ...spellingOf(request), ...words, setLists, afterAdditions };
    const result = await this.transport.send(sendable, { beforeSend, onFirstByte, notApplied });
    if (sent !== undefined) {
      const answered = result.outcome === "done" || result.outcome === "refused";
      this.sizes.learn(request, answered ? clock.monotonic() - sentAt : undefined);
    }
    return { sent, result };
  }

  /** Keeps what is sent, in case the run ends before the answer. Returns the number of the request in the journal. */
  async #recordSending(request: Request): Promise<number> {
    const [{ change }, another] = request.tasks;
    const from = another ? undefined : this.engine.replacedBy(change);
    if (this.options.journal) return this.options.journal.writeSent(request, from);
    const result = { outcome: "unknown", failure: runEnded() } as const;
    const sending = another ? undefined : sentChangeOf({ ...change, args: request.args }, result, from);
    if (sending) await this.transport.onSending?.(sending);
    return 0;
  }

  /** An answer came, or the request was not sent. */
  async #conclude(request: Request, sent: number | undefined, result: ChangeResult): Promise<Dispatched> {
    if (result.outcome === "refused" && request.tasks[0].isRepeated && !concernsAll(result.failure))
      return this.#refusedAgain(request, sent, result);
    if (sent !== undefined) await this.record(answerEntry(sent, request, result));
    if (result.outcome === "done") return all(request, result);
    if (!concernsAll(result.failure)) return this.#refused(request, sent, result);
    this.engine.stop(result.failure);
    return all(request, result);
  }

  /** Reads which rows of a refused request are bad. If this does not tell, the request is split. */
  async #refused(request: Request, sent: number | undefined, result: FailedResult): Promise<Dispatched> {
    const { tasks, operation } = request;
    const [{ isUnexplained, change }] = tasks;
    const isReadable = tasks.length > 1 || change.ifChanged || change.already || operation.evidence;
    const reads = !isUnexplained && isReadable && result.failure instanceof Refused && !this.engine.stopped;
    if (!reads || sent === undefined) return refused(request, result);
    const found = await explainRefusal(this.transport, request, result.failure);
    if (!found) return refused(withMarks(request, { isUnexplained: true }), result);
    if (found.instead) return { results: [], rest: [], instead: { task: tasks[0], changes: found.instead } };
    const keysOf = (outcome: string) =>
      found.explained.flatMap(({ task, result }) => (result.outcome === outcome ? [task.key] : []));
    const [bad, unchanged] = [keysOf("refused"), keysOf("done")];
    const errors = found.explained.flatMap(({ result }) => ("failure" in result ? [errorRecord(result.failure)] : []));
    if (bad.length) await this.record({ judged: sent, rows: bad, as: "refused", errors });
    if (unchanged.length) await this.record({ judged: sent, rows: unchanged, as: "unchanged" });
    return { results: found.explained, rest: [found.rest.map((task) => ({ ...task, isUnexplained: true }))] };
  }

  /** A repetition can be refused because the first request was applied. */
  async #refusedAgain(request: Request, sent: number | undefined, result: FailedResult): Promise<Dispatched> {
    const record = (entry: (sent: number) => JournalEntry) => this.record(sent === undefined ? undefined : entry(sent));
    const state = canCheck(request) ? await undefinedOnFailure(readState(this.transport, request)) : undefined;
    if (state === "applied") {
      await record((sent) => ({ settled: sent, as: "done" }));
      return all(request, appliedResult);
    }
    if (state === "not_applied" || request.tasks.length > 1) {
      await record((sent) => answerEntry(sent, request, result));
      return refused(state === "not_applied" ? withoutEarlierFailure(request) : request, result);
    }
    const failure = new Unknown(`${result.failure.message}; it is unknown whether it was applied before`, {
      ...result.failure.details,
      outcome: "unknown",
      hint: `Check with: ${request.tasks[0].change.verifyWith}`,
    });
    const error = errorRecord(failure);
    // A later run can still find out.
    const isFinal = state === "mixed" || !canCheck(request);
    await record((sent) => (isFinal ? { settled: sent, as: "unknown", error } : { unanswered: sent, error }));
    return all(request, { outcome: "unknown", failure });
  }

  #giveUp(request: Request, { message, details }: Failure, times: number): Dispatched {
    const failure = new Unreachable(`${message.split(";")[0]}; it was sent ${times} times and not applied`, {
      request: details.request,
      outcome: "not_applied",
    });
    this.engine.stop(failure);
    return all(request, notSent(failure));
  }

  /** Its change counts as unanswered while it is read. */
  async checkUnanswered(request: Request): Promise<CheckResult> {
    const { signals } = this.options;
    signals.unansweredChanges++;
    try {
      return await checkUnanswered(this.transport, request, this.options);
    } finally {
      signals.unansweredChanges--;
    }
  }

  /** A journal that cannot be written ends the run, with the known results. */
  async record(entry: JournalEntry | undefined): Promise<void> {
    if (!entry) return;
    try {
      await this.options.journal?.write(entry);
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      this.engine.stop(failure);
    }
  }
}

const withMarks = (
  request: Request,
  marks: Pick<Task, "isRepeated" | "earlierFailure"> | Pick<Task, "isUnexplained">,
): Request => {
  const [first, ...others] = request.tasks.map((task) => ({ ...task, ...marks }));
  return { ...request, tasks: [first!, ...others] };
};

/** Returns the request without the mark that it may have been applied. */
const withoutEarlierFailure = (request: Request): Request =>
  withMarks(request, { isRepeated: true, earlierFailure: undefined });
