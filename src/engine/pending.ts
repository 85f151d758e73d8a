/** Changes that wait to be sent. Some are merged into one request; others keep the order of rows. */
import type { AnyOperation } from "../wire/operation.ts";
import { isSome, type Key, mergeable, partOf, type Request, requestOf, sizeOf, subjectOf, type Task } from "./task.ts";

/** The rows in the first merged request of an operation. Later requests grow while answers are quick. */
const firstSize = 100;
/** An answer is quick below this time, in milliseconds. */
const quick = 10_000;

export class Pending {
  readonly #merge: boolean;
  /** Groups in order. Each becomes one or more requests. */
  #groups = new Set<Task[]>();
  /** By subject, the last group. A change that cannot join it must come after it. */
  readonly #last = new Map<string, Task[]>();
  /** The largest number of rows in a merged request. */
  readonly #sizes = new Map<AnyOperation, number>();

  constructor(merge: boolean) {
    this.#merge = merge;
  }

  add(task: Task): void {
    const subject = subjectOf(task.change);
    const last = this.#last.get(subject);
    // A removal must not overtake the additions of its row.
    const joins = this.#merge && !(task.change.afterAdditions && partOf(task.key) > 0);
    if (joins && last?.[0] && mergeable(last[0], task)) {
      last.push(task);
      return;
    }
    const group = [task];
    this.#groups.add(group);
    this.#last.set(subject, group);
  }

  /** Sorts everything in the order of these keys. */
  arrange(order: readonly Key[]): void {
    const places = new Map(order.map((key, place) => [key, place]));
    const place = ([task]: Task[]) => places.get(task?.key ?? "") ?? order.length;
    this.#groups = new Set([...this.#groups].sort((one, other) => place(one) - place(other)));
  }

  #limit({ operation }: Pick<Request, "operation">): number {
    if (!operation.merging) return 1;
    return this.#sizes.get(operation) ?? Math.min(firstSize, operation.merging.largest);
  }

  /** Learns from the time of an answer, in milliseconds. Undefined without an answer. */
  learn(request: Request, took: number | undefined): void {
    const { operation, tasks } = request;
    if (!operation.merging) return;
    const limit = this.#limit(request);
    const size = tasks.reduce((sum, each) => sum + sizeOf(each), 0);
    if (took === undefined) {
      if (size > 1) this.#sizes.set(operation, Math.max(1, Math.min(limit, Math.ceil(size / 2))));
      // A small request says nothing about larger ones.
    } else if (took < quick && size * 2 > limit)
      this.#sizes.set(operation, Math.min(operation.merging.largest, limit * 2));
  }

  /** Returns the next request. */
  take(): Request | undefined {
    const [group] = this.#groups;
    const [first] = group ?? [];
    if (!group || !first) return undefined;
    const limit = this.#limit(first.change);
    let [count, size] = [1, sizeOf(first)];
    for (const task of group.slice(1)) {
      size += sizeOf(task);
      if (size > limit) break;
      count++;
    }
    const tasks = group.splice(0, count);
    if (!group.length) {
      this.#groups.delete(group);
      const subject = subjectOf(first.change);
      if (this.#last.get(subject) === group) this.#last.delete(subject);
    }
    return isSome(tasks) ? requestOf(tasks) : undefined;
  }
}
