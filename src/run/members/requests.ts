/** Turns the part of a list of members that one call changes into requests. */

import { counted } from "../../common/counted.ts";
import type { Question } from "../../common/question.ts";
import { type Change, change, noChanges } from "../../engine/change.ts";
import type { CurrentMembers } from "../../resolve/member-lists.ts";
import type { ListChange, MemberCall, MemberListSpec, MembersSpec, Owner, TypedCall } from "./spec.ts";

/** The channel or group with its name. */
export type NamedOwner = Owner & { readonly name: string };

/** The members that were read. */
export type CurrentLists = ReadonlyMap<MemberListSpec, CurrentMembers>;

export const changesNobody = (lists: readonly ListChange[]): boolean =>
  lists.every(({ added, removed }) => !added.length && !removed.length);

/** Returns the part of the change that a call makes. */
export const partOfCall = ({ params }: MemberCall, desired: readonly ListChange[]): ListChange[] =>
  desired.map(({ list, added, removed }, n) => ({
    list,
    added: params[n]?.added === undefined ? [] : added,
    removed: params[n]?.removed === undefined ? [] : removed,
  }));

export const onlyRemoves = ({ params }: MemberCall): boolean => params.every(({ added }) => added === undefined);

/** Splits lists that are too long for one request. A call that is one transaction stays whole. */
export function pieces({ calls }: MembersSpec, { operation }: MemberCall, part: ListChange[]): ListChange[][] {
  const largest = calls.length > 1 ? operation.merging?.largest : undefined;
  const length = Math.max(...part.flatMap(({ added, removed }) => [added.length, removed.length]));
  if (largest === undefined || length <= largest) return [part];
  const cut = (ids: readonly number[], from: number) => ids.slice(from, from + largest);
  return Array.from({ length: Math.ceil(length / largest) }, (_, n) =>
    part.map(({ list, added, removed }) => ({
      list,
      added: cut(added, n * largest),
      removed: cut(removed, n * largest),
    })),
  );
}

/** Returns what a piece still has to change. */
export const missingFrom = (lists: CurrentLists, piece: readonly ListChange[]): ListChange[] =>
  piece.map(({ list, added, removed }) => {
    const has = (id: number) => lists.get(list)?.has(id) ?? false;
    return { list, added: added.filter((id) => !has(id)), removed: removed.filter(has) };
  });

/** Formats `2 members added, 1 subgroup removed`. */
const wordsOf = (lists: readonly ListChange[]): string =>
  lists
    .flatMap(({ list: { kind }, added, removed }) => [
      ...(added.length ? [`${counted(added.length, kind.one)} added`] : []),
      ...(removed.length ? [`${counted(removed.length, kind.one)} removed`] : []),
    ])
    .join(", ");

/** What the changes of one channel or group have in common. */
interface OwnerChange {
  readonly spec: MembersSpec;
  readonly owner: NamedOwner;
  /** The values of the flags. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The question before people are removed. */
  readonly confirm?: Question | undefined;
}

/** Returns the arguments of a call that changes these lists. */
export function memberArgs(
  { spec, owner, values }: OwnerChange,
  { operation, args, params }: MemberCall,
  piece: readonly ListChange[],
) {
  const more = Object.entries(spec.more?.(values) ?? {}).filter(([name]) => name in operation.params);
  const all = { ...args(owner), ...Object.fromEntries(more) };
  for (const [n, { added, removed }] of piece.entries()) {
    if (added.length) all[params[n]!.added!] = added;
    if (removed.length) all[params[n]!.removed!] = removed;
  }
  return all;
}

/** Returns the change of a piece. `more`: what it also states. */
export function memberChange(
  common: OwnerChange,
  call: TypedCall,
  piece: readonly ListChange[],
  more: Partial<Change> = {},
): Change {
  const { spec, owner, confirm } = common;
  return change(call.operation, memberArgs(common, call, piece), {
    target: owner.typed,
    done: more.unchanged ? noChanges : "Updated {of} {target}: {members}.",
    words: { of: spec.of, members: wordsOf(piece) },
    flags: call.flags,
    verifyWith: `zulipctl ${spec.checkCommand} ${owner.id}`,
    ...(onlyRemoves(call) && { afterAdditions: true }),
    ...(confirm && piece.some(({ removed }) => removed.length) && { confirm }),
    ...more,
  });
}
