/** Sends the changes of rows, one request after the other, and reports the result of each row. */
import { errorRecord } from "../common/error-record.ts";
import { Cancelled, type Failure, Partial, Refused, signalOf, Unknown, Unreachable } from "../errors.ts";
import {
  appliedResult,
  type Change,
  type ChangeResult,
  notSent,
  sentenceOf,
  unchangedResultOf,
  unchangedSentence,
} from "./change.ts";
import { entryOfCheck } from "./check-unanswered.ts";
import { Dependencies } from "./dependencies.ts";
import { Dispatch } from "./dispatch.ts";
import type { EngineOptions } from "./engine-options.ts";
import { runEnded } from "./journal-replay.ts";
import { groupsOf, RequestSizes } from "./merging.ts";
import { PreviousValues } from "./previous.ts";
import { singleResults } from "./result-summary.ts";
import { sentChangeOf, withoutIgnored } from "./sent-change.ts";
import { type ChangeRow, type Finished, isNonEmpty, requestOf, type Task, type TaskKey, taskKey } from "./task.ts";
import type { Transport } from "./transport.ts";

const defaultPortion = 5000;
/** The run stops after so many requests in a row without an answer. */
const mostUnanswered = 20;

/** Returns the result that reading has shown before the run. */
function resultOfReading(change: Change): ChangeResult | undefined {
  const { unchanged, reliesOnEarlier, refusal } = change;
  if (refusal !== undefined) return { outcome: "refused", failure: new Refused(refusal, { outcome: "not_sent" }) };
  return unchanged && !reliesOnEarlier ? unchangedResultOf(change) : undefined;
}

export class Engine<R extends ChangeRow = ChangeRow> {
  readonly #dispatch: Dispatch;
  readonly #sizes = new RequestSizes();
  readonly #dependencies = new Dependencies();
  readonly #previous: PreviousValues;
  readonly #results = new Map<TaskKey, ChangeResult>();
  #stopped: Failure | undefined;
  #failures = 0;
  /** The number of refusals of the account so far. Undefined after another result. */
  #refusedAlike: number | undefined = 0;
  #unansweredInARow = 0;

  constructor(
    private readonly transport: Transport,
    private readonly options: EngineOptions,
  ) {
    this.#previous = new PreviousValues(transport);
    this.#dispatch = new Dispatch(transport, options, this.#sizes, this);
  }

  /** Why nothing more is sent. Undefined while sending continues. */
  get stopped(): Failure | undefined {
    const { stop } = this.options.signals;
    if (stop.aborted) this.stop(new Cancelled("interrupted", signalOf(stop.reason), { outcome: "not_sent" }));
    return this.#stopped;
  }

  /** The first reason counts. */
  stop(why: Failure): void {
    this.#stopped ??= why;
  }

  /** Returns what a change replaces, as far as it was read. */
  replacedBy(change: Change): Readonly<Record<string, unknown>> | undefined {
    return this.#previous.of(change);
  }

  /** Yields the result of each row, in their order. Throws only bugs. `order`: the order of changes. */
  async *run(rows: readonly R[], order = this.options.order): AsyncGenerator<Finished<R>> {
    await this.#recover(rows);
    const { portion = order ? rows.length : defaultPortion } = this.options;
    for (let from = 0; from < rows.length; from += portion) yield* this.#send(rows.slice(from, from + portion), order);
  }

  async *#send(rows: readonly R[], order?: readonly TaskKey[]): AsyncGenerator<Finished<R>> {
    const tasks = rows.flatMap((row) => this.#openTasks(row));
    const alone = tasks.length === 1 && rows.length === 1;
    if (!this.stopped)
      await this.#previous.read(
        tasks.map(({ change }) => change),
        alone,
      );
    const positions = new Map(order?.map((key, position) => [key, position]));
    if (order) tasks.sort((one, other) => positions.get(one.key)! - positions.get(other.key)!);
    const requests = this.#sizes.split(groupsOf(tasks, this.options.merge ?? true));
    for (const row of rows) {
      const keys = row.changes.map((_, part) => taskKey(row.row, part));
      while (!keys.every((key) => this.#results.has(key))) await this.#perform(requests.next().value);
      yield { row, results: keys.map((key) => this.#results.get(key)!) };
    }
    this.#results.clear();
  }

  /** Returns the changes of a row that have no result yet. */
  #openTasks(row: R): Task[] {
    const { replay } = this.options;
    return row.changes.flatMap((change, part) => {
      const key = taskKey(row.row, part);
      const earlier = replay?.resultOf(key);
      this.#dependencies.learnEarlier(change, earlier?.outcome);
      const earlierFailure = earlier?.outcome === "unknown" ? earlier.failure : undefined;
      const parts = row.changes.length > 1 ? row.changes.length : undefined;
      const task = { key, change, parts, isRepeated: replay?.wasSent(key) ?? false, earlierFailure };
      const result = earlier && !earlierFailure ? earlier : this.#resultWithoutSending(task, row.knownResults?.[part]);
      if (!result) return task;
      this.#conclude(task, result);
      return [];
    });
  }

  /** Returns a result that is known from reading, or stays unknown. */
  #resultWithoutSending(
    { change, earlierFailure }: Task,
    knownResult: ChangeResult | undefined,
  ): ChangeResult | undefined {
    const result = knownResult ?? resultOfReading(change);
    if (result?.outcome === "done" || !earlierFailure) return result;
    return this.options.retryUnknown ? undefined : this.#stillUnknown(earlierFailure, change);
  }

  /** It stays unknown, with the command that finds out. */
  #stillUnknown({ message, details }: Failure, { verifyWith }: Change): ChangeResult {
    this.options.signals.unansweredChanges++;
    const hint = details.hint ?? `Check with: ${verifyWith}`;
    return { outcome: "unknown", failure: new Unknown(message, { ...details, hint }) };
  }

  /** Sends tasks as one request. If it is refused, it is sent in parts. */
  async #perform(tasks: readonly Task[]): Promise<void> {
    const { stopped } = this;
    const open: Task[] = [];
    for (const task of tasks) {
      const verdict = stopped ? notSent(stopped) : this.#dependencies.blockedResult(task);
      if (verdict) this.#finish(task, verdict);
      else open.push(task);
    }
    if (!isNonEmpty(open)) return;
    const request = this.#dependencies.prepare(requestOf(open));
    if ("outcome" in request) {
      for (const task of open) this.#finish(task, request);
      return;
    }
    const { results: known, rest, instead } = await this.#dispatch.perform(request);
    for (const { task, result } of known) {
      this.#finish(task, result);
      this.#countAlike(result);
      if (result.outcome !== "refused") continue;
      const reason = await this.options.refusesAll?.(task.change, result.failure);
      if (reason) this.stop(reason);
    }
    this.#count(known.map(({ result }) => result.outcome));
    for (const each of rest) await this.#perform(each);
    if (instead) await this.#performInstead(instead.task, instead.changes);
  }

  /** Makes other changes in place of one, up to the first that is not done. */
  async #performInstead(task: Task, changes: readonly Change[]): Promise<void> {
    const sentences: string[] = [];
    for (const change of changes) {
      if (change.unchanged) {
        if (change.already) sentences.push(unchangedSentence(change));
        continue;
      }
      await this.#perform([{ ...task, change }]);
      const result = this.#results.get(task.key);
      if (result?.outcome !== "done") return;
      sentences.push(result.unchanged ? unchangedSentence(change) : sentenceOf(change, result.answer, result.ignored));
    }
    const answer = { ...changes[0]?.knownAnswer };
    this.#conclude(task, { outcome: "done", answer, ignored: [], sentence: sentences.join(" ") });
  }

  /** What refuses the first changes without exception refuses the others too. */
  #countAlike(result: ChangeResult): void {
    const { mostRefusedAlike } = this.options;
    if (mostRefusedAlike === undefined || this.#refusedAlike === undefined) return;
    if (result.outcome !== "refused" || result.failure.details.code !== "UNAUTHORIZED_PRINCIPAL") {
      this.#refusedAlike = undefined;
      return;
    }
    this.#refusedAlike++;
    if (this.#refusedAlike >= mostRefusedAlike)
      this.stop(new Partial(`${this.#refusedAlike} rows refused alike: ${result.failure.message}`));
  }

  #count(outcomes: readonly ChangeResult["outcome"][]): void {
    const { mostFailures = Number.POSITIVE_INFINITY, signals } = this.options;
    const failed = outcomes.filter((each) => each === "refused" || each === "unknown").length;
    this.#failures += failed;
    if (failed && this.#failures >= mostFailures)
      this.stop(new Partial(`stopped after ${this.#failures === 1 ? "a failure" : `${this.#failures} failures`}`));
    if (outcomes.includes("unknown")) {
      signals.unansweredChanges++;
      this.#unansweredInARow++;
    } else this.#unansweredInARow = 0;
    if (this.#unansweredInARow >= mostUnanswered)
      this.stop(new Unreachable(`the last ${mostUnanswered} requests got no answer`, { outcome: "not_sent" }));
  }

  /** A repetition that was not sent or was refused says nothing about the first request. */
  #finish(task: Task, result: ChangeResult): void {
    const { change, earlierFailure } = task;
    this.#dependencies.learn(change, result);
    this.#report(task, result);
    const open = earlierFailure && (result.outcome === "not_sent" || result.outcome === "refused");
    this.#conclude(task, open ? this.#stillUnknown(earlierFailure, change) : result);
  }

  #conclude(task: Task, result: ChangeResult): void {
    this.#dependencies.onResult(task, result);
    this.#results.set(task.key, result);
  }

  /** Logs results. An earlier run has logged its own. */
  #report({ key, change }: Task, result: ChangeResult, previous = this.#previous.of(change)): void {
    if (!this.transport.onSent) return;
    if (result.outcome === "done") this.#previous.learn(change, withoutIgnored(change, result.ignored));
    const whole = { change: this.#dependencies.withRealIds(change), result };
    const isPartial = "failure" in result && result.failure.details.outcome === "maybe_partial";
    for (const part of isPartial ? singleResults(whole) : [whole]) {
      const sent = sentChangeOf(part.change, part.result, previous);
      if (sent) this.transport.onSent({ row: key, ...sent });
    }
  }

  /** Checks the unanswered requests of an earlier run before anything is sent. */
  async #recover(rows: readonly R[]): Promise<void> {
    const { replay } = this.options;
    if (!replay) return;
    const { interruptedRequest } = replay;
    if (interruptedRequest !== undefined)
      await this.#dispatch.record({ unanswered: interruptedRequest, error: errorRecord(runEnded()) });
    for (const { sent, request, from } of replay.unansweredRequests(rows)) {
      for (const { change } of request.tasks) this.#dependencies.learnEarlier(change, "unknown");
      const checked = await this.#dispatch.checkUnanswered(request);
      if (sent === interruptedRequest && checked !== "applied" && checked !== "not_applied")
        for (const task of request.tasks) this.#report(task, { outcome: "unknown", failure: runEnded() }, from);
      const entry = entryOfCheck(sent, checked, runEnded());
      if (!entry) continue;
      await this.#dispatch.record(entry);
      replay.learn(entry);
      if (checked === "applied") for (const task of request.tasks) this.#report(task, appliedResult, from);
    }
  }
}
