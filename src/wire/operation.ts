/** An API call stated once: from it come the request, the dry run, the level check, the check of the answer and the sandbox's route. */
import type { Args, Params } from "./params.ts";
import { object, type Type } from "./types.ts";

/** How changes to one target become one request. */
export interface Merging<A> {
  /** Changes with equal keys may become one. */
  key(args: A): string;
  /** How many rows' worth one change holds: members, drafts. */
  size(args: A): number;
  largest: number;
  combine(all: readonly A[]): A;
  /** The part of a merged answer that belongs to the nth of the changes combined; the whole answer where absent. */
  share?(answer: Record<string, unknown>, n: number): Record<string, unknown>;
}

export interface Operation<P extends Params = Params, R = unknown> {
  /** As contracts and journals name it: `channel.update`. */
  readonly name: string;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Below `/api/v1`; `{name}` is filled by the parameter of that name. */
  readonly path: string;
  readonly doc: string;
  readonly since?: number;
  readonly params: P;
  readonly result: Type<R>;
  /** Needs no credentials and sends none. */
  readonly anonymous?: boolean;
  /** From this level on the server says that it will go away. */
  readonly deprecated?: number;
  /** One request may apply some parameters and refuse others. */
  readonly piecemeal?: boolean;
  readonly merging?: Merging<Args<P>>;
}

// biome-ignore lint/suspicious/noExplicitAny: stands for operations of every shape.
export type AnyOperation = Operation<any, any>;
export type ArgsOf<O> = O extends Operation<infer P, unknown> ? Args<P> : never;
export type AnswerOf<O> = O extends Operation<infer _, infer R> ? R : never;

type Stated<P extends Params, E> = Omit<Operation<P>, "result"> & { result: E };

/** `result` lists the members the answer must have; others pass through. */
export const operation = <P extends Params, const E extends Parameters<typeof object>[0]>(
  stated: Stated<P, E>,
): Operation<P, ReturnType<typeof object<E>> extends Type<infer R> ? R : never> =>
  ({ ...stated, result: object(stated.result) }) as never;

export const reads = ({ method }: AnyOperation): boolean => method === "GET";
