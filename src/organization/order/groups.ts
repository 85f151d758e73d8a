/** Groups: everything of one that can go into one request does. */
import { createGroup, deactivateGroup, updateGroup, updateMembers } from "../../api/groups.ts";
import type { Creation, FieldChange, Known, Update } from "../difference.ts";
import { subgroupsOf } from "../snapshot.ts";
import {
  given,
  isPermission,
  numbered,
  type OrderContext,
  permissionArgument,
  portions,
  releasedBy,
  releasedGroups,
  without,
} from "./context.ts";
import { type Draft, type Piece, phases } from "./draft.ts";
import { nameFact, renamed, setAside } from "./names.ts";

export function newGroupDrafts({ ids }: OrderContext, of: number, { name, to }: Creation): Draft[] {
  const id = ids.of(of);
  const permissions = Object.entries(to).filter(([field]) => isPermission(field));
  const subgroups = ids.all("groups", to.subgroups);
  return [
    {
      of,
      part: "create",
      phase: phases.groups + 0.1,
      operation: createGroup,
      args: given({
        name: to.name ?? name,
        description: to.description ?? "",
        members: to.members ?? [],
        subgroups: subgroups.length ? subgroups : undefined,
      }),
      fields: ["name", "description", "members", "subgroups"].filter((field) => Object.hasOwn(to, field)),
      does: "created",
      makes: { member: "group_id", id },
      needs: [nameFact("groups", to.name ?? name)],
      provides: [`${id} is made`],
      pieces: permissions.map(([field, value]): Piece => {
        const who = ids.who(value);
        return {
          fields: [field],
          args: { [field]: who },
          alone: { operation: updateGroup, args: { user_group_id: id, [field]: { new: who } } },
        };
      }),
    },
  ];
}

/** What goes with its name, its description and its permissions: one transaction. */
function settingsDraft(context: OrderContext, of: number, { id, action }: Update, changes: FieldChange[]): Draft[] {
  const now: Readonly<Record<string, unknown>> = {
    ...context.snapshot.organization.realm_user_groups.find((group) => group.id === id),
  };
  const pieces = changes.map(({ field, from, to }): Piece => {
    if (field === "name")
      return { fields: [field], args: { name: to }, ...renamed(context, of, { section: "groups", id }, { from, to }) };
    if (!isPermission(field)) return { fields: [field], args: { [field]: to } };
    return {
      fields: [field],
      args: { [field]: permissionArgument(context, to, now[field]) },
      provides: releasedGroups(from, to),
    };
  });
  const reactivates = action === "reactivate";
  if (reactivates)
    pieces.push({ fields: ["deactivated"], args: { deactivated: false }, provides: [`group ${id} is in use`] });
  if (!pieces.length) return [];
  const rights = context.rights.group(
    id,
    changes.map(({ field }) => field),
  );
  return [
    {
      of,
      part: "settings",
      phase: (reactivates ? undefined : rights) ?? phases.groups,
      operation: updateGroup,
      args: { user_group_id: id },
      pieces,
      ...(reactivates && pieces.length === 1 && { does: "reactivated" }),
    },
  ];
}

/** Who comes and goes, by the name of the argument, what stands in one request each. */
function membersDrafts(context: OrderContext, of: number, { id }: Update, changes: FieldChange[]): Draft[] {
  const { ids, returning, me } = context;
  const members = changes.find(({ field }) => field === "members");
  const subgroups = changes.find(({ field }) => field === "subgroups");
  const come = without<number>(members?.to, members?.from);
  const added = portions(
    context,
    come.filter((each) => !returning.has(each)),
  );
  const gone = without<number>(members?.from, members?.to);
  const removed = portions(
    context,
    gone.filter((each) => each !== me),
  );
  const piece = (field: string, args: Piece["args"], provides: string[] = []): Piece => ({
    fields: [field],
    args,
    provides,
  });
  const [newGroups, oldGroups] = [
    without(subgroups?.to, subgroups?.from),
    without<Known>(subgroups?.from, subgroups?.to),
  ];
  const first = [
    ...added.slice(0, 1).map((add) => piece("members", { add })),
    ...(added.length > 1 ? [] : removed.slice(0, 1)).map((some) => piece("members", { delete: some })),
    ...(newGroups.length ? [piece("subgroups", { add_subgroups: ids.all("groups", newGroups) })] : []),
    ...(oldGroups.length
      ? [piece("subgroups", { delete_subgroups: oldGroups }, releasedGroups(subgroups?.from, subgroups?.to))]
      : []),
  ];
  const more = [
    ...added.slice(1).map((add) => ({ args: { add } })),
    ...removed.slice(added.length > 1 ? 0 : 1).map((some) => ({ args: { delete: some } })),
    // A person who is there already would have the whole request refused.
    ...come.flatMap((user) =>
      returning.has(user) ? [{ part: `member ${user}`, args: { add: [user] }, ifChanged: true as const }] : [],
    ),
    // Whoever leaves may lose the right to change the rest.
    ...(gone.includes(me) ? [{ args: { delete: [me] }, phase: phases.takes - 0.1 }] : []),
  ];
  const common = {
    of,
    operation: updateMembers,
    phase: (gone.includes(me) ? undefined : context.rights.membership(id)) ?? phases.groups + 0.2,
    needs: [`group ${id} is in use`],
  };
  const drafts: Draft[] = first.length
    ? [{ ...common, part: "members", args: { user_group_id: id }, pieces: first }]
    : [];
  for (const { args, ...rest } of more)
    drafts.push({
      ...common,
      part: numbered("members", drafts.length),
      ...rest,
      args: { user_group_id: id, ...args },
      fields: ["members"],
    });
  return drafts;
}

const lists = ["members", "subgroups"];

export function groupDrafts(context: OrderContext, of: number, update: Update): Draft[] {
  const { id, action, fields } = update;
  const changes = fields.filter(({ field }) => field !== "deactivated");
  const from = changes.find(({ field }) => field === "name")?.from;
  const drafts = [
    ...setAside(context, of, { section: "groups", id }, from, (name) => ({
      operation: updateGroup,
      phase: phases.groups,
      args: { user_group_id: id, name },
    })),
    ...settingsDraft(
      context,
      of,
      update,
      changes.filter(({ field }) => !lists.includes(field)),
    ),
    ...membersDrafts(
      context,
      of,
      update,
      changes.filter(({ field }) => lists.includes(field)),
    ),
  ];
  if (action !== "deactivate") return drafts;
  const group = context.snapshot.organization.realm_user_groups.find((each) => each.id === id);
  return [
    ...drafts,
    {
      of,
      part: "deactivate",
      phase: phases.removals,
      operation: deactivateGroup,
      args: { user_group_id: id },
      fields: ["deactivated"],
      does: "deactivated",
      needs: [`group ${id} is released`],
      provides: [...releasedBy(group), ...(group ? subgroupsOf(group).map((each) => `group ${each} is released`) : [])],
    },
  ];
}
