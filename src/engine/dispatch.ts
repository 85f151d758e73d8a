/** Sends one request, and finds out what became of it: a journal beside it, and a second look where no answer came. */
import { errorRecord } from "../error-record.ts";
import { Failure, Refused, Unknown, Unreachable } from "../errors.ts";
import { callOf } from "../wire/call.ts";
import type { Clock, Signals } from "../world.ts";
import type { BatchSizer } from "./batch-sizer.ts";
import type { ChangeResult } from "./change.ts";
import { conclusion, type Entry, type Journal } from "./journal.ts";
import { lost } from "./journal-replay.ts";
import { judge } from "./judge.ts";
import { type Settled, settle, settleable, standing } from "./settle.ts";
import { type Request, requestOf, spellingOf, type Task } from "./task.ts";
import { concernsAll, type Transport } from "./transport.ts";

export type Lacking = ChangeResult & { failure: Failure };

export const applied: ChangeResult = { outcome: "done", answer: {}, ignored: [] };

/** Repetitions of one request that got no answer each time before it is given up. */
const mostRepetitions = 5;

/** Who is told what became of requests. */
export interface DispatchListener {
  /** Why nothing new is sent any more. */
  readonly stopped: Failure | undefined;
  finish(request: Request, result: ChangeResult): void;
  /** The server refused it, for one of its tasks or several. */
  refused(request: Request, result: Lacking): void;
  /** Reading has told what became of these tasks of a refused request; the rest is to be sent. */
  judged(explained: readonly { task: Task; result: ChangeResult }[], rest: Request | undefined): void;
  /** Nobody can tell. */
  unknown(request: Request, result: Lacking): void;
  /** An answer came, whatever it says, or nothing has left. What it says is not on disk yet. */
  answered(request: Request, result: ChangeResult): void;
  /** Nothing new is to be sent. */
  stop(why: Failure): void;
  broken(bug: unknown): void;
}

export interface DispatchOptions {
  transport: Transport;
  journal: Journal;
  sizer: BatchSizer;
  clock: Clock;
  signals: Signals;
  /** Milliseconds for which a lost membership change is looked for; undefined where it is not. */
  settle: number | undefined;
}

export class Dispatch {
  readonly #options: DispatchOptions;
  readonly #listener: DispatchListener;
  #unwritten = 0;

  constructor(options: DispatchOptions, listener: DispatchListener) {
    this.#options = options;
    this.#listener = listener;
  }

  /** How many answers are not on disk yet. */
  get unwritten(): number {
    return this.#unwritten;
  }

  /** Sends a request until there is something to tell of its tasks. */
  async perform(first: Request): Promise<void> {
    for (let request = first, repetition = 1; ; repetition++) {
      const { sent, result } = await this.#send(request);
      if (result.outcome !== "unknown" || sent === undefined) return this.#conclude(request, sent, result);
      await this.record({ unanswered: sent, error: errorRecord(result.failure) });
      const settled = await this.settle(request, sent, result.failure);
      if (settled === "applied") return this.#listener.finish(request, applied);
      if (settled !== "not_applied") return this.#listener.unknown(request, result);
      request = { ...certain(request), again: true };
      if (this.#listener.stopped)
        return this.#listener.finish(request, { outcome: "not_sent", failure: this.#listener.stopped });
      if (repetition >= mostRepetitions) return this.#givenUp(request, result.failure, repetition);
    }
  }

  async #send(request: Request): Promise<{ sent: number | undefined; result: ChangeResult }> {
    const { clock } = this.#options;
    let sent: number | undefined;
    let left = 0;
    const leaving = async () => {
      sent = await this.#options.journal.sent(request);
      left = clock.monotonic();
    };
    const returned = async () => {
      if (sent !== undefined) await this.record({ returned: sent });
      sent = undefined;
    };
    const leaves = () => this.#options.journal.check();
    const { verifyWith, newChannel, newGroup, from } = request.tasks[0]!.change;
    const sendable = { ...callOf(request), ...spellingOf(request), verifyWith, newChannel, newGroup, from };
    const result = await this.#options.transport.send(sendable, { leaving, leaves, returned });
    if (sent !== undefined) {
      const answered = result.outcome === "done" || result.outcome === "refused";
      this.#options.sizer.learn(request, answered ? clock.monotonic() - left : undefined);
    }
    return { sent, result };
  }

  /** An answer came, or the request did not leave. */
  async #conclude(request: Request, sent: number | undefined, result: ChangeResult): Promise<void> {
    const entry = sent === undefined ? undefined : conclusion(sent, request, result);
    this.#listener.answered(request, result);
    if (result.outcome === "done") {
      // The line goes on before this is on disk: the record of its next request comes after it in the same file.
      this.#unwritten++;
      const written = (work: () => void) => {
        this.#unwritten--;
        work();
      };
      this.record(entry).then(
        () => written(() => this.#listener.finish(request, result)),
        (bug) => written(() => this.#listener.broken(bug)),
      );
    } else if (concernsAll(result.failure)) {
      await this.record(entry);
      this.#listener.finish(request, result);
      this.#listener.stop(result.failure);
    } else if (result.outcome === "refused" && request.again) {
      await this.#refusedAgain(request, sent, result);
    } else {
      await this.record(entry);
      await this.#refused(request, sent, result);
    }
  }

  /** A request of several rows is judged by reading before it is split, and one that only wishes a thing so, too. */
  async #refused(request: Request, sent: number | undefined, result: Lacking): Promise<void> {
    const { tasks, judged } = request;
    const worthwhile = tasks.length > 1 || tasks[0]!.change.ifChanged;
    const readable = result.failure instanceof Refused && settleable(request);
    if (judged || !worthwhile || !readable || sent === undefined || this.#listener.stopped)
      return this.#listener.refused(request, result);
    const finding = await judge(this.#options.transport, request, result.failure);
    if (this.#supplanted()) return this.#listener.refused(request, result);
    if (typeof finding === "string")
      return this.#listener.refused(finding === "unread" ? request : { ...request, judged: true }, result);
    const { explained, rest } = finding;
    const [refused, so] = (["refused", "done"] as const).map((outcome) =>
      explained.filter((each) => each.result.outcome === outcome),
    );
    const rows = (some: typeof explained) => some.map(({ task }) => task.key);
    const errors = explained.flatMap(({ result }) =>
      result.outcome === "refused" ? [errorRecord(result.failure)] : [],
    );
    if (refused!.length) await this.record({ judged: sent, rows: rows(refused!), as: "refused", errors });
    if (so!.length) await this.record({ judged: sent, rows: rows(so!), as: "unchanged" });
    this.#listener.judged(explained, rest.length ? { ...requestOf(rest), judged: true } : undefined);
  }

  /** True once the journal is another run's: what is read from then on may be that run's doing. */
  #supplanted(): boolean {
    try {
      this.#options.journal.check();
      return false;
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      this.#listener.stop(failure);
      return true;
    }
  }

  /** A repetition was refused: it may be so because the first request was applied after all. */
  async #refusedAgain(request: Request, sent: number | undefined, result: Lacking): Promise<void> {
    const readable = settleable(request);
    const reading = readable ? standing(this.#options.transport, request) : Promise.resolve(undefined);
    const found = await reading.catch((failure) => {
      if (!(failure instanceof Failure)) throw failure;
      return undefined;
    });
    const alone = request.tasks.length === 1;
    if (found === "applied") {
      if (sent !== undefined) await this.record({ settled: sent, as: "done" });
      this.#listener.finish(request, applied);
    } else if (found === "absent" || !alone) {
      if (sent !== undefined) await this.record(conclusion(sent, request, result));
      this.#listener.refused(found === "absent" ? certain(request) : request, result);
    } else {
      const failure = new Unknown(`${result.failure.message}; whether it was applied before cannot be told`, {
        ...result.failure.details,
        outcome: "unknown",
        hint: `Find out with: ${request.tasks[0]!.change.verifyWith}`,
      });
      // What the read did not tell, a later run may find out.
      const entry = { error: errorRecord(failure) };
      const final = found === "mixed" || !readable;
      if (sent !== undefined)
        await this.record(final ? { settled: sent, as: "unknown", ...entry } : { unanswered: sent, ...entry });
      this.#listener.unknown(request, { outcome: "unknown", failure });
    }
  }

  #givenUp(request: Request, { message, details }: Failure, times: number): void {
    const failure = new Unreachable(`${message.split(";")[0]}; it was sent ${times} times and not applied`, {
      request: details.request,
      outcome: "not_applied",
    });
    this.#listener.finish(request, { outcome: "not_sent", failure });
    this.#listener.stop(failure);
  }

  /** Settles a request without an answer, where it can be, and records what that came to. */
  async settle(
    request: Pick<Request, "operation" | "args">,
    sent: number,
    failure: Failure = lost(),
  ): Promise<Settled> {
    const { transport, clock, signals, settle: wait } = this.#options;
    if (wait === undefined || !settleable(request)) return "open";
    signals.underway++;
    const settled = await settle(transport, request, { clock, signals, wait });
    signals.underway--;
    if (settled === "applied") await this.record({ settled: sent, as: "done" });
    if (settled === "not_applied") await this.record({ settled: sent, as: "not_applied" });
    if (settled === "mixed") await this.record({ settled: sent, as: "unknown", error: errorRecord(failure) });
    return settled;
  }

  /** A journal that cannot be written ends the run; what is known already stays known. */
  async record(entry: Entry | undefined): Promise<void> {
    if (!entry) return;
    try {
      await this.#options.journal.write(entry);
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      this.#listener.stop(failure);
    }
  }
}

/** The same request, of which it has become clear that nothing of it was applied before. */
const certain = (request: Request): Request => ({
  ...request,
  tasks: request.tasks.map((task) => ({ ...task, again: true, doubt: undefined })),
});
