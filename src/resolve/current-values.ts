/** The current values of things. Each kind is read once, and changes of earlier rows count. */

import type { Server } from "../client/server.ts";
import type { Fields } from "../common/object-members.ts";
import type { AnyOperation, ArgsOf, PreviousRead } from "../wire/operation.ts";
import { withSet } from "./desired.ts";

// biome-ignore lint/suspicious/noExplicitAny: stands for those of every operation.
type AnyBefore = PreviousRead<any>;

/** The changes that earlier rows make to a thing. */
export interface EarlierValues {
  /** The values that they set, by parameter. */
  valuesOf(target: string): ReadonlyMap<string, unknown>;
  /** Returns whether an earlier row creates it. */
  creates(thing: string): boolean;
  /** Returns whether an earlier row changes or removes a thing that can be created. */
  touches(target: string): boolean;
}

/** Returns the records of a list in an answer. */
export const recordsIn = (answer: Fields, list: string): readonly Fields[] => answer[list] as Fields[];

export interface CurrentRecord {
  /** The current values by parameter. */
  readonly values: Readonly<Fields>;
  /** Parameters whose values an earlier row of the run sets. */
  readonly setEarlier: ReadonlySet<string>;
  /** The server's answer about the thing. */
  readonly read: Readonly<Fields>;
}

export class CurrentValues {
  /** The things in each answer, by the member that identifies them. */
  readonly #things = new WeakMap<Fields, ReadonlyMap<unknown, Fields>>();

  constructor(
    private readonly server: () => Promise<Server>,
    private readonly earlier?: EarlierValues,
  ) {}

  /**
   * Returns what the operation would replace. Undefined if the thing is not found. `alone`: nothing else will be read,
   * so reading one thing is enough. Throws the `Failure` of the read, the same each time.
   */
  async of<O extends AnyOperation>(
    operation: O,
    args: Partial<ArgsOf<O>>,
    { alone: single = false }: { alone?: boolean } = {},
  ): Promise<CurrentRecord | undefined> {
    return this.read(operation, operation.before!, args, { alone: single });
  }

  /** The same by another statement. */
  async read(
    operation: AnyOperation,
    { read, argsOf, inList, values }: AnyBefore,
    args: Fields,
    { alone: single = false }: { alone?: boolean } = {},
  ): Promise<CurrentRecord | undefined> {
    const server = await this.server();
    const question = argsOf ? argsOf(args, { level: await server.level(), single }) : {};
    const answer = await server.lookUp(read, question);
    const found = inList ? this.#thingsIn(answer, inList).get(inList.idOf(args)) : answer;
    if (!found) return undefined;
    const target = operation.target?.(args);
    const set = target === undefined ? undefined : this.earlier?.valuesOf(target);
    return {
      values: withSet(values(found, args), Object.fromEntries(set ?? [])),
      setEarlier: new Set(set?.keys()),
      read: found,
    };
  }

  /** Returns what earlier rows of the run set of a thing, by parameter. */
  setEarlier(thing: string): ReadonlyMap<string, unknown> {
    return this.earlier?.valuesOf(thing) ?? new Map();
  }

  /** Returns whether an earlier row of the run changes or removes it. */
  isTouchedEarlier(target: string): boolean {
    return this.earlier?.touches(target) ?? false;
  }

  /** Returns whether an earlier row of the run creates it. */
  isCreatedEarlier(thing: string): boolean {
    return this.earlier?.creates(thing) ?? false;
  }

  #thingsIn(answer: Fields, { list, id }: NonNullable<AnyBefore["inList"]>): ReadonlyMap<unknown, Fields> {
    const known = this.#things.get(answer);
    if (known) return known;
    const things = new Map(recordsIn(answer, list).map((record) => [record[id], record]));
    this.#things.set(answer, things);
    return things;
  }
}

/** Returns the values of the run, or of this command. */
export const currentValuesOf = (context: { currentValues?: CurrentValues; server(): Promise<Server> }): CurrentValues =>
  (context.currentValues ??= new CurrentValues(context.server));
