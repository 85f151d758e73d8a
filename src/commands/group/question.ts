import { everyGroup, type Group, getGroups } from "../../api/groups.ts";
import type { Named } from "../../cli/kinds.ts";
import { questionAbout } from "../../cli/question.ts";
import { counted } from "../../counted.ts";

const some = (count: number, what: string) => (count ? [counted(count, what)] : []);

function describe({ typed }: Named, group: Group | undefined): string {
  if (!group) return `"${typed}" (not found)`;
  const { name, members, direct_subgroup_ids: subgroups = [], deactivated } = group;
  const holds = [...some(members.length, "member"), ...some(subgroups.length, "subgroup")].join(", ") || "empty";
  return `"${name}" (${deactivated ? "deactivated already" : holds})`;
}

/** With names and members. */
export const question = questionAbout<Named>({
  async read(server) {
    const { user_groups } = await server.call(getGroups, everyGroup);
    const known = new Map(user_groups.map((group) => [group.id, group]));
    return (group) => describe(group, known.get(group.id));
  },
  one: (group) => `Deactivate group ${group}`,
});
