/** Compares desired with current values, by parameter. */

import { type Fields, hasMembers } from "../common/object-members.ts";
import { sameWho } from "../model/permission.ts";
import { argumentsOf, paramOf } from "../wire/call.ts";
import type { AnyOperation, UncheckedCall } from "../wire/operation.ts";
import type { Param } from "../wire/params.ts";

export type Desired = ReadonlyMap<string, unknown>;

/** A group setting is sent with its expected value. `new` is the desired one. */
const settled = ({ of }: Param, value: unknown): unknown =>
  of === "who" && hasMembers(value) && "new" in value ? value.new : value;

/** Returns the desired values as a server stores them, by parameter. Path parameters identify the thing. */
export function desiredOf({ operation, args }: UncheckedCall): Desired {
  const { params, path, before, sets } = operation;
  // What a call deletes besides cannot be read, so it always counts as a difference.
  if (sets)
    return new Map([...Object.entries(sets), ...Object.entries(args).filter(([name]) => params[name]?.harmfulBelow)]);
  const kept = before?.stored?.(args) ?? {};
  const desired = new Map<string, unknown>();
  for (const [name, param, value] of argumentsOf({ operation, args }))
    if (!path.includes(`{${name}}`)) desired.set(name, settled(param, kept[name] === undefined ? value : kept[name]));
  return desired;
}

const isByField = (value: unknown): value is { id: unknown }[] =>
  Array.isArray(value) && value.every((each) => hasMembers(each) && "id" in each);

/** Returns both values of a parameter. Custom profile fields are values of one parameter. */
export const joinValues = (earlier: unknown, later: unknown): unknown =>
  isByField(earlier) && isByField(later)
    ? [...earlier.filter(({ id }) => !later.some((each) => each.id === id)), ...later]
    : later;

/** Returns the values with what was set since. */
export function withSet(values: Fields, set: Fields): Fields {
  const replaced = Object.entries(set).map(([name, later]) => {
    const value = values[name];
    const isPart = isByField(value) && isByField(later);
    return [name, isPart ? value.map((each) => later.find(({ id }) => id === each.id) ?? each) : later];
  });
  return { ...values, ...Object.fromEntries(replaced) };
}

/** The order matters in lists, except in lists of members. */
function same(one: unknown, other: unknown): boolean {
  if (!hasMembers(one) || !hasMembers(other)) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one).filter((name) => one[name] !== undefined);
  return (
    names.length === Object.keys(other).filter((name) => other[name] !== undefined).length &&
    names.every((name) => same(one[name], other[name]))
  );
}

/** Returns whether two values are equal to the server. */
export const sameValue = (param: Param | undefined, one: unknown, other: unknown): boolean =>
  param?.of === "who" ? sameWho(one, other) : same(one, other);

/** Returns the desired parameters whose current value is another, or is not known. */
export const differingIn = (
  operation: AnyOperation,
  desired: Desired,
  current: Readonly<Record<string, unknown>>,
): string[] =>
  [...desired.keys()].filter(
    (name) =>
      current[name] === undefined ||
      !sameValue(paramOf(operation, name, desired.get(name)), desired.get(name), current[name]),
  );
