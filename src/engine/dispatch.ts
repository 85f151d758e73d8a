/** Sends one request and finds out its result. It writes the journal, and reads again if no answer came. */
import { errorRecord } from "../error-record.ts";
import { Failure, Refused, TooOld, Unknown, Unreachable, undefinedOnFailure } from "../errors.ts";
import { callOf } from "../wire/call.ts";
import type { Clock, Signals } from "../world.ts";
import { applied, type ChangeResult } from "./change.ts";
import { conclusion, type Entry, type Journal } from "./journal.ts";
import { explainRefusal, readState, type Settled, settle, settleable, settlement } from "./settle.ts";
import { halves, type Request, shares, spellingOf, type Task } from "./task.ts";
import { concernsAll, type Transport } from "./transport.ts";

type Undone = ChangeResult & { failure: Failure };

export const notSent = (failure: Failure): ChangeResult => ({ outcome: "not_sent", failure });

/** The largest number of repetitions without an answer. */
const mostRepetitions = 5;

/** The result of a request: the results of some tasks, and the others, in parts to send next. */
export interface Verdict {
  known: readonly { task: Task; result: ChangeResult }[];
  rest: readonly (readonly Task[])[];
}

const all = (request: Request, result: ChangeResult): Verdict => {
  const each = result.outcome === "done" ? shares(request, result) : undefined;
  return { known: request.tasks.map((task, n) => ({ task, result: each?.[n] ?? result })), rest: [] };
};

/** The server refused it because of one or more tasks. */
const refused = (request: Request, result: Undone): Verdict =>
  request.tasks.length > 1 && !(result.failure instanceof TooOld)
    ? { known: [], rest: halves(request.tasks) }
    : all(request, result);

interface DispatchOptions {
  transport: Transport;
  journal: Journal | undefined;
  clock: Clock;
  signals: Signals;
  /** How long a lost membership change is checked, in milliseconds. Undefined for never. */
  settle: number | undefined;
  /** Called with the time of an answer, in milliseconds. Undefined without an answer. */
  learn(request: Request, took: number | undefined): void;
}

/** Knows why nothing more is sent. */
interface Halt {
  readonly stopped: Failure | undefined;
  stop(why: Failure): void;
}

export class Dispatch {
  readonly #options: DispatchOptions;
  readonly #halt: Halt;

  constructor(options: DispatchOptions, halt: Halt) {
    this.#options = options;
    this.#halt = halt;
  }

  /** Sends a request until the result of its tasks is known, or cannot be known. */
  async perform(first: Request): Promise<Verdict> {
    for (let request = first, repetition = 1; ; repetition++) {
      const { sent, result } = await this.#send(request);
      if (result.outcome === "done" && sent !== undefined && request.operation.isUnfinished?.(result.answer)) {
        await this.record({ settled: sent, as: "not_applied" });
        if (this.#halt.stopped) return all(request, notSent(this.#halt.stopped));
        repetition = 0;
        continue;
      }
      if (result.outcome !== "unknown" || sent === undefined) return this.#conclude(request, sent, result);
      await this.record({ unanswered: sent, error: errorRecord(result.failure) });
      const settled = await this.settle(request);
      await this.record(settlement(sent, settled, result.failure));
      if (settled === "applied") return all(request, applied);
      if (settled !== "not_applied") return all(request, result);
      request = certain(request);
      if (this.#halt.stopped) return all(request, notSent(this.#halt.stopped));
      if (repetition >= mostRepetitions) return this.#givenUp(request, result.failure, repetition);
    }
  }

  async #send(request: Request): Promise<{ sent: number | undefined; result: ChangeResult }> {
    const { clock } = this.#options;
    let sent: number | undefined;
    let sentAt = 0;
    const beforeSend = async () => {
      sent = (await this.#options.journal?.sent(request)) ?? 0;
      sentAt = clock.monotonic();
    };
    const notApplied = async () => {
      if (sent !== undefined) await this.record({ returned: sent });
      sent = undefined;
    };
    const onFirstByte = () => this.#options.journal?.checkHeld();
    const { verifyWith, newChannel, from } = request.tasks[0].change;
    const sendable = { ...callOf(request), ...spellingOf(request), verifyWith, newChannel, from };
    const result = await this.#options.transport.send(sendable, { beforeSend, onFirstByte, notApplied });
    if (sent !== undefined) {
      const answered = result.outcome === "done" || result.outcome === "refused";
      this.#options.learn(request, answered ? clock.monotonic() - sentAt : undefined);
    }
    return { sent, result };
  }

  /** An answer came, or the request was not sent. */
  async #conclude(request: Request, sent: number | undefined, result: ChangeResult): Promise<Verdict> {
    if (result.outcome === "refused" && request.tasks[0].again && !concernsAll(result.failure))
      return this.#refusedAgain(request, sent, result);
    if (sent !== undefined) await this.record(conclusion(sent, request, result));
    if (result.outcome === "done") return all(request, result);
    if (!concernsAll(result.failure)) return this.#refused(request, sent, result);
    this.#halt.stop(result.failure);
    return all(request, result);
  }

  /** Reads which rows of a refused request are bad. If this does not tell, the request is split. */
  async #refused(request: Request, sent: number | undefined, result: Undone): Promise<Verdict> {
    const { tasks, operation } = request;
    const [{ examined, change }] = tasks;
    const worthwhile = tasks.length > 1 || change.ifChanged || operation.evidence;
    const reads = !examined && worthwhile && result.failure instanceof Refused && !this.#halt.stopped;
    if (!reads || sent === undefined) return refused(request, result);
    const found = await explainRefusal(this.#options.transport, request, result.failure);
    if (!found) return refused(marked(request, { examined: true }), result);
    const rows = (outcome: string) => found.explained.filter(({ result }) => result.outcome === outcome);
    const [bad, same] = [rows("refused"), rows("done")].map((all) => all.map(({ task }) => task.key));
    const errors = found.explained.flatMap(({ result }) => ("failure" in result ? [errorRecord(result.failure)] : []));
    if (bad?.length) await this.record({ judged: sent, rows: bad, as: "refused", errors });
    if (same?.length) await this.record({ judged: sent, rows: same, as: "unchanged" });
    return { known: found.explained, rest: [found.rest.map((task) => ({ ...task, examined: true }))] };
  }

  /** A repetition can be refused because the first request was applied. */
  async #refusedAgain(request: Request, sent: number | undefined, result: Undone): Promise<Verdict> {
    const record = (entry: (sent: number) => Entry) => this.record(sent === undefined ? undefined : entry(sent));
    const readable = settleable(request);
    const found = readable ? await undefinedOnFailure(readState(this.#options.transport, request)) : undefined;
    if (found === "applied") {
      await record((sent) => ({ settled: sent, as: "done" }));
      return all(request, applied);
    }
    if (found === "absent" || request.tasks.length > 1) {
      await record((sent) => conclusion(sent, request, result));
      return refused(found === "absent" ? certain(request) : request, result);
    }
    const failure = new Unknown(`${result.failure.message}; it is unknown whether it was applied before`, {
      ...result.failure.details,
      outcome: "unknown",
      hint: `Check with: ${request.tasks[0].change.verifyWith}`,
    });
    const error = errorRecord(failure);
    // A later run can still find out.
    const final = found === "mixed" || !readable;
    await record((sent) => (final ? { settled: sent, as: "unknown", error } : { unanswered: sent, error }));
    return all(request, { outcome: "unknown", failure });
  }

  #givenUp(request: Request, { message, details }: Failure, times: number): Verdict {
    const failure = new Unreachable(`${message.split(";")[0]}; it was sent ${times} times and not applied`, {
      request: details.request,
      outcome: "not_applied",
    });
    this.#halt.stop(failure);
    return all(request, notSent(failure));
  }

  /** Settles a request without an answer, if possible. */
  async settle(request: Pick<Request, "operation" | "args">): Promise<Settled> {
    const { transport, clock, signals, settle: wait } = this.#options;
    if (wait === undefined || !settleable(request)) return "open";
    signals.unansweredChanges++;
    const settled = await settle(transport, request, { clock, signals, wait });
    signals.unansweredChanges--;
    return settled;
  }

  /** A journal that cannot be written ends the run, with the known results. */
  async record(entry: Entry | undefined): Promise<void> {
    if (!entry) return;
    try {
      await this.#options.journal?.write(entry);
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      this.#halt.stop(failure);
    }
  }
}

const marked = (request: Request, marks: Pick<Task, "again" | "earlierFailure"> | Pick<Task, "examined">): Request => {
  const [first, ...others] = request.tasks.map((task) => ({ ...task, ...marks }));
  return { ...request, tasks: [first!, ...others] };
};

/** Returns the request without the mark that it may have been applied. */
const certain = (request: Request): Request => marked(request, { again: true, earlierFailure: undefined });
