import { getGroups } from "../api/groups.ts";
import { toggle } from "../cli/kinds.ts";
import { members } from "../cli/members.ts";
import { noun } from "../cli/noun.ts";
import { lists } from "../cli/verb.ts";
import { groupMembers } from "./group/lists.ts";

export const group = noun("User groups and their members", {
  members: members(groupMembers),

  list: lists(getGroups, {
    doc: "User groups",
    flags: { system: toggle("system groups too"), deactivated: toggle("deactivated ones too") },
    args: ({ deactivated }) => ({ include_deactivated_groups: deactivated }),
    binds: { deactivated: "include_deactivated_groups" },
    records: "user_groups",
    only:
      ({ system, deactivated }) =>
      (group) =>
        (system || !group.is_system_group) && (deactivated || !group.deactivated),
    id: "id",
    columns: ({ deactivated }, all) => ({
      ID: "id",
      NAME: { value: ({ name }) => name, style: (group) => (group.deactivated ? "dim" : undefined) },
      MEMBERS: { value: ({ members }) => members.length, align: "right" },
      SUBGROUPS: {
        names: "group",
        ids: ({ direct_subgroup_ids }) => direct_subgroup_ids,
        among: new Map(all.map(({ id, name }) => [id, name])),
        otherwise: ({ direct_subgroup_ids }) => direct_subgroup_ids?.length,
      },
      STATE: deactivated && { value: (group) => (group.deactivated ? "deactivated" : "") },
      DESCRIPTION: "description",
    }),
    examples: ["zulipctl group list --system -o json"],
  }),
});
