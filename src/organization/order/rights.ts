/** What the caller may do only before, or only after, some change of the plan: what needs it goes on the right side of that. */
import type { GroupSetting } from "../../api/group-setting.ts";
import { createGroup, updateGroup, updateMembers } from "../../api/groups.ts";
import { updateOrganization } from "../../api/organization.ts";
import type { OrderContext } from "./context.ts";
import { argsOf, type Draft, factsOf } from "./draft.ts";

/** By setting of the organization, the fact that requests need. */
const rights: Readonly<Record<string, string>> = {
  can_create_groups: "the caller may create groups",
  can_manage_all_groups: "the caller may manage all groups",
  can_create_public_channel_group: "the caller may make public channels",
  can_create_private_channel_group: "the caller may make private channels",
  can_create_web_public_channel_group: "the caller may make web-public channels",
  can_add_subscribers_group: "the caller may subscribe others",
  can_invite_users_group: "the caller may invite people",
  can_set_topics_policy_group: "the caller may set policies of topics",
  can_set_delete_message_policy_group: "the caller may set who deletes messages",
};

/** What every group holds. */
interface Roster {
  people: Set<number>;
  groups: Set<number>;
}
type Rosters = Map<number, Roster>;

function rostersNow({ snapshot }: OrderContext): Rosters {
  return new Map(
    snapshot.organization.realm_user_groups.map(({ id, members, direct_subgroup_ids, subgroups }) => [
      id,
      { people: new Set(members), groups: new Set(direct_subgroup_ids ?? subgroups ?? []) },
    ]),
  );
}

type Lists = Readonly<Record<string, readonly number[] | undefined>>;

/** The same when all requests are done. */
function rostersThen(context: OrderContext, drafts: readonly Draft[]): Rosters {
  const all = rostersNow(context);
  for (const draft of drafts) {
    const { members, subgroups, add, delete: remove, add_subgroups, delete_subgroups } = argsOf(draft) as Lists;
    if (draft.operation === createGroup)
      all.set(draft.makes!.id, { people: new Set(members), groups: new Set(subgroups) });
    const roster = draft.operation === updateMembers && all.get(draft.args.user_group_id as number);
    if (!roster) continue;
    for (const id of add ?? []) roster.people.add(id);
    for (const id of remove ?? []) roster.people.delete(id);
    for (const id of add_subgroups ?? []) roster.groups.add(id);
    for (const id of delete_subgroups ?? []) roster.groups.delete(id);
  }
  return all;
}

/** The groups that a permission reaches. */
function reached(rosters: Rosters, value: GroupSetting): Set<number> {
  const found = new Set<number>();
  const open = typeof value === "number" ? [value] : [...value.direct_subgroups];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    open.push(...(rosters.get(id)?.groups ?? []));
  }
  return found;
}

const has = (rosters: Rosters, value: GroupSetting, me: number): boolean =>
  (typeof value === "object" && value.direct_members.includes(me)) ||
  [...reached(rosters, value)].some((id) => rosters.get(id)?.people.has(me));

/** Whether the request has a part in whether the caller is in these groups. */
function touches(draft: Draft, groups: ReadonlySet<number>, me: number): boolean {
  if (draft.operation !== updateMembers || !groups.has(draft.args.user_group_id as number)) return false;
  const { add, delete: remove, add_subgroups, delete_subgroups } = argsOf(draft) as Lists;
  return (
    [...(add ?? []), ...(remove ?? [])].includes(me) || add_subgroups !== undefined || delete_subgroups !== undefined
  );
}

const used = (right: string): string => `${right}: that was needed`;

/** The same drafts, each with what it takes and gives of rights. */
export function withRights(context: OrderContext, drafts: readonly Draft[]): Draft[] {
  const [now, then] = [rostersNow(context), rostersThen(context, drafts)];
  const extra = new Map<Draft, { provides: string[]; follows: string[] }>();
  const wanted = new Set(drafts.flatMap((draft) => factsOf(draft, "needs")));
  for (const [setting, right] of Object.entries(rights)) {
    const before = (context.snapshot.organization as Record<string, unknown>)[`realm_${setting}`] as
      | GroupSetting
      | undefined;
    if (before === undefined || !wanted.has(right)) continue;
    const own = drafts.filter(({ operation, args }) => operation === updateOrganization && setting in args);
    const after = (own[0]?.args[setting] as { new: GroupSetting } | undefined)?.new ?? before;
    const [had, will] = [has(now, before, context.me), has(then, after, context.me)];
    if (had === will) continue;
    const groups = new Set([...reached(now, before), ...reached(then, after)]);
    for (const draft of [...own, ...drafts.filter((each) => touches(each, groups, context.me))]) {
      const facts = extra.get(draft) ?? { provides: [], follows: [] };
      extra.set(draft, facts);
      if (will) facts.provides.push(right);
      else facts.follows.push(used(right));
    }
  }
  for (const draft of drafts) {
    const { can_manage_group } = argsOf(draft) as { can_manage_group?: { new: GroupSetting; old?: GroupSetting } };
    if (draft.operation !== updateGroup || can_manage_group?.old === undefined) continue;
    // Whoever loses the group changes what is in it before.
    if (!has(now, can_manage_group.old, context.me) || has(then, can_manage_group.new, context.me)) continue;
    const facts = extra.get(draft) ?? { provides: [], follows: [] };
    extra.set(draft, facts);
    facts.follows.push(`group ${draft.args.user_group_id} has its members`);
  }
  return drafts.map((draft) => {
    const more = extra.get(draft);
    const uses = factsOf(draft, "needs").filter((need) => Object.values(rights).includes(need));
    return {
      ...draft,
      provides: [...(draft.provides ?? []), ...(more?.provides ?? []), ...uses.map(used)],
      follows: [...(draft.follows ?? []), ...(more?.follows ?? [])],
    };
  });
}
