/** All lists of people and groups that belong to things. */
import { keyBy } from "../../common/group-by.ts";
import { everyKind, type KindName, kindNamed, type kinds } from "./index.ts";
import type { KindList, KindListCall } from "./kind.ts";

/** A list by its kind and its plural: `channel subscribers`. */
export type ListName = {
  [K in KindName]: (typeof kinds)[K] extends { readonly lists: infer L } ? `${K} ${keyof L & string}` : never;
}[KindName];

/** What is stated of a list, with its names. */
export interface StatedList extends KindList {
  readonly name: ListName;
  readonly kind: KindName;
  readonly plural: string;
  /** The kind has no list before it. */
  readonly isFirst: boolean;
}

export const everyList: readonly StatedList[] = everyKind.flatMap(([kind, { lists = {} }]) =>
  Object.entries(lists).map(([plural, list], n) => ({
    ...{ ...list, kind, plural, isFirst: n === 0 },
    name: `${kind} ${plural}` as ListName,
  })),
);

const byName = keyBy(everyList, ({ name }) => name);

export function listNamed(name: ListName): StatedList {
  const list = byName.get(name);
  if (!list) throw new Error(`no kind states the list ${name}`);
  return list;
}

/** Returns the list that an attribute of organization files is. Undefined for others. */
export const listIn = (section: string, attribute: string): StatedList | undefined =>
  everyList.find(({ kind, plural }) => plural === attribute && kindNamed(kind).section === section);

/** Returns the actions for a member who comes and one who goes, in `watch` and the log of an export. */
export const listActions = ({ joined, left }: KindList): readonly [joined: string, left: string] => [
  joined?.[0] ?? "member_added",
  left?.[0] ?? "member_removed",
];

/** The attributes of organization files that are lists. */
export const listAttributes: ReadonlySet<string> = new Set(everyList.map(({ plural }) => plural));

/** Returns whether an attribute of organization files is a list of people. */
export const isListOfPeople = (attribute: string): boolean =>
  everyList.some(({ plural, of }) => of === "user" && plural === attribute);

/** Names the list of one thing: `channel 7 subscribers`. */
export const listKey = ({ kind, plural }: Pick<StatedList, "kind" | "plural">, id: number): string =>
  `${kind} ${id} ${plural}`;

/** Returns the arguments of a call for the list of a thing. */
export const listArguments = (
  { thing, members, named }: KindListCall,
  { id, name = "" }: { readonly id: number; readonly name?: string | undefined },
  ids: readonly number[],
): Record<string, unknown> => ({ [thing]: id, ...named?.(name), [members]: ids });

/** The largest number of people in one request. Servers would take too long for more. */
export const largestPortion = 500;

/** Splits people into lists for one request each. */
export const portions = <T>(all: readonly T[], portion = largestPortion): T[][] =>
  Array.from({ length: Math.ceil(all.length / portion) }, (_, n) => all.slice(n * portion, (n + 1) * portion));
