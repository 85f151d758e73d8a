import { everyGroup, type Group, getGroups, getMembers, getSubgroups } from "../../api/groups.ts";
import { formOf } from "../../argv/flags.ts";
import type { Listing } from "../../output/form.ts";
import type { Context } from "../../run/context.ts";
import { labels } from "../../run/labels.ts";
import { type Person, peopleOf, userColumns } from "../users/people.ts";

interface Owner {
  id: number;
  typed: string;
}

/** By person, the groups that they are direct members of: the group itself, or those below it. */
function ways(all: readonly Group[], id: number): Map<number, Group[]> {
  const groups = new Map(all.map((group) => [group.id, group]));
  const through = new Map<number, Group[]>();
  const met = new Set([id]);
  for (const each of met) {
    const group = groups.get(each);
    for (const member of group?.members ?? []) through.set(member, [...(through.get(member) ?? []), group!]);
    for (const below of group?.direct_subgroup_ids ?? []) met.add(below);
  }
  return through;
}

type Member = Person & { through?: number[] };

/** Members of the group and of all groups below it, with the groups that make them so. */
async function everybody(context: Context, { id: user_group_id }: Owner): Promise<Listing<Member>> {
  const { ask, flags, server } = context;
  const members = [...new Set((await ask(getMembers, { user_group_id })).members)];
  const people: Member[] = await peopleOf(context, members, "<group>");
  const form = formOf(flags);
  const alone = form === "ids" || form === "none";
  const to = await server();
  // A deactivated group still lends its members to the groups above it.
  const through = alone ? new Map() : ways((await to.call(getGroups, everyGroup)).user_groups, user_group_id);
  const waysOf = ({ user_id }: Person): Group[] => through.get(user_id) ?? [];
  const records = people.map((one) => ({ ...one, through: waysOf(one).map(({ id }) => id) }));
  return {
    kind: "listing",
    records: alone ? people : records,
    id: ({ user_id }) => user_id,
    columns: [
      ...userColumns,
      {
        head: "THROUGH",
        value: (one) => {
          const all = waysOf(one);
          return all.some(({ id }) => id === user_group_id) ? "direct" : all.map(({ name }) => name).join(", ");
        },
        importance: "high",
      },
    ],
  };
}

/** Direct members, as records of people; a note names the subgroups. */
async function direct(context: Context, { id: user_group_id, typed: group }: Owner): Promise<Listing<Person>> {
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

export const show = (
  context: Context,
  group: Owner,
  { recursive }: Readonly<Record<string, unknown>>,
): Promise<Listing<Person>> => (recursive ? everybody(context, group) : direct(context, group));
