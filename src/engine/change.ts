/** A change is a value: what is to be sent, and the words around it. Nothing is sent by making one, and JSON can hold it. */
import type { Failure } from "../errors.ts";
import type { AnswerOf, AnyOperation, ArgsOf } from "../wire/operation.ts";

export interface Setting {
  parameter: string;
  /** What people call it. */
  name: string;
  /** In words. */
  value: string;
}

export interface Change {
  operation: AnyOperation;
  args: Record<string, unknown>;
  /** What the person called the thing that is changed: `devs`, `7`. */
  target: string;
  /**
   * What is told when it is done: `Linkifier {id} added.` A name between braces stands for the target, for `settings`,
   * for one of `words`, or for a member of the answer; where there is none of that name, it goes together with the blank
   * before it.
   */
  done: string;
  /** What is set to what, told as `{settings}` but for those that the server ignores. */
  settings?: readonly Setting[];
  /** What people or servers wrote: a brace in it means nothing. */
  words?: Readonly<Record<string, string>>;
  /** The command that shows whether it happened. */
  verifyWith: string;
  /** The member of the answer that holds the id, or the ids, of what was created. */
  ids?: string;
  /** Why a person must confirm it: completes “This …”. Absent: nobody is asked. */
  confirm?: string;
}

type Words<A> = Omit<Change, "operation" | "args" | "ids" | "confirm"> & {
  ids?: keyof A & string;
  confirm?: string | undefined;
};

export const change = <O extends AnyOperation>(operation: O, args: ArgsOf<O>, words: Words<AnswerOf<O>>): Change =>
  ({ ...words, operation, args }) as unknown as Change;

/** Settings that have one value are told together. */
function told(settings: readonly Setting[], ignored: readonly string[]): string {
  const names = new Map<string, string[]>();
  for (const { parameter, name, value } of settings)
    if (!ignored.includes(parameter)) names.set(value, [...(names.get(value) ?? []), name]);
  return [...names].map(([value, alike]) => `${alike.join(", ")} set to ${value}`).join("; ") || "nothing set";
}

/** The sentence to print when it is done, but for parameters that the server has `ignored`. */
export function sentenceOf(
  { done, target, settings, words }: Change,
  answer: Readonly<Record<string, unknown>>,
  ignored: readonly string[] = [],
): string {
  const set = settings && { settings: told(settings, ignored) };
  const known: Record<string, unknown> = { ...answer, ...words, ...set, target };
  return done.replace(/( ?)\{(\w+)\}/g, (_, blank: string, name: string) => {
    const value = Object.hasOwn(known, name) ? known[name] : undefined;
    return value === undefined ? "" : `${blank}${Array.isArray(value) ? value.join(", ") : value}`;
  });
}

/** Ids of what was created, for `-o ids`. */
export function createdBy({ ids }: Change, answer: Readonly<Record<string, unknown>>): unknown[] {
  const value = ids === undefined ? undefined : answer[ids];
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}

/** What became of one change. */
export type Delivery =
  | { outcome: "done"; answer: Record<string, unknown>; ignored: string[] }
  | { outcome: "refused" | "unknown" | "not_sent"; failure: Failure };
