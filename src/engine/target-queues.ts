/** What waits to be sent: one line for each target, in the file's order. A line has one request on its way at a time. */
import { mergeable, queueOf, type Request, requestOf, sizeOf, type Task } from "./task.ts";

class TargetQueue {
  /** Requests that were made up before: halves of refused ones, and repetitions. They go first. */
  readonly made: Request[] = [];
  readonly tasks: Task[] = [];
  #head = 0;
  /** The tasks from the head on that were found to go together, so that they are not looked at for each that comes. */
  #run = { count: 0, size: 0 };
  busy = false;

  constructor(readonly name: string) {}

  get empty(): boolean {
    return !this.made.length && this.#head === this.tasks.length;
  }

  /** How many tasks the next request takes, and whether a later task could still join it. */
  next(most: (task: Task) => number): { count: number; full: boolean } {
    const first = this.tasks[this.#head];
    if (!first) return { count: 0, full: false };
    const limit = most(first);
    let { count, size } = this.#run;
    if (count === 0 || size > limit) [count, size] = [1, sizeOf(first)];
    for (let at = this.#head + count; at < this.tasks.length; at++) {
      const task = this.tasks[at]!;
      if (size + sizeOf(task) > limit || !mergeable(first, task)) return { count, full: true };
      size += sizeOf(task);
      count++;
    }
    this.#run = { count, size };
    return { count, full: size >= limit };
  }

  take(count: number): Request {
    const taken = this.tasks.slice(this.#head, this.#head + count);
    this.#head += count;
    this.#run = { count: 0, size: 0 };
    if (this.#head * 2 > this.tasks.length) {
      this.tasks.splice(0, this.#head);
      this.#head = 0;
    }
    return requestOf(taken, this.name);
  }

  drain(): Task[] {
    const rest = [...this.made.flatMap(({ tasks }) => tasks), ...this.tasks.slice(this.#head)];
    this.made.length = 0;
    this.tasks.length = 0;
    this.#head = 0;
    this.#run = { count: 0, size: 0 };
    return rest;
  }
}

export class TargetQueues {
  readonly #lines = new Map<string, TargetQueue>();
  /** Idle lines whose next request can go. */
  readonly #ready = new Set<TargetQueue>();
  /** Idle lines whose next request could still grow by what comes later in the file. */
  readonly #growing = new Set<TargetQueue>();
  readonly #most: (task: Task) => number;

  /** `most` gives how many rows' worth a request that begins with this task may hold; 1 where nothing joins it. */
  constructor(most: (task: Task) => number) {
    this.#most = most;
  }

  add(task: Task): void {
    const line = this.#line(queueOf(task.change));
    line.tasks.push(task);
    if (!this.#ready.has(line)) this.#place(line);
  }

  /** Puts requests before everything else of their line. All are of one line. */
  putBack(requests: readonly Request[]): void {
    const line = this.#line(requests[0]!.queue);
    line.made.unshift(...requests);
    this.#place(line);
  }

  /** The next request, whose line is busy until `release`. `complete`: no request can grow any more by waiting. */
  take(complete: boolean): Request | undefined {
    for (const line of this.#ready) {
      const made = line.made.shift();
      const { count, full } = made ? { count: 0, full: true } : line.next(this.#most);
      this.#ready.delete(line);
      if (full || complete) return this.#started(line, made ?? line.take(count));
      this.#growing.add(line);
    }
    if (!complete) return undefined;
    for (const line of this.#growing) {
      this.#growing.delete(line);
      return this.#started(line, line.take(line.next(this.#most).count));
    }
    return undefined;
  }

  release(name: string): void {
    const line = this.#lines.get(name)!;
    line.busy = false;
    if (line.empty) this.#lines.delete(name);
    else this.#place(line);
  }

  /** Everything that still waits; nothing does afterwards. */
  drain(): Task[] {
    const rest = [...this.#lines.values()].flatMap((line) => line.drain());
    for (const [name, { busy }] of this.#lines) if (!busy) this.#lines.delete(name);
    this.#ready.clear();
    this.#growing.clear();
    return rest;
  }

  #started(line: TargetQueue, request: Request): Request {
    line.busy = true;
    return request;
  }

  #line(name: string): TargetQueue {
    const found = this.#lines.get(name);
    if (found) return found;
    const line = new TargetQueue(name);
    this.#lines.set(name, line);
    return line;
  }

  #place(line: TargetQueue): void {
    if (line.busy || line.empty) return;
    this.#growing.delete(line);
    this.#ready.delete(line);
    const full = line.made.length > 0 || line.next(this.#most).full;
    (full ? this.#ready : this.#growing).add(line);
  }
}
