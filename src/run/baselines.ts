/**
 * What is there before a change that is made from it, as one that says all of a thing where only a part was given. Each
 * list is read once a run, and what earlier rows of a batch make of a thing counts for later ones.
 */
import type { Server } from "../client/server.ts";
import type { AnswerOf, AnyOperation, ArgsOf } from "../wire/operation.ts";
import type { Context } from "./context.ts";

export class Baselines {
  /** Only what stands before this line counts as earlier. */
  line = Number.POSITIVE_INFINITY;
  readonly #server: () => Promise<Server>;
  readonly #read = new Map<string, Promise<unknown>>();
  /** By thing, the lines that change it, with what it is from then on. */
  readonly #made = new Map<string, Map<number, unknown>>();

  constructor(server: () => Promise<Server>) {
    this.#server = server;
  }

  /** The answer to a read, the same one each time; a failure is the same too. */
  read<O extends AnyOperation>(operation: O, args: ArgsOf<O>): Promise<AnswerOf<O> & Record<string, unknown>> {
    return this.once(`${operation.name} ${JSON.stringify(args)}`, (server) => server.lookUp(operation, args));
  }

  /** The same of several requests that together are the read called `what`. */
  once<T>(what: string, read: (server: Server) => Promise<T>): Promise<T> {
    const reading = this.#read.get(what) ?? this.#server().then(read);
    this.#read.set(what, reading);
    return reading as Promise<T>;
  }

  /** What the last of the earlier rows makes of the thing, `linkifier 7`; undefined where none changes it. */
  earlier<T>(thing: string): T | undefined {
    let last = Number.NEGATIVE_INFINITY;
    let value: unknown;
    for (const [line, made] of this.#made.get(thing) ?? [])
      if (line < this.line && line > last) [last, value] = [line, made];
    return value as T | undefined;
  }

  /** Says what the row in hand makes of the thing. */
  becomes(thing: string, value: unknown): void {
    const made = this.#made.get(thing) ?? new Map<number, unknown>();
    this.#made.set(thing, made.set(this.line, value));
  }
}

/** Those of the run, or of this one command. */
export const baselinesOf = ({ baselines, server }: Context): Baselines => baselines ?? new Baselines(server);
