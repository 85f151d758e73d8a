import { getMembers, getSubgroups } from "../../api/groups.ts";
import { formOf } from "../../argv/flags.ts";
import type { Listing } from "../../output/form.ts";
import type { Context } from "../../run/context.ts";
import { labels } from "../../run/labels.ts";
import { type Person, userColumns } from "../users/columns.ts";
import { peopleOf } from "../users/people.ts";

/** Direct members, as records of people; a note names the subgroups. */
export async function show(
  context: Context,
  { id: user_group_id, typed: group }: { id: number; typed: string },
): Promise<Listing<Person>> {
  const { ask, flags, server } = context;
  const { members } = await ask(getMembers, { user_group_id, direct_member_only: true });
  const subgroups =
    formOf(flags) === "table" && !flags.quiet
      ? (await (await server()).call(getSubgroups, { user_group_id, direct_subgroup_only: true })).subgroups
      : [];
  const called = await labels(context, "group", subgroups);
  return {
    kind: "listing",
    records: await peopleOf(context, members, "<group>"),
    id: ({ user_id }) => user_id,
    columns: userColumns,
    note: subgroups.length
      ? `These are the direct members. Group ${group} also has the members of ${subgroups.length === 1 ? "its subgroup" : "its subgroups"} ${subgroups.map(called).join(", ")}.`
      : undefined,
  };
}
