/** What a change sets, beside what is there: both under the names of its parameters. */
import type { GroupSetting } from "../api/group-setting.ts";
import type { Call } from "../wire/call.ts";
import type { Param } from "../wire/params.ts";

export type Wishes = ReadonlyMap<string, unknown>;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** A group setting travels with what it was expected to be; what it is to be is `new`. */
const settled = ({ of }: Param, value: unknown): unknown =>
  of === "who" && isObject(value) && "new" in value ? value.new : value;

/** What is set, as a server keeps it, by parameter; parameters of the path say of what. */
export function wishesOf({ operation, args }: Call): Wishes {
  const { params, path, before } = operation;
  const kept = before?.kept?.(args) ?? {};
  const wishes = new Map<string, unknown>();
  for (const [name, param] of Object.entries<Param>(params))
    if (args[name] !== undefined && !path.includes(`{${name}}`))
      wishes.set(name, settled(param, kept[name] === undefined ? args[name] : kept[name]));
  return wishes;
}

/** One group alone is its id, whichever way it is written. */
const canonical = (value: GroupSetting): GroupSetting =>
  typeof value === "object" && !value.direct_members.length && value.direct_subgroups.length === 1
    ? value.direct_subgroups[0]!
    : value;

const sameIds = (some: readonly number[], others: readonly number[]): boolean => {
  const all = new Set(some);
  return all.size === new Set(others).size && others.every((id) => all.has(id));
};

function sameWho(one: GroupSetting, other: GroupSetting): boolean {
  const [a, b] = [canonical(one), canonical(other)];
  if (typeof a !== "object" || typeof b !== "object") return a === b;
  return sameIds(a.direct_members, b.direct_members) && sameIds(a.direct_subgroups, b.direct_subgroups);
}

/** Members in any order, lists in theirs. */
function same(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one).filter((name) => one[name] !== undefined);
  return (
    names.length === Object.keys(other).filter((name) => other[name] !== undefined).length &&
    names.every((name) => same(one[name], other[name]))
  );
}

/** Whether two values of a parameter are one to the server. */
export const sameValue = ({ of }: Param, one: unknown, other: unknown): boolean =>
  of === "who" ? sameWho(one as GroupSetting, other as GroupSetting) : same(one, other);
