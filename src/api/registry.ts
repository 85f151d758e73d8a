/** All operations and lists of members by name. */
import { type KindName, kinds } from "../model/kinds/index.ts";
import type { Kind, KindCall } from "../model/kinds/kind.ts";
import type { ListName } from "../model/kinds/lists.ts";
import type { ListKind } from "../wire/membership.ts";
import type { AnyOperation, UncheckedCall } from "../wire/operation.ts";
import * as all from "./all.ts";
import { registerPart } from "./events.ts";

const isOperation = (value: unknown): value is AnyOperation =>
  typeof value === "object" && value !== null && "method" in value && "path" in value && "params" in value;

type Known = Extract<(typeof all)[keyof typeof all], AnyOperation>;
export type OperationName = Known["name"];
export type OperationBy<N extends OperationName> = Extract<Known, { readonly name: N }>;

/** The kinds. It does not compile if one names an operation that does not exist. */
const stated: Readonly<Record<KindName, Kind<OperationName>>> = kinds;

const byName = new Map(
  Object.values(all)
    .filter(isOperation)
    .map((operation) => [operation.name, operation]),
);

export const operationNamed = (name: string): AnyOperation | undefined => byName.get(name);

/** Returns the operation of a call that the statement of a kind names. */
export function statedOperation({ operation }: Pick<KindCall, "operation">): AnyOperation {
  const found = byName.get(operation);
  if (!found) throw new Error(`a kind names an operation that does not exist: ${operation}`);
  return found;
}

/** Returns the call that reads all things of a kind. */
export function readOf(name: KindName): UncheckedCall {
  const { read } = stated[name];
  return { operation: statedOperation(read), args: read.parts ? registerPart(...read.parts) : (read.args ?? {}) };
}

const isList = (value: unknown): value is ListKind =>
  typeof value === "object" && value !== null && "flags" in value && "of" in value;

/** By name, the lists of members. */
const lists = new Map(
  Object.values(all)
    .filter(isList)
    .map((list) => [list.name, list]),
);

export function memberKindNamed(name: ListName): ListKind {
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
