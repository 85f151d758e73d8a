/** What the sections have in common when they say what a difference takes. */
import type { FieldChange, Values } from "../difference.ts";
import type { Snapshot } from "../snapshot.ts";
import type { Draft } from "./draft.ts";
import type { Ids } from "./ids.ts";

export interface OrderContext {
  readonly snapshot: Snapshot;
  readonly ids: Ids;
  /** Of the caller. */
  readonly me: number;
  /** Names that things have for a while, by the number of the difference: others want theirs, and wait in a circle. */
  readonly asides: ReadonlyMap<number, string>;
  /** Nobody can have the name of somebody else at any moment. */
  readonly uniqueNames: boolean;
  /** What is made before what in an ordered section, by the numbers of the differences. */
  readonly turns: ReadonlyMap<number, number>;
  /** People who are brought back: groups that they were in have them again, which nobody could see before. */
  readonly returning: ReadonlySet<number>;
  /** People in one request at most. */
  readonly portion: number;
}

/** By attribute, what is to be. */
export const valuesOf = (fields: readonly FieldChange[]): Values =>
  Object.fromEntries(fields.map(({ field, to }) => [field, to]));

/** Without members that are undefined. */
export const given = <T extends object>(all: T): T =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as T;

/** What is in the first list and not in the second. */
export function without<T>(list: unknown, other: unknown): T[] {
  const words = new Set(((other ?? []) as T[]).map((each) => JSON.stringify(each)));
  return ((list ?? []) as T[]).filter((each) => !words.has(JSON.stringify(each)));
}

/** One request, of which nothing can go apart. */
export const whole = (draft: Omit<Draft, "pieces">): Draft => ({ ...draft, pieces: [] });

/** What takes a server longer than a minute gets no answer. */
export const largestPortion = 500;

/** What stands in one request each. */
export const portions = <T>({ portion }: OrderContext, all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / portion) }, (_, n) => all.slice(n * portion, (n + 1) * portion));

/** What the requests of one kind are called: `members`, `members 2`. */
export const numbered = (part: string, nth: number): string => (nth === 0 ? part : `${part} ${nth + 1}`);
