/** All operations and lists of members by name. */
import type { ListName } from "../model/kinds/lists.ts";
import type { MemberKind } from "../wire/membership.ts";
import type { AnyOperation } from "../wire/operation.ts";
import * as all from "./all.ts";

const isOperation = (value: unknown): value is AnyOperation =>
  typeof value === "object" && value !== null && "method" in value && "path" in value && "params" in value;

const byName = new Map(
  Object.values(all)
    .filter(isOperation)
    .map((operation) => [operation.name, operation]),
);

export const operationNamed = (name: string): AnyOperation | undefined => byName.get(name);

const isList = (value: unknown): value is MemberKind =>
  typeof value === "object" && value !== null && "flags" in value && "of" in value;

/** By name, the lists of members. */
const lists = new Map(
  Object.values(all)
    .filter(isList)
    .map((list) => [list.name, list]),
);

export function memberKindNamed(name: ListName): MemberKind {
  const list = lists.get(name);
  if (!list) throw new Error(`no module of the API makes the list ${name}`);
  return list;
}

export const operations = (): AnyOperation[] => [...byName.values()];

/** Returns the first feature level whose servers have an operation with these parameters. */
export function levelOf({ operation, args = {} }: { readonly operation: string; readonly args?: object }): number {
  const stated = operationNamed(operation);
  const params = Object.keys(args).map((name) => stated?.params[name]?.since ?? 0);
  return Math.max(stated?.since ?? 0, ...params);
}
