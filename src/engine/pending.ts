/** What waits to be sent. Changes that can travel in one request are gathered; all else keeps the order of the rows. */
import { isSome, type Key, mergeable, partOf, type Request, requestOf, sizeOf, subjectOf, type Task } from "./task.ts";

export class Pending {
  readonly #merge: boolean;
  /** Each becomes one request or several, in this order. */
  #groups = new Set<Task[]>();
  /** By subject, the last group: what cannot join that one must come after it. */
  readonly #last = new Map<string, Task[]>();

  constructor(merge: boolean) {
    this.#merge = merge;
  }

  add(task: Task): void {
    const subject = subjectOf(task.change);
    const last = this.#last.get(subject);
    // A removal must not overtake what its row adds before it.
    const joins = this.#merge && !(task.change.afterAdditions && partOf(task.key) > 0);
    if (joins && last?.[0] && mergeable(last[0], task)) {
      last.push(task);
      return;
    }
    const group = [task];
    this.#groups.add(group);
    this.#last.set(subject, group);
  }

  /** Puts everything in the order of these keys. */
  arrange(order: readonly Key[]): void {
    const places = new Map(order.map((key, place) => [key, place]));
    const place = ([task]: Task[]) => places.get(task?.key ?? "") ?? order.length;
    this.#groups = new Set([...this.#groups].sort((one, other) => place(one) - place(other)));
  }

  /** The next request; `most` gives how many rows' worth a request that begins with a task may hold. */
  take(most: (task: Task) => number): Request | undefined {
    const [group] = this.#groups;
    const [first] = group ?? [];
    if (!group || !first) return undefined;
    const limit = most(first);
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
