/** Lists of members, for merging, settling, comparing and reporting. */
import type { AnswerOf, AnyOperation, ArgsOf } from "./operation.ts";

/** The kind of members. */
export type MemberOf = "user" | "group";

/** The flags that add, remove, and set all members. */
export interface MemberFlags {
  readonly added: string;
  readonly removed: string;
  readonly whole: string;
}

/** What lists of one kind have in common. */
interface MemberRules {
  readonly kind: MemberOf;
  readonly flags: MemberFlags;
  /** The server's error for an existing member. Absent if the server accepts it. */
  readonly memberError?: (id: number) => string;
  /** The server's error for the removal of somebody who is not a member. */
  readonly nonMemberError?: (id: number) => string;
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
export interface Membership extends MemberList, MemberRules {
  readonly added: readonly number[];
  readonly removed: readonly number[];
}

/** A kind of list. Each thing has one. */
export interface MemberKind extends MemberRules {
  /** Returns the list of the thing with this id. */
  of(id: number): MemberList;
}

export const memberKind = <O extends AnyOperation>({
  list,
  read,
  args,
  members,
  ...rules
}: MemberRules & {
  readonly list: (id: number) => string;
  readonly read: O;
  readonly args: (id: number) => ArgsOf<O>;
  readonly members: (answer: AnswerOf<O>) => readonly number[];
}): MemberKind => ({ ...rules, of: (id) => ({ list: list(id), read, args: args(id), members }) });

export const membership = (
  { of, ...rules }: MemberKind,
  id: number,
  added: readonly number[] = [],
  removed: readonly number[] = [],
): Membership => ({ ...of(id), ...rules, added, removed });
