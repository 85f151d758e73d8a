/** One change of one row, and the requests that tasks become. */
import type { Failure } from "../errors.ts";
import { type Call, call, callOf, type Spelling } from "../wire/call.ts";
import type { Change, ChangeResult } from "./change.ts";

/** A row of the input, as the examination found it. */
export interface ChangeRow {
  /** Counted from 1. */
  row: number;
  changes: readonly Change[];
  /** What reading has shown of each of them; those are not sent. */
  verdicts?: readonly (ChangeResult | undefined)[];
}

export interface Finished<R extends ChangeRow = ChangeRow> {
  row: R;
  /** What became of each of its changes. */
  results: ChangeResult[];
}

/** Names a task in a journal: the row's number, or `row.part` for its second change and later ones. */
export type Key = number | string;

export interface Task {
  key: Key;
  change: Change;
  /** How many changes its row has, where it is not the only one. */
  parts?: number;
  /** It was sent before and got no answer. */
  again: boolean;
  /** Why an earlier run could not tell whether it was applied. It is sent again on request. */
  doubt?: Failure | undefined;
}

export const keyOf = (row: number, part: number): Key => (part === 0 ? row : `${row}.${part}`);

export const partOf = (key: Key): number => Number(String(key).split(".")[1] ?? 0);

export const rowOf = (key: Key): number => Number.parseInt(String(key), 10);

export type Tasks = readonly [Task, ...Task[]];

export const isSome = (tasks: readonly Task[]): tasks is Tasks => tasks.length > 0;

/** What is sent in one go. All tasks are of one operation and one target, and all are sent again or none. */
export interface Request extends Call {
  tasks: Tasks;
  again: boolean;
  /** It is a part of a refused request that was read already. */
  judged?: boolean | undefined;
}

/** What a change is about: changes with one subject never overtake each other. */
export function subjectOf({ operation, args, target }: Change): string {
  const thing = operation.target?.(args);
  if (thing !== undefined) return thing;
  return operation.merging ? operation.name : `${operation.name} ${target.toLowerCase()}`;
}

/** How many rows' worth a task is. */
export const sizeOf = ({ change: { operation, args } }: Task): number => operation.merging?.size(args) ?? 1;

/** True where the two may travel in one request. */
export const mergeable = (one: Task, other: Task): boolean => {
  const { operation, args } = one.change;
  const { operation: second, args: others } = other.change;
  const key = operation === second && one.again === other.again ? operation.merging?.key(args) : undefined;
  return key !== undefined && key === second.merging?.key(others);
};

export function requestOf(tasks: Tasks): Request {
  const [{ change, again }] = tasks;
  const { operation } = change;
  const { merging } = operation;
  const made =
    merging && tasks.length > 1 ? call(operation, merging.combine(tasks.map(({ change }) => change.args))) : change;
  return { ...callOf(made), tasks, again };
}

/** How what it sends was typed, in whichever of its tasks. */
export function spellingOf({ tasks }: Request): Spelling {
  const { command, flags } = tasks[0].change;
  return { command, flags: tasks.length > 1 ? Object.assign({}, ...tasks.map(({ change }) => change.flags)) : flags };
}

/** The part of a request that is about some of its tasks. */
export const partial = (request: Request, tasks: Tasks): Request =>
  tasks.length === request.tasks.length ? request : { ...requestOf(tasks), judged: request.judged };

/** What a refused request becomes, so that bad rows come to stand alone. */
export function halves(request: Request): Request[] {
  const { tasks } = request;
  const middle = Math.ceil(tasks.length / 2);
  const parts = [tasks.slice(0, middle), tasks.slice(middle)];
  return parts.flatMap((part) => (isSome(part) ? partial(request, part) : []));
}

/** The part of a request's answer that belongs to each of its tasks. */
export function shares({ operation, tasks }: Request, done: ChangeResult & { outcome: "done" }): ChangeResult[] {
  const share = operation.merging?.share;
  if (tasks.length === 1 || !share) return tasks.map(() => done);
  let from = 0;
  return tasks.map((task) => {
    const size = sizeOf(task);
    from += size;
    return { ...done, answer: share(done.answer, { from: from - size, size, args: task.change.args }) };
  });
}
