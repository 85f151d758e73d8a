/** A task is one change of one row. Tasks become requests, and some share one. */
import type { Failure } from "../errors.ts";
import { type Call, call, callOf, type Spelling } from "../wire/call.ts";
import type { Change, ChangeResult } from "./change.ts";

/** A row of the input after its validation. */
export interface ChangeRow {
  /** Counted from 1. */
  row: number;
  changes: readonly Change[];
  /** Results known from reading. These changes are not sent. */
  knownResults?: readonly (ChangeResult | undefined)[];
}

export interface Finished<R extends ChangeRow = ChangeRow> {
  row: R;
  /** The results of its changes. */
  results: ChangeResult[];
}

/** A task's name in the journal: the row's number, or `row.part` from its second change on. */
export type TaskKey = number | string;

export interface Task {
  key: TaskKey;
  change: Change;
  /** The number of changes of its row, if there are several. */
  parts?: number | undefined;
  /** It was sent before and got no answer. */
  isRepeated: boolean;
  /** Why an earlier run could not tell whether it was applied. It is sent again on request. */
  earlierFailure?: Failure | undefined;
  /** A read after a refusal did not explain it. */
  isUnexplained?: boolean;
}

export interface TaskAndResult {
  task: Task;
  result: ChangeResult;
}

export const taskKey = (row: number, part: number): TaskKey => (part === 0 ? row : `${row}.${part}`);

export const partOf = (key: TaskKey): number => Number(String(key).split(".")[1] ?? 0);

export const rowOfTask = (key: TaskKey): number => Number.parseInt(String(key), 10);

type Tasks = readonly [Task, ...Task[]];

export const isNonEmpty = (tasks: readonly Task[]): tasks is Tasks => tasks.length > 0;

/** One request. All its tasks have the same operation and target, and all or none are sent again. */
export interface Request extends Call {
  tasks: Tasks;
}

/** Returns the subject of a change. Changes of one subject keep their order. */
export function subjectOf({ operation, args, target }: Change): string {
  const thing = operation.target?.(args);
  if (thing !== undefined) return thing;
  return operation.merging ? operation.name : `${operation.name} ${target.toLowerCase()}`;
}

/** Returns the size of a task, in rows. */
export const sizeOf = ({ change: { operation, args } }: Task): number => operation.merging?.size(args) ?? 1;

export function requestOf(tasks: Tasks): Request {
  const [{ change }, ...others] = tasks;
  const { operation, args } = change;
  const { merging } = operation;
  const combinedCall =
    merging && others.length
      ? call(operation, merging.combine([args, ...others.map((each) => each.change.args)]))
      : change;
  return { ...callOf(combinedCall), tasks };
}

export function spellingOf({ tasks }: Request): Spelling {
  const { command, flags } = tasks[0].change;
  return { command, flags: tasks.length > 1 ? Object.assign({}, ...tasks.map(({ change }) => change.flags)) : flags };
}

/** Splits the tasks of a refused request, to find the bad rows. */
export function splitInHalves(tasks: readonly Task[]): (readonly Task[])[] {
  const middle = Math.ceil(tasks.length / 2);
  return [tasks.slice(0, middle), tasks.slice(middle)];
}

/** Returns the result of each task. Some operations have a part of the answer for each. */
export function resultsOfTasks({ operation, tasks }: Request, result: ChangeResult): ChangeResult[] {
  const share = operation.merging?.share;
  if (tasks.length === 1 || !share || result.outcome !== "done") return tasks.map(() => result);
  let from = 0;
  return tasks.map((task) => {
    const size = sizeOf(task);
    from += size;
    return { ...result, answer: share(result.answer, { from: from - size, size, args: task.change.args }) };
  });
}
