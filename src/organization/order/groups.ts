/** Groups: everything of one that can go into one request does. */
import { createGroup, deactivateGroup, updateGroup, updateMembers } from "../../api/groups.ts";
import type { Creation, FieldChange, Known, Update } from "../difference.ts";
import { type Group, subgroupsOf } from "../snapshot.ts";
import { given, numbered, type OrderContext, portions, whole, without } from "./context.ts";
import type { Draft, Piece } from "./draft.ts";
import { expectable } from "./expecting.ts";
import { leftBehind } from "./left.ts";
import { nameFact } from "./names.ts";
import { renamed, setAside } from "./renaming.ts";

const isPermission = (field: string): boolean => /^can_\w+_group$/.test(field);

export function newGroupDrafts({ ids }: OrderContext, of: number, { name, to }: Creation): Draft[] {
  const id = ids.of(of);
  const permissions = Object.entries(to).filter(([field]) => isPermission(field));
  const subgroups = ids.all("groups", to.subgroups ?? []);
  return [
    {
      of,
      part: "create",
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
  const { ids, snapshot } = context;
  const now = snapshot.organization.realm_user_groups.find((group) => group.id === id) as
    | (Group & Record<string, unknown>)
    | undefined;
  const pieces = changes.map(({ field, from, to }): Piece => {
    if (field === "name")
      return { fields: [field], args: { name: to }, ...renamed(context, of, { section: "groups", id }, { from, to }) };
    if (!isPermission(field)) return { fields: [field], args: { [field]: to } };
    const old = now?.[field];
    return {
      fields: [field],
      args: { [field]: { new: ids.who(to), ...(expectable(old) && { old }) } },
      provides: leftBehind(field, from, to),
    };
  });
  const back = action === "reactivate";
  if (back) pieces.push({ fields: ["deactivated"], args: { deactivated: false }, provides: [`group ${id} is in use`] });
  if (!pieces.length) return [];
  return [
    {
      of,
      part: "settings",
      operation: updateGroup,
      args: { user_group_id: id },
      pieces,
      ...(back && pieces.length === 1 && { does: "reactivated" }),
      provides: [`group ${id} was changed`],
    },
  ];
}

function membersDraft(context: OrderContext, of: number, { id }: Update, changes: FieldChange[]): Draft[] {
  const { ids, returning } = context;
  const back: number[] = [];
  const many: { args: Record<string, number[]>; provides?: string[]; needs?: string[] }[] = [];
  const come = `group ${id} has its new members`;
  const pieces = changes.flatMap(({ field, from, to }): Piece[] => {
    const [all, removed] = [without<Known>(to, from), without<number>(from, to)];
    const added = all.filter((each) => field === "subgroups" || !returning.has(each as number));
    back.push(...all.flatMap((each) => (added.includes(each) ? [] : [each as number])));
    const [first, ...more] = portions(context, added);
    const gone = portions(context, removed);
    // Where additions take several requests, nobody leaves before the last of them.
    const [out, ...moreOut] = more.length ? [[], ...gone] : gone;
    if (field === "members")
      many.push(
        ...more.map((some) => ({ args: { add: some as number[] }, provides: [come] })),
        ...moreOut.map((some) => ({ args: { delete: some }, needs: more.length ? [come] : [] })),
      );
    const [add, remove] = field === "members" ? ["add", "delete"] : ["add_subgroups", "delete_subgroups"];
    const subgroups = field === "subgroups";
    return [
      ...(added.length
        ? [{ fields: [field], args: { [add!]: ids.all("groups", field === "members" ? first : added) } }]
        : []),
      ...((field === "members" ? out : removed)?.length
        ? [
            {
              fields: [field],
              args: { [remove!]: field === "members" ? out : removed },
              ...(subgroups && { provides: leftBehind(field, from, to) }),
            },
          ]
        : []),
    ];
  });
  const one = {
    of,
    operation: updateMembers,
    needs: [`group ${id} is in use`],
    provides: [`group ${id} was changed`],
  };
  return [
    ...(pieces.length
      ? [{ ...one, part: "members", args: { user_group_id: id }, pieces, provides: [...one.provides, come] }]
      : []),
    ...many.map(({ args, provides = [], needs = [] }, n) =>
      whole({
        ...one,
        part: numbered("members", n + 1),
        args: { user_group_id: id, ...args },
        fields: ["members"],
        needs: [...one.needs, ...needs],
        provides: [...one.provides, ...provides],
      }),
    ),
    // One who is there already would have the whole request refused.
    ...back.map((user) =>
      whole({
        ...one,
        part: `member ${user}`,
        args: { user_group_id: id, add: [user] },
        fields: ["members"],
        ifChanged: true,
      }),
    ),
  ];
}

const lists = ["members", "subgroups"];

export function groupDrafts(context: OrderContext, of: number, update: Update): Draft[] {
  const { id, action, fields } = update;
  const changes = fields.filter(({ field }) => field !== "deactivated");
  const from = changes.find(({ field }) => field === "name")?.from;
  return [
    ...setAside(context, of, { section: "groups", id }, from, (name) => ({
      operation: updateGroup,
      args: { user_group_id: id, name },
    })),
    ...settingsDraft(
      context,
      of,
      update,
      changes.filter(({ field }) => !lists.includes(field)),
    ),
    ...membersDraft(
      context,
      of,
      update,
      changes.filter(({ field }) => lists.includes(field)),
    ),
    ...(action === "deactivate"
      ? [
          whole({
            of,
            part: "deactivate",
            operation: deactivateGroup,
            args: { user_group_id: id },
            fields: ["deactivated"],
            does: "deactivated",
            needs: [`group ${id} was left`],
            follows: [`group ${id} was changed`, `group ${id} was named`],
            provides: leftBy(context, id!),
          }),
        ]
      : []),
  ];
}

/** The groups that a group uses no more once it is put away. */
function leftBy({ snapshot }: OrderContext, id: number): string[] {
  const group = snapshot.organization.realm_user_groups.find((each) => each.id === id)!;
  const named = Object.entries(group).flatMap(([field, value]) => (isPermission(field) ? groupsIn(value) : []));
  return [...named, ...subgroupsOf(group)].map((each) => `group ${each} was left`);
}

const groupsIn = (value: unknown): number[] =>
  typeof value === "number"
    ? [value]
    : ((value as { direct_subgroups?: number[] } | undefined)?.direct_subgroups ?? []);

export { groupsIn, isPermission };
