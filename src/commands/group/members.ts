import { allGroupsArgs, type Group, type GroupRecord, getGroups, getMembers, getSubgroups } from "../../api/groups.ts";
import { outputForm } from "../../argv/global-flags.ts";
import { type Columns, singleRecord } from "../../cli/columns.ts";
import type { Server } from "../../client/server.ts";
import { counted } from "../../common/counted.ts";
import { keyBy } from "../../common/group-by.ts";
import { reachableFrom } from "../../common/reachable.ts";
import { Refused } from "../../errors.ts";
import { groupPermissions } from "../../model/group.ts";
import type { AnySingle, Listing } from "../../output/form.ts";
import { timeCell } from "../../output/when.ts";
import type { Context } from "../../run/context.ts";
import { labels } from "../../run/labels.ts";
import type { Owner } from "../../run/members/spec.ts";
import type { NamedThing } from "../../run/named-thing.ts";
import { type ListedPerson, readPeople, userColumns } from "../users/list.ts";
import { withoutListed } from "../users/not-in.ts";

/** Returns the group and all groups below it. Deactivated groups count too. */
function withSubgroups(groups: ReadonlyMap<number, Group>, id: number): Group[] {
  const ids = reachableFrom([id], (group) => groups.get(group)?.direct_subgroup_ids);
  return [...ids].flatMap((group) => groups.get(group) ?? []);
}

/** Returns the groups that make somebody a member. */
const throughText = (through: readonly Group[], own: number): string =>
  through.some(({ id }) => id === own) ? "direct" : through.map(({ name }) => name).join(", ");

type GroupMember = ListedPerson & { through?: number[] };

/** Lists members of the group and of all groups below it, with those groups. */
async function listAll(context: Context, { id: user_group_id }: Owner): Promise<Listing<GroupMember>> {
  const { ask, flags, server } = context;
  const members = [...new Set((await ask(getMembers, { user_group_id })).members)];
  const people: GroupMember[] = await readPeople(context, members, "<group>");
  const form = outputForm(flags);
  if (form === "ids" || form === "none") return { kind: "listing", records: people, id: "user_id", columns: [] };
  const { user_groups } = await (await server()).call(getGroups, allGroupsArgs);
  const groups = withSubgroups(
    keyBy(user_groups, ({ id }) => id),
    user_group_id,
  );
  const membersOf = new Map(groups.map((group) => [group, new Set(group.members)]));
  const groupsOf = ({ user_id }: ListedPerson): Group[] => groups.filter((group) => membersOf.get(group)?.has(user_id));
  return {
    kind: "listing",
    records: people.map((person) => ({ ...person, through: groupsOf(person).map(({ id }) => id) })),
    id: "user_id",
    columns: [
      ...userColumns,
      { head: "THROUGH", value: (person) => throughText(groupsOf(person), user_group_id), importance: "high" },
    ],
  };
}

/** Lists direct members. A note names the subgroups. */
async function listDirect(
  context: Context,
  { id: user_group_id, typed: group }: Owner,
): Promise<Listing<ListedPerson>> {
  const { ask, flags, server } = context;
  const { members } = await ask(getMembers, { user_group_id, direct_member_only: true });
  const subgroups =
    outputForm(flags) === "table" && !flags.quiet
      ? (await (await server()).call(getSubgroups, { user_group_id, direct_subgroup_only: true })).subgroups
      : [];
  const label = await labels(context, "group", subgroups);
  return {
    kind: "listing",
    records: await readPeople(context, members, "<group>"),
    id: "user_id",
    columns: userColumns,
    note: subgroups.length
      ? `These are the direct members. Group ${group} also has the members of its subgroup${subgroups.length === 1 ? "" : "s"} ${subgroups.map(label).join(", ")}.`
      : undefined,
  };
}

export async function listGroupMembers(
  context: Context,
  group: Owner,
  { recursive, notIn, allowEmpty }: Readonly<Record<string, unknown>>,
): Promise<Listing<ListedPerson>> {
  const listing = recursive ? await listAll(context, group) : await listDirect(context, group);
  return withoutListed(context, listing, notIn, allowEmpty);
}

/** Describes groups by the number of their members. */
export async function describeGroups(server: Server): Promise<[id: number, description: string][]> {
  const { user_groups } = await server.call(getGroups, allGroupsArgs);
  return user_groups.map(({ id, name, members, direct_subgroup_ids: subgroups = [], deactivated }) => {
    const counts = [
      members.length && counted(members.length, "member"),
      subgroups.length && counted(subgroups.length, "subgroup"),
    ];
    return [id, `"${name}" (${deactivated ? "deactivated already" : counts.filter(Boolean).join(", ") || "empty"})`];
  });
}

const fields = (record: GroupRecord): Columns<GroupRecord> => ({
  ID: "id",
  Name: "name",
  Description: "description",
  Kind: { value: ({ is_system_group }) => (is_system_group ? "system group" : "made by people") },
  State: { value: ({ deactivated }) => (deactivated ? "deactivated" : "active") },
  Members: { names: "user", ids: ({ members }) => members },
  Subgroups: { names: "group", ids: ({ direct_subgroup_ids }) => direct_subgroup_ids },
  Creator: { names: "user", ids: ({ creator_id }) => creator_id },
  Created: { value: ({ date_created }) => timeCell(date_created) },
  ...Object.fromEntries(
    groupPermissions
      .filter((setting) => record[setting] !== undefined)
      .map((setting) => [setting, { who: (group: GroupRecord) => group[setting] }]),
  ),
});

/** Servers only list all groups. */
export async function showGroup(context: Context, { group: { id } }: { group: NamedThing }): Promise<AnySingle> {
  const { user_groups } = await context.ask(getGroups, allGroupsArgs);
  const record: GroupRecord | undefined = user_groups.find((group) => group.id === id);
  if (!record)
    throw new Refused(`group ${id} not found, or not visible to this account`, {
      hint: "List them with: zulipctl group list --system --deactivated",
    });
  return singleRecord(context, record, { id: "id", fields: fields(record) });
}

/** Lists the groups of somebody: first custom groups, then system groups. */
export async function groupsOfUser(context: Context, { user }: { user: NamedThing }): Promise<Listing<Group>> {
  const { ask, names } = context;
  const { user_groups } = await ask(getGroups, allGroupsArgs);
  const all = keyBy(user_groups, ({ id }) => id);
  const direct = user_groups.filter(({ members }) => members.includes(user.id));
  // Throws for an unknown id.
  if (!direct.length) await names.person(user.id);
  const throughOf = ({ id }: Group) => {
    const groups = withSubgroups(all, id);
    return direct.filter((group) => groups.includes(group));
  };
  const records = user_groups.filter((group) => !group.deactivated && throughOf(group).length);
  return {
    kind: "listing",
    records: records.toSorted((one, other) => Number(one.is_system_group) - Number(other.is_system_group)),
    id: ({ id }) => id,
    columns: [
      { head: "ID", value: ({ id }) => id, align: "right" },
      { head: "NAME", value: ({ name }) => name },
      { head: "THROUGH", value: (group) => throughText(throughOf(group), group.id) },
      { head: "DESCRIPTION", value: ({ description }) => description, cut: true },
    ],
  };
}
