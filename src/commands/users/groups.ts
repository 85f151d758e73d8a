import { everyGroup, type Group, getGroups } from "../../api/groups.ts";
import type { Named } from "../../cli/kinds.ts";
import type { Listing } from "../../output/form.ts";
import type { Context } from "../../run/context.ts";

/** The groups that somebody is a direct member of, by each group that they are in through them. */
function ways(all: readonly Group[], user: number): Map<number, Group[]> {
  const above = new Map<number, number[]>();
  for (const { id, direct_subgroup_ids = [] } of all)
    for (const below of direct_subgroup_ids) above.set(below, [...(above.get(below) ?? []), id]);
  const through = new Map<number, Group[]>();
  for (const direct of all.filter(({ members }) => members.includes(user))) {
    const met = new Set([direct.id]);
    for (const id of met) {
      through.set(id, [...(through.get(id) ?? []), direct]);
      for (const next of above.get(id) ?? []) met.add(next);
    }
  }
  return through;
}

/** The groups that somebody is in: one's own kind first, then the system's. */
export async function groups(context: Context, { user }: { user: Named }): Promise<Listing<Group>> {
  const { ask, find } = context;
  // A deactivated group still lends its members to the groups above it.
  const { user_groups } = await ask(getGroups, everyGroup);
  const through = ways(user_groups, user.id);
  // Throws where nobody has the id.
  if (!through.size) await find.person(user.id);
  const records = user_groups.filter(({ id, deactivated }) => through.has(id) && !deactivated);
  const isDirect = ({ id }: Group) => through.get(id)!.some((way) => way.id === id);
  return {
    kind: "listing",
    records: [
      ...records.filter(({ is_system_group }) => !is_system_group),
      ...records.filter(({ is_system_group }) => is_system_group),
    ],
    id: ({ id }) => id,
    columns: [
      { head: "ID", value: ({ id }) => id, align: "right" },
      { head: "NAME", value: ({ name }) => name },
      {
        head: "THROUGH",
        value: (group) =>
          isDirect(group)
            ? "direct"
            : through
                .get(group.id)!
                .map(({ name }) => name)
                .join(", "),
      },
      { head: "DESCRIPTION", value: ({ description }) => description, cut: true },
    ],
  };
}
