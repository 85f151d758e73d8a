/** From what became of requests to what became of changes: split, judged, counted, passed on to those that wait for them. */
import { type Failure, TooOld } from "../errors.ts";
import type { Signals } from "../world.ts";
import type { Change, ChangeResult } from "./change.ts";
import { concludedOf } from "./concluded.ts";
import { Dependencies } from "./dependencies.ts";
import type { DispatchListener, Lacking } from "./dispatch.ts";
import { FailureLimit } from "./failure-limit.ts";
import type { Options } from "./options.ts";
import { Recollection } from "./recollection.ts";
import { type ChangeRow, ReorderBuffer } from "./reorder-buffer.ts";
import { Revision } from "./revision.ts";
import type { RunState } from "./run-state.ts";
import type { TargetQueues } from "./target-queues.ts";
import { halves, type Key, type Request, shares, type Task } from "./task.ts";
import type { Transport } from "./transport.ts";

export const notSent = (failure: Failure): ChangeResult => ({ outcome: "not_sent", failure });

export class Outcomes<R extends ChangeRow> implements DispatchListener {
  readonly buffer = new ReorderBuffer<R>();
  readonly dependencies = new Dependencies();
  readonly revision = new Revision();
  readonly recollection: Recollection;
  readonly #state: RunState;
  readonly #queues: TargetQueues;
  readonly #transport: Transport;
  readonly #signals: Signals;
  readonly #limit: FailureLimit;

  constructor(state: RunState, queues: TargetQueues, transport: Transport, options: Options) {
    this.#state = state;
    this.#queues = queues;
    this.#transport = transport;
    this.#signals = options.signals;
    this.#limit = new FailureLimit(options.mostFailures);
    this.recollection = new Recollection(options);
  }

  get stopped(): Failure | undefined {
    return this.#state.stopped;
  }

  broken(bug: unknown): void {
    this.#state.broken(bug);
  }

  /** Nothing new is sent from now on; what waits is not sent. */
  stop(why: Failure): void {
    const stopped = this.#state.stop(why);
    const left = [...this.dependencies.drain(), ...this.#queues.drain()];
    for (const task of left) this.finishTask(task, notSent(stopped));
  }

  answered(request: Request, result: ChangeResult): void {
    this.#limit.answered();
    if (result.outcome === "done") this.revision.answered(request, result);
  }

  refused(request: Request, result: Lacking): void {
    if (request.tasks.length > 1 && !(result.failure instanceof TooOld)) this.putBack(halves(request));
    else {
      this.finish(request, result);
      this.#count(request.tasks.length);
    }
  }

  judged(explained: readonly { task: Task; result: ChangeResult }[], rest: Request | undefined): void {
    for (const { task, result } of explained) this.finishTask(task, result);
    if (rest) this.putBack([rest]);
    this.#count(explained.filter(({ result }) => result.outcome === "refused").length);
    this.#state.notify();
  }

  unknown(request: Request, result: Lacking): void {
    this.#signals.underway++;
    this.finish(request, result);
    this.#count(request.tasks.length);
    const why = this.#limit.silent();
    if (why) this.stop(why);
  }

  /** They go before all else of their line; where nothing is sent any more, not at all. */
  putBack(requests: readonly Request[]): void {
    const { stopped } = this;
    if (!stopped) this.#queues.putBack(requests);
    else for (const request of requests) this.finish(request, notSent(stopped));
  }

  finish(request: Request, result: ChangeResult): void {
    if (result.outcome !== "done") this.revision.answered(request, result);
    const each = result.outcome === "done" ? shares(request, result) : undefined;
    for (const [n, task] of request.tasks.entries()) this.finishTask(task, each?.[n] ?? result);
    this.#state.notify();
  }

  /** That a repetition was not made, or came to nothing, does not tell what became of the request before it. */
  finishTask({ key, change, doubt }: Task, result: ChangeResult): void {
    this.#tell(key, change, result);
    const open = doubt && (result.outcome === "not_sent" || result.outcome === "refused");
    this.conclude(key, change, open ? this.recollection.doubtful(doubt, change) : result);
  }

  conclude(key: Key, change: Change, result: ChangeResult): void {
    this.revision.finished(change, result);
    this.buffer.finish(key, result);
    for (const { task, result: lost } of this.dependencies.finish(key, change, result))
      if (lost) this.finishTask(task, lost);
      else this.#queues.add(task);
  }

  /** Whoever writes down what was done. What was not sent is none of that, nor what an earlier run has told. */
  #tell(key: Key, change: Change, result: ChangeResult): void {
    if (!this.#transport.concluded) return;
    const told = concludedOf(this.revision.identified(change), result);
    if (told) this.#transport.concluded({ ...told, row: key });
  }

  #count(changes: number): void {
    const why = this.#limit.failed(changes);
    if (why && !this.stopped) this.stop(why);
  }
}
