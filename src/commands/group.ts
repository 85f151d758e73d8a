import {
  createGroup,
  deactivateGroup,
  getGroups,
  groupSubgroups,
  groupUsers,
  updateGroup,
  updateMembers,
} from "../api/groups.ts";
import { type MembersDescription, membersVerb } from "../cli/members-verb.ts";
import { noun } from "../cli/noun.ts";
import { expected, permissionFlags, permissionValues, whoNote } from "../cli/permission-flags.ts";
import { groupParameter, groupsParameter, things, usersParameter } from "../cli/thing-parameters.ts";
import { expectFlag, markdown, newGroupName, toggle } from "../cli/value-parameters.ts";
import { changes, changesEach, lists } from "../cli/verb.ts";
import { changingVerb, readingVerb } from "../cli/verbs-with-code.ts";
import { groupPermissionRules, groupPermissions } from "../model/group.ts";
import { callsOf, type MemberListSpec } from "../run/members/spec.ts";
import { listedPeople } from "./users/not-in.ts";

const memberLists: readonly MemberListSpec[] = [
  {
    kind: groupUsers,
    docs: {
      added: "people to add: ids, e-mails, name:…, group:…, me; @file or - reads one a line",
      removed: "people to remove",
      whole: "exactly these people: adds and removes what differs; @file or - reads one a line",
    },
  },
  {
    kind: groupSubgroups,
    docs: {
      added: "groups to add: names or ids; @file or - reads one a line",
      removed: "groups to remove",
      whole: "exactly these groups: adds and removes what differs",
    },
  },
];

/** One call changes members and subgroups. */
export const groupMembers: MembersDescription = {
  doc: "Add and remove members and subgroups, all or nothing; without flags, list the members",
  of: "group",
  lists: memberLists,
  calls: callsOf(memberLists, [updateMembers]),
  reads: ["group.members.list", "group.subgroups.list"],
  listing: {
    notIn: listedPeople(),
    recursive: toggle("also members of subgroups, and through which group they are members"),
  },
  checkCommand: "group members",
  show: async () => (await import("./group/members.ts")).listGroupMembers,
  examples: [
    "zulipctl group members designers",
    "zulipctl group members makers --recursive",
    "zulipctl group members designers --add otis@sandbox.example --delete 'name:Cora Member'",
    "zulipctl group members designers --set cora@sandbox.example,otis@sandbox.example --yes",
    "zulipctl group members makers --delete-subgroups writers --if-changed",
  ],
};

export const groupNoun = noun("User groups and their members", {
  create: changes(createGroup, {
    doc: "Create a user group",
    asks: "sometimes",
    operands: { name: newGroupName("its name; @writers is writers, and name:@writers keeps the sign") },
    flags: {
      description: markdown(),
      add: usersParameter("people to be its members: ids, e-mails, name:…, group:…, me; @file or - reads one a line"),
      addSubgroups: groupsParameter("groups to be its subgroups: names or ids; @file or - reads one a line"),
      ...permissionFlags(groupPermissionRules, "new"),
    },
    binds: { add: "members", addSubgroups: "subgroups" },
    args: ({ name, description = "", add = [], addSubgroups, ...values }) => ({
      name,
      description,
      members: add,
      subgroups: addSubgroups,
      ...permissionValues(values, groupPermissions),
    }),
    target: "name",
    done: "Created group {group_id}.",
    already: "Group {target} exists already.",
    operations: ["group.list", "group.update", "group.members", "group.members.list", "group.subgroups.list"],
    existing: ({ add = [], addSubgroups = [] }, context) => ({
      addMembers: async (group) => {
        const { additions } = await import("../run/members/additions.ts");
        return additions(context, groupMembers, [group], [add, addSubgroups], ["--add", "--add-subgroups"]);
      },
    }),
    ids: "group_id",
    checkCommand: "group list",
    note: whoNote,
    examples: [
      "zulipctl group create testers --add cora@sandbox.example,otis@sandbox.example --description 'Who tests'",
      "zulipctl group create everyone-who-makes --add-subgroups designers,writers --can-mention-group role:members",
    ],
  }),

  update: changingVerb({
    operation: updateGroup,
    doc: "Change a user group's name, description and permissions, all or nothing",
    asks: "sometimes",
    operands: { group: groupParameter() },
    flags: {
      newName: newGroupName("rename it", "text"),
      description: markdown(),
      ...permissionFlags(groupPermissionRules),
      expect: expectFlag("group-setting=who"),
    },
    binds: { newName: "name" },
    someFlag: true,
    check: (typed) => void expected(typed, groupPermissions),
    note: whoNote,
    examples: [
      "zulipctl group update designers --new-name drawers --description 'Who draws'",
      "zulipctl group update writers --can-join-group role:members --expect can-join-group=nobody",
    ],
    run: async () => (await import("./group/update.ts")).planGroupUpdate,
  }),

  members: membersVerb(groupMembers),

  list: lists(getGroups, {
    doc: "List user groups",
    operations: ["users.list"],
    flags: { system: toggle("include system groups"), deactivated: toggle("include deactivated ones") },
    args: ({ deactivated }) => ({ include_deactivated_groups: deactivated }),
    binds: { deactivated: "include_deactivated_groups" },
    records: ({ user_groups }) => user_groups,
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
        knownNames: new Map(all.map(({ id, name }) => [id, name])),
        rawValue: ({ direct_subgroup_ids }) => direct_subgroup_ids?.length,
      },
      STATE: deactivated && { value: (group) => (group.deactivated ? "deactivated" : "") },
      DESCRIPTION: { value: ({ description }) => description, cut: true },
    }),
    examples: ["zulipctl group list --system -o json"],
  }),

  show: readingVerb({
    doc: "Show a user group with its members and permissions",
    operations: ["users.list"],
    operands: { group: groupParameter() },
    examples: ["zulipctl group show designers", "zulipctl group show role:members --jq '.members | length'"],
    run: async () => (await import("./group/members.ts")).showGroup,
  }),

  deactivate: changesEach(deactivateGroup, {
    doc: "Deactivate user groups that nothing uses",
    things: things("group"),
    args: ({ id }) => ({ user_group_id: id }),
    done: "Deactivated group {target}.",
    already: "Group {target} is deactivated already.",
    checkCommand: "group list --deactivated",
    confirm: {
      verb: "Deactivate",
      one: "group",
      describe: async (server) => (await import("./group/members.ts")).describeGroups(server),
    },
    examples: ["zulipctl group deactivate makers --yes"],
  }),

  reactivate: changesEach(updateGroup, {
    doc: "Reactivate user groups with their former members",
    asks: "sometimes",
    things: things("group", { restores: true }),
    ownParameter: "deactivated",
    args: ({ id }) => ({ user_group_id: id, deactivated: false }),
    done: "Reactivated group {target}.",
    already: "Group {target} is active already.",
    readsFirst: true,
    checkCommand: "group list --deactivated",
    examples: ["zulipctl group reactivate designers"],
  }),
});
