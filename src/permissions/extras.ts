/** Computes the permissions that people have beyond their role, through groups, subscriptions and settings. */
import { counted } from "../common/counted.ts";
import { groupBy } from "../common/group-by.ts";
import { groupOfRole, type Person, roleOf, type Snapshot } from "../organization/snapshot.ts";
import { type Cell, type Evaluation, evaluate, type Scope } from "./evaluation.ts";
import { permissionTitle, uncapitalized } from "./titles.ts";

const fullMembers = "role:fullmembers";

interface Baseline {
  /** An organization with one account of each kind, without groups and subscriptions. */
  evaluation: Evaluation;
  /** Returns the account of that organization that is like this one. Undefined for deactivated accounts. */
  counterpart(account: Person): number | undefined;
}

function baselineOf({ snapshot, facts }: Evaluation): Baseline {
  const { organization } = snapshot;
  const full = new Set(organization.realm_user_groups.find(({ name }) => name === fullMembers)?.members);
  const rolesOf = (account: Person): string[] => [
    groupOfRole[roleOf(account)] ?? "",
    ...(full.has(account.user_id) ? [fullMembers] : []),
  ];
  const isFull = ({ user_id }: Person) => facts.fullMembers.has(facts.indexOf(user_id));
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
  return { evaluation: evaluate(without), counterpart: (account) => people.get(kindOf(account))?.user_id };
}

/** Returns whether an account of the same role has it without groups, subscriptions or being named. */
export function isOrdinary(evaluation: Evaluation, person: Person): (cell: Cell) => boolean {
  const baseline = baselineOf(evaluation);
  const like = baseline.counterpart(person);
  return ({ scope, target_id, permission }) =>
    like !== undefined &&
    baseline.evaluation.isAllowed(like, baseline.evaluation.cell(scope, target_id, permission)) === true;
}

/** A permission, and the number of things somebody has it for. */
export interface ExtraPermission {
  readonly scope: Scope;
  readonly permission: string;
  readonly count: number;
}

/** Returns what each active account has beyond its role, by its index. All have their permissions in the same order. */
export function extrasOf(evaluation: Evaluation, cells: readonly Cell[]): ExtraPermission[][] {
  const { facts, snapshot } = evaluation;
  const accounts = snapshot.organization.realm_users;
  const baseline = baselineOf(evaluation);
  const accountsByCounterpart = new Map(
    [...groupBy(accounts, baseline.counterpart)].map(([like, scoped]) => [
      like,
      facts.setOfIds(scoped.map(({ user_id }) => user_id)),
    ]),
  );
  const extras = accounts.map((): ExtraPermission[] => []);
  for (const column of groupBy(cells, ({ scope, permission }) => `${scope} ${permission}`).values()) {
    const [{ scope, permission }] = column;
    const counts = new Map<number, number>();
    for (const cell of column) {
      const roleHolders = baseline.evaluation
        .holders(baseline.evaluation.cell(scope, cell.target_id, permission))
        .reduce((all, { user_id }) => all.or(accountsByCounterpart.get(user_id) ?? facts.nobody), facts.nobody);
      for (const place of evaluation.holderSets(cell).sure.without(roleHolders))
        counts.set(place, (counts.get(place) ?? 0) + 1);
    }
    for (const [place, count] of counts) extras[place]?.push({ scope, permission, count });
  }
  return extras;
}

/** Permissions that are listed first. Others follow only if somebody has them for more things. */
const leadingPermissions = ["read", "post", "administer", "can_manage_group"];

function describeThings(extras: readonly ExtraPermission[], scope: "channel" | "group"): string[] {
  const those = extras.filter((each) => each.scope === scope);
  const first = leadingPermissions.flatMap((name) => those.find(({ permission }) => permission === name) ?? []);
  const most = Math.max(0, ...first.map(({ count }) => count));
  const others = those.filter((each) => !first.includes(each) && each.count > most);
  return [...groupBy([...first, ...others], ({ count }) => count)].map(
    ([count, each]) =>
      `${counted(count, scope)}: ${each.map(({ permission }) => uncapitalized(permissionTitle(permission))).join(", ")}`,
  );
}

export function extrasText(extras: readonly ExtraPermission[]): string {
  const own = extras
    .filter(({ scope }) => scope === "organization")
    .map(({ permission }) => permissionTitle(permission));
  return [...own, ...describeThings(extras, "channel"), ...describeThings(extras, "group")].join("; ");
}
