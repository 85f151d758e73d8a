/** The lists that a group has. */
import { groupSubgroups, groupUsers, updateMembers } from "../../api/groups.ts";
import { toggle } from "../../cli/kinds.ts";
import type { MembersDescription } from "../../cli/members.ts";

const some = (ids: number[]) => (ids.length ? ids : undefined);

/** What becomes of a group's members and subgroups is one call. */
export const groupMembers: MembersDescription = {
  doc: "Add and remove members and subgroups, all of them or none; without flags list the members",
  of: "group",
  lists: [
    {
      kind: groupUsers,
      holds: "user",
      member: "member",
      any: "direct member",
      docs: {
        added: "people to add: ids, e-mails, name:…, me; @file reads one a line",
        removed: "people to remove",
        whole: "exactly these people: adds and removes what differs; @file reads one a line",
      },
    },
    {
      kind: groupSubgroups,
      holds: "group",
      member: "subgroup",
      docs: {
        added: "groups to add: names or ids; @file reads one a line",
        removed: "groups to remove",
        whole: "exactly these groups: adds and removes what differs",
      },
    },
  ],
  calls: [
    {
      operation: updateMembers,
      carries: "all",
      params: [
        { added: "add", removed: "delete" },
        { added: "add_subgroups", removed: "delete_subgroups" },
      ],
      args: ({ id }, [users, groups]) => ({
        user_group_id: id,
        add: some(users!.added),
        delete: some(users!.removed),
        add_subgroups: some(groups!.added),
        delete_subgroups: some(groups!.removed),
      }),
    },
  ],
  listing: { recursive: toggle("those of subgroups too, and through which group they are members") },
  see: "zulipctl group members",
  show: async () => (await import("./members.ts")).list,
  examples: [
    "zulipctl group members designers",
    "zulipctl group members makers --recursive",
    "zulipctl group members designers --add otis@sandbox.example --delete 'name:Cora Member'",
    "zulipctl group members designers --set cora@sandbox.example,otis@sandbox.example --yes",
    "zulipctl group members makers --delete-subgroups writers --if-changed",
  ],
};
