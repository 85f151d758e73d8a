import { type Group, getGroups } from "../../api/groups.ts";
import type { Listing } from "../../output/form.ts";
import type { Context } from "../../shell/context.ts";
import { showsColumn } from "../../shell/labels.ts";

interface Options {
  system?: boolean;
  deactivated?: boolean;
}

export async function list(context: Context, { system, deactivated }: Options): Promise<Listing<Group>> {
  const { user_groups } = await context.ask(getGroups, { include_deactivated_groups: deactivated });
  const names = new Map(user_groups.map(({ id, name }) => [id, name]));
  const named = showsColumn(context, "SUBGROUPS");
  const subgroups = ({ direct_subgroup_ids: ids }: Group) =>
    named ? ids?.map((id) => names.get(id) ?? id) : ids?.length;
  return {
    kind: "listing",
    records: user_groups.filter((group) => (system || !group.is_system_group) && (deactivated || !group.deactivated)),
    id: ({ id }) => id,
    columns: [
      { head: "ID", value: ({ id }) => id, align: "right" },
      { head: "NAME", value: ({ name }) => name, style: (group) => (group.deactivated ? "dim" : undefined) },
      { head: "MEMBERS", value: (group) => group.members.length, align: "right" },
      { head: "SUBGROUPS", value: subgroups },
      ...(deactivated ? [{ head: "STATE", value: (group: Group) => (group.deactivated ? "deactivated" : "") }] : []),
      { head: "DESCRIPTION", value: ({ description }) => description },
    ],
  };
}
