/** Lists of members: each kind is stated once, and merging, settling, comparing, asking and reporting go by that. */
import type { AnswerOf, AnyOperation, ArgsOf } from "./operation.ts";

/** What is in a list. */
export type MemberOf = "user" | "group";

/** The flags that add, remove, and say all there is to be. */
export interface MemberFlags {
  readonly added: string;
  readonly removed: string;
  readonly whole: string;
}

/** What a server says of members where it refuses a change whole for one of them. */
interface Refusals {
  /** Of one who is there already, and of one who is not there. Absent where the server takes either for done. */
  readonly there?: (id: number) => string;
  readonly absent?: (id: number) => string;
}

/** One list, and the read that gives it. */
export interface MemberList {
  /** What the list belongs to, and what it holds: `/user_groups/7 users`. */
  readonly list: string;
  readonly read: AnyOperation;
  readonly args: Record<string, unknown>;
  /** Throws a `Failure` where the answer does not tell. */
  members(answer: Record<string, unknown>): readonly number[];
}

/** What a change adds to a list and removes from it. */
export interface Membership extends MemberList, Refusals {
  readonly kind: MemberOf;
  readonly added: readonly number[];
  readonly removed: readonly number[];
  readonly flags: MemberFlags;
}

/** A kind of list, one of which belongs to each thing. */
export interface MemberKind extends Refusals {
  readonly kind: MemberOf;
  readonly flags: MemberFlags;
  /** The list of the thing with this id. */
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
