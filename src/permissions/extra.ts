/** Computes what a role gives alone, and so what somebody has beyond it. */
import { groupOfRole, type Person, roleOf, type Snapshot } from "../organization/snapshot.ts";
import { type Cell, type Evaluation, evaluate } from "./evaluation.ts";

const fullMembers = "role:fullmembers";

interface Bare {
  /** An organization with one account of each kind, without groups and subscriptions. */
  evaluation: Evaluation;
  /** Returns the account of that organization that is like this one. Undefined for deactivated accounts. */
  like(account: Person): number | undefined;
}

export function bareOf({ snapshot, facts }: Evaluation): Bare {
  const { organization } = snapshot;
  const full = new Set(organization.realm_user_groups.find(({ name }) => name === fullMembers)?.members);
  const rolesOf = (account: Person): string[] => [
    groupOfRole[roleOf(account)] ?? "",
    ...(full.has(account.user_id) ? [fullMembers] : []),
  ];
  const isFull = ({ user_id }: Person) => facts.fullMembers.has(facts.place(user_id));
  const kindOf = (account: Person): string =>
    JSON.stringify([roleOf(account), account.is_bot, account.bot_type, rolesOf(account), isFull(account)]);
  const people = new Map<string, Person>();
  const members = new Map<string, number[]>();
  for (const account of organization.realm_users) {
    if (people.has(kindOf(account))) continue;
    // An id that no setting and no list can contain.
    const user_id = -1 - people.size;
    people.set(kindOf(account), { ...account, user_id, bot_owner_id: null });
    for (const role of rolesOf(account)) members.set(role, [...(members.get(role) ?? []), user_id]);
  }
  const without: Snapshot = {
    ...snapshot,
    organization: {
      ...organization,
      realm_users: [...people.values()],
      realm_non_active_users: [],
      realm_user_groups: organization.realm_user_groups.map((group) => ({
        ...group,
        members: (group.is_system_group && members.get(group.name)) || [],
      })),
    },
  };
  return { evaluation: evaluate(without), like: (account) => people.get(kindOf(account))?.user_id };
}

/** Returns whether an account of the same role has it without groups, subscriptions or being named. */
export function ordinary(evaluation: Evaluation, person: Person): (cell: Cell) => boolean {
  const bare = bareOf(evaluation);
  const like = bare.like(person);
  return ({ scope, target_id, permission }) =>
    like !== undefined && bare.evaluation.may(like, bare.evaluation.cell(scope, target_id, permission)) === true;
}
