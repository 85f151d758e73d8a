import { type Group, getGroups } from "../../api/groups.ts";
import type { Listing } from "../../output/form.ts";
import type { Context } from "../../shell/context.ts";

interface Options {
  system?: boolean;
  deactivated?: boolean;
}

export async function list({ ask }: Context, { system, deactivated }: Options): Promise<Listing<Group>> {
  const { user_groups } = await ask(getGroups, { include_deactivated_groups: deactivated });
  return {
    kind: "listing",
    records: user_groups.filter((group) => (system || !group.is_system_group) && (deactivated || !group.deactivated)),
    id: ({ id }) => id,
    columns: [
      { head: "ID", value: ({ id }) => id, align: "right" },
      { head: "NAME", value: ({ name }) => name, style: (group) => (group.deactivated ? "dim" : undefined) },
      { head: "MEMBERS", value: (group) => group.members.length, align: "right" },
      { head: "SUBGROUPS", value: ({ direct_subgroup_ids }) => direct_subgroup_ids?.length, align: "right" },
      ...(deactivated ? [{ head: "STATE", value: (group: Group) => (group.deactivated ? "deactivated" : "") }] : []),
      { head: "DESCRIPTION", value: ({ description }) => description },
    ],
  };
}
