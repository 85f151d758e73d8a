/** Lists of members, as operations state them. */
import type { MemberKind } from "../model/kinds/kind.ts";
import type { ListName } from "../model/kinds/lists.ts";

/** The flags that add, remove, and set all members. */
export interface MemberFlags {
  readonly added: string;
  readonly removed: string;
  readonly whole: string;
}

/** What lists of one kind have in common. */
export interface MemberRules {
  readonly name: ListName;
  /** One member, for people: `subscriber`. */
  readonly one: string;
  readonly kind: MemberKind;
  readonly flags: MemberFlags;
  /** The server's error for an existing member. Absent if the server accepts it. */
  readonly memberError?: (id: number) => string;
  /** The server's error for the removal of somebody who is not a member. */
  readonly nonMemberError?: (id: number) => string;
}

/** One list, and the read that returns it. */
export interface MemberListBy<R> {
  /** The thing and the list: `group 7 members`. */
  readonly list: string;
  /** The id of the thing. */
  readonly owner: number;
  readonly read: R;
  readonly args: Record<string, unknown>;
  /** Throws a `Failure` if the answer has no members. */
  members(answer: Record<string, unknown>): readonly number[];
}

/** What a change adds to a list and removes from it. */
export interface MembershipBy<R> extends MemberListBy<R>, MemberRules {
  readonly added: readonly number[];
  readonly removed: readonly number[];
}
