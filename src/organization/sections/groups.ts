import { createGroup, deactivateGroup, updateGroup, updateMembers } from "../../api/groups.ts";
import { groupPermissionRules } from "../../model/group.ts";
import { portions } from "../../model/kinds/lists.ts";
import { isPermissionName, newerPermission } from "../../model/permission.ts";
import { nonEmptyShape } from "../attribute-shapes.ts";
import type { FieldChange, ThingId, Update } from "../difference.ts";
import { listChanges } from "../id-values.ts";
import { phases } from "../order/phases.ts";
import type { SnapshotGroup } from "../snapshot.ts";
import { listMembers } from "./member-lists.ts";
import {
  createDraft,
  groupIsReleased,
  permissionPiece,
  type RequestContext,
  type RequestDraft,
  type RequestPiece,
  releasedBy,
  releasedGroups,
  renamePiece,
  type SectionRequests,
  settingPiece,
  thingIsInUse,
} from "./requests.ts";
import { attributesOf, identityMembers, newPermissions, ofKind, type ThingsSection } from "./section.ts";

const createRequests: SectionRequests["create"] = (context, creation) => {
  const { ids } = context;
  const { name, to } = creation;
  const subgroups = ids.all("groups", to.subgroups);
  const { description = "", members = [] } = to;
  const args = { name, description, members, ...(subgroups.length && { subgroups }) };
  const draft = createDraft(context, creation, { operation: createGroup, args, member: "group_id" });
  const permissions = Object.keys(to).filter((each) => isPermissionName(each));
  const pieces = permissions.map((field): RequestPiece => {
    const who = ids.who(to[field]);
    const separately = { operation: updateGroup, args: { user_group_id: draft.makes.id, [field]: { new: who } } };
    return { ...settingPiece(field, who), separately };
  });
  return [{ ...draft, phase: phases.newGroups, pieces }];
};

/** Returns the request for name, description and permissions. Servers apply it as one transaction. */
function settingsDraft(
  context: RequestContext,
  { id = 0, action }: Update,
  changes: readonly FieldChange[],
): RequestDraft[] {
  const current = context.snapshot.organization.realm_user_groups.find((group) => group.id === id);
  const pieces = changes.map((change): RequestPiece => {
    const { field, to } = change;
    if (field === "name") return renamePiece("groups", id, change);
    return isPermissionName(field) ? permissionPiece(context, change, current) : settingPiece(field, to);
  });
  const reactivates = action === "reactivate";
  if (reactivates)
    pieces.push({ fields: ["reactivated"], args: { deactivated: false }, provides: [thingIsInUse("group", id)] });
  if (!pieces.length) return [];
  const fields = changes.map(({ field }) => field);
  const phase = (reactivates ? undefined : context.rights.group(id, fields)) ?? phases.groups;
  return [{ phase, operation: updateGroup, args: { user_group_id: id }, pieces }];
}

/** Returns the requests that add and remove members and subgroups. */
function membersDrafts(context: RequestContext, { id = 0, fields }: Update): RequestDraft[] {
  const { ids, rights, me, reactivated, portion } = context;
  const changed = (name: string) => fields.find(({ field }) => field === name);
  const subgroups = changed("subgroups");
  const members = changed("members");
  const [added, removed] = listChanges(members?.from, members?.to);
  const [newGroups, oldGroups] = listChanges<ThingId>(subgroups?.from, subgroups?.to);
  const phase = (removed.includes(me) ? undefined : rights.membership(id)) ?? phases.groupMembers;
  const needs = [thingIsInUse("group", id)];
  const common = { operation: updateMembers, args: { user_group_id: id }, needs };
  const piece = (args: RequestPiece["args"]): RequestPiece => ({ fields: ["members"], args });
  const others = added.filter((each) => !reactivated.has(each));
  const additions = portions(others, portion).map((add) => [piece({ add })]);
  const withoutMe = removed.filter((each) => each !== me);
  const removals = portions(withoutMe, portion).map((some) => [piece({ delete: some })]);
  const all = [...additions, ...removals];
  const batches = additions.length < 2 && removals.length < 2 ? [all.flat()] : all;
  if (newGroups.length)
    batches[0]?.push({ fields: ["subgroups"], args: { add_subgroups: ids.all("groups", newGroups) } });
  const drafts = batches
    .filter((pieces) => pieces.length)
    .map((pieces): RequestDraft => ({ ...common, phase, pieces }));
  if (subgroups && oldGroups.length)
    drafts.push({
      ...common,
      phase: Math.min(phase, phases.subgroupRemovals),
      pieces: [{ fields: ["subgroups"], args: { delete_subgroups: oldGroups }, provides: releasedGroups(subgroups) }],
    });
  // Servers refuse the whole request if one person is already a member.
  for (const user of added)
    if (reactivated.has(user)) drafts.push({ ...common, phase, pieces: [piece({ add: [user] })], ifChanged: true });
  if (removed.includes(me)) drafts.push({ ...common, phase: phases.ownDepartures, pieces: [piece({ delete: [me] })] });
  return drafts;
}

/** All groups except system groups. */
export const groupsSection: ThingsSection<SnapshotGroup> = {
  ...ofKind<SnapshotGroup>("group"),
  doc: "User groups but those that every organization has.",
  others: newerPermission,
  othersOf: "group",
  members: {
    name: { shape: nonEmptyShape, doc: "The name.", needed: true },
    ...identityMembers,
    ...attributesOf(updateGroup, {
      omit: ["user_group_id", "name"],
      more: { deactivated: { doc: "true deactivates the group, false reactivates it.", since: undefined } },
    }),
    ...listMembers("group"),
  },
  initialValues: (snapshot) => ({
    description: "",
    members: [],
    direct_subgroup_ids: [],
    is_system_group: false,
    deactivated: false,
    ...newPermissions(snapshot, groupPermissionRules),
  }),
  omits: ({ members }, field) => field === "members" && !members,
  requests: {
    create: createRequests,
    update: (context, update) => {
      const { id, action, fields } = update;
      const settings = fields.filter(({ field }) => field !== "members" && field !== "subgroups");
      const drafts = [...settingsDraft(context, update, settings), ...membersDrafts(context, update)];
      if (action !== "deactivate") return drafts;
      const group = context.snapshot.organization.realm_user_groups.find((each) => each.id === id);
      const released = [...releasedBy(group), ...(group ? group.direct_subgroup_ids : []).map(groupIsReleased)];
      const isReleased = groupIsReleased(id);
      return [
        ...drafts,
        {
          phase: phases.removals,
          operation: deactivateGroup,
          args: { user_group_id: id },
          result: "deactivated",
          needs: [isReleased],
          provides: released.filter((fact) => fact !== isReleased),
        },
      ];
    },
  },
};
