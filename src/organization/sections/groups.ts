import { updateGroup } from "../../api/groups.ts";
import { groupPermissions } from "../../api/permission-settings.ts";
import { filled, groups as groupList, people } from "../shape.ts";
import { type Group, isSystemGroup, subgroupsOf } from "../snapshot.ts";
import { attributesOf } from "./attributes.ts";
import { permissionsIn, pinned, type Things } from "./section.ts";

const isPermission = new Set<string>(groupPermissions);

/** Without the groups that every organization has. */
export const groups: Things<Group> = {
  doc: "User groups but those that every organization has.",
  holds: "things",
  one: "group",
  called: "groups",
  key: ["name"],
  complete: true,
  away: {
    member: "deactivated",
    away: true,
    puts: "deactivate",
    brings: "reactivate",
    bringsSince: updateGroup.params.deactivated.since,
  },
  members: {
    name: { shape: filled, doc: "The name.", needed: true },
    ...pinned,
    ...attributesOf(updateGroup, {
      without: ["user_group_id", "name"],
      more: { deactivated: { doc: "true deactivates the group, false reactivates it.", since: undefined } },
    }),
    members: { shape: people, doc: "Its direct members." },
    subgroups: { shape: groupList, doc: "Its direct subgroups." },
  },
  records: ({ organization }) => organization.realm_user_groups.filter((group) => !isSystemGroup(group)),
  id: ({ id }) => id,
  awayIn:
    () =>
    ({ deactivated }) =>
      deactivated === true,
  attributes: (telling) => ({
    ...permissionsIn<Group>(groupPermissions, telling),
    deactivated: () => undefined,
    members: ({ members }) => telling.naming.people(members),
    subgroups: (group) => telling.naming.groups(subgroupsOf(group)),
  }),
  exported: ({ members }, attributes) => (members ? attributes : { ...attributes, members: () => undefined }),
  write: (field, value, ids) => {
    if (isPermission.has(field)) return { [field]: ids.who(value) };
    return field === "subgroups" ? { direct_subgroup_ids: ids.all("groups", value) } : { [field]: value };
  },
};
