/** Decides which tasks share a request. */
import type { AnyOperation } from "../wire/operation.ts";
import { partOf, type Request, sizeOf, subjectOf, type Task } from "./task.ts";

/** The rows in the first merged request of an operation. Later requests grow while answers are quick. */
const firstSize = 100;
/** An answer is quick below this time, in milliseconds. */
const quickAnswer = 10_000;

function mergeable(one: Task, other: Task): boolean {
  // A removal must not overtake the additions of its row.
  if (other.change.afterAdditions && partOf(other.key) > 0) return false;
  const { operation, args } = one.change;
  const key =
    operation === other.change.operation && one.isRepeated === other.isRepeated && operation.merging?.key(args);
  return typeof key === "string" && key === operation.merging?.key(other.change.args);
}

/** Groups tasks in order. The tasks of a group can share requests. */
export function groupsOf(tasks: readonly Task[], merge: boolean): Task[][] {
  const groups: Task[][] = [];
  /** By subject, the last group. A change that cannot join it must come after it. */
  const last = new Map<string, Task[]>();
  for (const task of tasks) {
    const subject = subjectOf(task.change);
    const group = last.get(subject);
    if (merge && group && mergeable(group[0]!, task)) group.push(task);
    else {
      const newGroup = [task];
      groups.push(newGroup);
      last.set(subject, newGroup);
    }
  }
  return groups;
}

/** Splits groups into requests. Their size follows the time that answers take. */
export class RequestSizes {
  /** The largest number of rows in a merged request. */
  readonly #limits = new Map<AnyOperation, number>();

  #limit(operation: AnyOperation): number {
    const { merging } = operation;
    return merging ? (this.#limits.get(operation) ?? Math.min(firstSize, merging.largest)) : 1;
  }

  /** Yields the tasks of the next request. */
  *split(groups: readonly Task[][]): Generator<readonly Task[]> {
    for (const group of groups)
      for (let from = 0; from < group.length; ) {
        const limit = this.#limit(group[0]!.change.operation);
        let [to, size] = [from, 0];
        for (; to < group.length; to++) {
          size += sizeOf(group[to]!);
          if (to > from && size > limit) break;
        }
        yield group.slice(from, to);
        from = to;
      }
  }

  /** Learns from the time of an answer, in milliseconds. Undefined without an answer. */
  learn({ operation, tasks }: Request, took: number | undefined): void {
    if (!operation.merging) return;
    const limit = this.#limit(operation);
    const size = tasks.reduce((sum, each) => sum + sizeOf(each), 0);
    if (took === undefined) {
      // A request for one row says nothing about larger ones.
      if (size > 1) this.#limits.set(operation, Math.max(1, Math.min(limit, Math.ceil(size / 2))));
    } else if (took < quickAnswer && size * 2 > limit)
      this.#limits.set(operation, Math.min(operation.merging.largest, limit * 2));
  }
}
