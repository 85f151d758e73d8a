import { getGroups } from "../api/groups.ts";
import { plans } from "../cli/conversation.ts";
import { groups, group as groupWord, toggle, users } from "../cli/kinds.ts";
import { noun } from "../cli/noun.ts";
import { lists } from "../cli/verb.ts";

export const group = noun("User groups and their members", {
  members: plans(
    {
      doc: "Add and remove members and subgroups, all of them or none; without flags list the members",
      operands: { group: groupWord() },
      flags: {
        add: users("people to add: ids, e-mails, name:…, me; @file reads one a line"),
        delete: users("people to remove"),
        set: users("exactly these people: adds and removes what differs; @file reads one a line"),
        addSubgroups: groups("groups to add: names or ids; @file reads one a line"),
        deleteSubgroups: groups("groups to remove"),
        setSubgroups: groups("exactly these groups: adds and removes what differs"),
        ifChanged: toggle("read first, and send only what is not so yet; nothing left to send is success"),
      },
      examples: [
        "zulipctl group members designers",
        "zulipctl group members designers --add otis@sandbox.example --delete 'name:Cora Member'",
        "zulipctl group members designers --set cora@sandbox.example,otis@sandbox.example --yes",
        "zulipctl group members makers --delete-subgroups writers --if-changed",
      ],
    },
    async () => (await import("./group/members.ts")).members,
  ),

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
