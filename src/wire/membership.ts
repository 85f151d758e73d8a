/** Lists of members, for merging, checking, comparing and reporting. */
import type { AnswerOf, AnyOperation, ArgsOf, MemberList, MemberRules, Membership } from "./operation.ts";

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
): Membership =>
  // Spreads come last: an object that begins with one takes ten times as long, and as much memory, in every row of a batch.
  ({ added, removed, ...of(id), ...rules });
