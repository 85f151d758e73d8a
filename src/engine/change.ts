/** A change is a value: what is to be sent, and the words around it. Nothing is sent by making one. */
import type { Failure } from "../errors.ts";
import type { AnswerOf, AnyOperation, ArgsOf } from "../wire/operation.ts";

export interface Change {
  operation: AnyOperation;
  args: Record<string, unknown>;
  /** What the person called the thing that is changed: `devs`, `7`. */
  target: string;
  /** The sentence to print when it is done: `Linkifier 7 added.` */
  sentence(answer: Record<string, unknown>): string;
  /** The command that shows whether it happened. */
  check: string;
  /** Ids of what was created, for `-o ids`. */
  ids(answer: Record<string, unknown>): number[];
  /** Why a person must confirm it: completes “This …”. Absent: nobody is asked. */
  grave?: string;
}

interface Words<A> {
  target: string;
  sentence: string | ((answer: A) => string);
  check: string;
  ids?: (answer: A) => number[];
  grave?: string;
}

const none = (): number[] => [];

export const change = <O extends AnyOperation>(operation: O, args: ArgsOf<O>, words: Words<AnswerOf<O>>): Change => {
  // A function made where the command line is read would keep all of that alive, for each of thousands of rows.
  const { sentence } = words;
  const said = typeof sentence === "string" ? () => sentence : sentence;
  return { ids: none, ...words, sentence: said, operation, args } as unknown as Change;
};

/** What became of one change. */
export type Delivery =
  | { outcome: "done"; answer: Record<string, unknown>; ignored: string[] }
  | { outcome: "refused" | "unknown" | "not_sent"; failure: Failure };
