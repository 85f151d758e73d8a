/** What is wished of a group beside what is there already. */
import { updateMembers } from "../../api/groups.ts";
import { canAsk } from "../../argv/confirm.ts";
import type { Change } from "../../engine/change.ts";
import { Refused, Usage } from "../../errors.ts";
import { type Roster, Rosters } from "../../resolve/rosters.ts";
import type { Context } from "../../run/context.ts";
import type { Membership } from "../../wire/operation.ts";
import { argsOf, changeOf, type Wish, wordsOf } from "./wish.ts";

/** All there is to be in a group; a list that is not given stays as it is. */
export interface Sets {
  users?: number[];
  subgroups?: number[];
}

/** Told by name at most; the others are counted. */
const most = 10;

/** What goes, for the question. Names cost a read, which is made only where the question will be asked. */
async function gravity(context: Context, wish: Wish, group: string): Promise<string | undefined> {
  const { world, flags, rosters } = context;
  const asking = !rosters && !flags.yes && !flags.dryRun && canAsk(world, flags);
  const told = async (ids: readonly number[], what: string, kind: "user" | "group") => {
    if (!ids.length) return [];
    const called = asking
      ? await (await import("../../run/labels.ts")).labels(context, kind, ids.slice(0, most))
      : String;
    const more = ids.length > most ? ` and ${ids.length - most} more` : "";
    return [
      `${ids.length} ${what}${ids.length === 1 ? "" : "s"} (${ids.slice(0, most).map(called).join(", ")}${more})`,
    ];
  };
  const all = [
    ...(await told(wish.delete, "member", "user")),
    ...(await told(wish.delete_subgroups, "subgroup", "group")),
  ];
  return all.length ? `This removes ${all.join(" and ")} from group ${group}` : undefined;
}

const lacking = (ids: readonly number[], { has }: Roster) => ids.filter((id) => !has(id));
const present = (ids: readonly number[], { has }: Roster) => ids.filter(has);

function beyond(ids: readonly number[], roster: Roster): number[] {
  const kept = new Set(ids);
  return roster.ids().filter((id) => !kept.has(id));
}

const untouched: Roster = { has: () => false, ids: () => [] };

/** Reads each list of the group that the wish is about. */
async function rostersOf(
  { rosters, server }: Context,
  wish: Wish,
  sets: Sets,
): Promise<{ users: Roster; subgroups: Roster }> {
  const [users, subgroups] = updateMembers.memberships!(argsOf(wish)) as [Membership, Membership];
  const from = rosters ?? new Rosters(server);
  const read = async (membership: Membership, set: number[] | undefined) =>
    set || membership.added.length + membership.removed.length ? from.of(membership) : untouched;
  return { users: await read(users, sets.users), subgroups: await read(subgroups, sets.subgroups) };
}

/** The change that makes of the group what is wished, and no more; one that is `unchanged` where all of it is so. */
export async function compared(context: Context, wish: Wish, sets: Sets, group: string): Promise<Change> {
  const whole = updateMembers.memberships!(argsOf(wish))
    .filter((_, n) => [sets.users, sets.subgroups][n])
    .map(({ list }) => list);
  let there: { users: Roster; subgroups: Roster };
  try {
    there = await rostersOf(context, wish, sets);
  } catch (failure) {
    // A row that cannot be compared is the server's to judge; a set that cannot be compared is nothing that can be sent.
    if (!context.rosters || !(failure instanceof Refused)) throw failure;
    if (!whole.length) return changeOf(wish, group, { ifChanged: true });
    throw new Usage(`group ${group} cannot be read: ${failure.message}`);
  }
  const { users, subgroups } = there;
  const less: Wish = {
    user_group_id: wish.user_group_id,
    add: lacking(sets.users ?? wish.add, users),
    delete: sets.users ? beyond(sets.users, users) : present(wish.delete, users),
    add_subgroups: lacking(sets.subgroups ?? wish.add_subgroups, subgroups),
    delete_subgroups: sets.subgroups ? beyond(sets.subgroups, subgroups) : present(wish.delete_subgroups, subgroups),
  };
  const manner = { ifChanged: true, ...(whole.length ? { whole } : { asked: argsOf(wish) }) };
  if (!wordsOf(less).length) return changeOf(wish, group, { ...manner, unchanged: true });
  return changeOf(less, group, { ...manner, confirm: whole.length ? await gravity(context, less, group) : undefined });
}
