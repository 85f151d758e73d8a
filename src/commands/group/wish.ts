/** What is to become of a group's members and subgroups, as a change. */
import { updateMembers } from "../../api/groups.ts";
import { type Change, change } from "../../engine/change.ts";
import { memberFlags } from "./flags.ts";

export interface Wish {
  user_group_id: number;
  add: number[];
  delete: number[];
  add_subgroups: number[];
  delete_subgroups: number[];
}

const count = (ids: readonly number[], what: string, verb: string) =>
  ids.length ? [`${ids.length} ${what}${ids.length === 1 ? "" : "s"} ${verb}`] : [];

/** `2 members added`, `1 subgroup removed`; none where nothing is wished for. */
export const wordsOf = (wish: Wish): string[] => [
  ...count(wish.add, "member", "added"),
  ...count(wish.delete, "member", "removed"),
  ...count(wish.add_subgroups, "subgroup", "added"),
  ...count(wish.delete_subgroups, "subgroup", "removed"),
];

const some = (ids: number[]) => (ids.length ? ids : undefined);

export const argsOf = ({ user_group_id, ...lists }: Wish) => ({
  user_group_id,
  add: some(lists.add),
  delete: some(lists.delete),
  add_subgroups: some(lists.add_subgroups),
  delete_subgroups: some(lists.delete_subgroups),
});

export type Manner = Pick<Change, "confirm" | "asked" | "unchanged" | "ifChanged" | "whole">;

export function changeOf(wish: Wish, group: string, manner: Manner = {}): Change {
  const words = manner.unchanged ? ["nothing to change"] : wordsOf(wish);
  return change(updateMembers, argsOf(wish), {
    target: group,
    done: `Group {target}: ${words.join(", ")}.`,
    flags: memberFlags,
    verifyWith: `zulipctl group members ${wish.user_group_id}`,
    ...manner,
  });
}
