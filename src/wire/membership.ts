/** Lists of members. Merging, settling, comparing, asking and reporting use these definitions. */
import type { AnswerOf, AnyOperation, ArgsOf } from "./operation.ts";

/** The kind of members. */
export type MemberOf = "user" | "group";

/** The flags that add, remove, and set all members. */
export interface MemberFlags {
  readonly added: string;
  readonly removed: string;
  readonly whole: string;
}

/** The server's errors if one member makes it refuse a change. */
interface Refusals {
  /** For an existing member, and for somebody who is not a member. Absent if the server accepts it. */
  readonly there?: (id: number) => string;
  readonly absent?: (id: number) => string;
}

/** One list, and the read that returns it. */
export interface MemberList {
  /** The owner and the kind of members: `/user_groups/7 users`. */
  readonly list: string;
  readonly read: AnyOperation;
  readonly args: Record<string, unknown>;
  /** Throws a `Failure` if the answer has no members. */
  members(answer: Record<string, unknown>): readonly number[];
}

/** What a change adds to a list and removes from it. */
export interface Membership extends MemberList, Refusals {
  readonly kind: MemberOf;
  readonly added: readonly number[];
  readonly removed: readonly number[];
  readonly flags: MemberFlags;
}

/** A kind of list. Each thing has one. */
export interface MemberKind extends Refusals {
  readonly kind: MemberOf;
  readonly flags: MemberFlags;
  /** Returns the list of the thing with this id. */
  of(id: number): MemberList;
}

interface Stated<O extends AnyOperation> extends Refusals {
  readonly kind: MemberOf;
  readonly flags: MemberFlags;
  readonly list: (id: number) => string;
  readonly read: O;
  readonly args: (id: number) => ArgsOf<O>;
  readonly members: (answer: AnswerOf<O>) => readonly number[];
}

export const memberKind = <O extends AnyOperation>({ list, read, args, members, ...rest }: Stated<O>): MemberKind => ({
  ...rest,
  of: (id) => ({ list: list(id), read, args: args(id), members }),
});

export const membership = (
  { of, kind, flags, there, absent }: MemberKind,
  id: number,
  added: readonly number[] = [],
  removed: readonly number[] = [],
): Membership => ({ ...of(id), kind, flags, there, absent, added, removed });
