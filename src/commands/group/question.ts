import { type Group, getGroups } from "../../api/groups.ts";
import type { Named } from "../../cli/kinds.ts";
import { Refused } from "../../errors.ts";
import type { Context } from "../../run/context.ts";

/** As many are told by name; more would hide the question. */
const most = 5;

const count = (many: number, what: string) => (many ? [`${many} ${what}${many === 1 ? "" : "s"}`] : []);

function told({ typed, id }: Named, known: ReadonlyMap<number, Group>): string {
  const group = known.get(id);
  if (!group) return `${typed} (none that this account can see)`;
  const { name, members, direct_subgroup_ids: subgroups = [], deactivated } = group;
  const holds = [...count(members.length, "member"), ...count(subgroups.length, "subgroup")].join(", ") || "empty";
  return `${name} (${deactivated ? "deactivated already" : holds})`;
}

/** The question with names and members; as they were typed where these cannot be read. */
export async function question({ server }: Context, all: readonly Named[], otherwise: string): Promise<string> {
  const to = await server();
  let groups: Group[];
  try {
    const args = (await to.level()) < 294 ? {} : { include_deactivated_groups: true };
    groups = (await to.call(getGroups, args)).user_groups;
  } catch (error) {
    if (error instanceof Refused) return otherwise;
    throw error;
  }
  const known = new Map(groups.map((group) => [group.id, group]));
  const some = all.slice(0, most).map((group) => told(group, known));
  if (all.length === 1) return `This deactivates group ${some[0]}, and nobody can mention it any more`;
  const more = all.length > most ? ` and ${all.length - most} more` : "";
  return `This deactivates ${all.length} groups, and nobody can mention them any more: ${some.join(", ")}${more}`;
}
