/**
 * Finds what an auditor looks at first: groups, accounts and the organization. Other modules look at channels and
 * permissions.
 */
import { invitationId } from "../../api/invitations.ts";
import { roleName, roles } from "../../model/person.ts";
import { roleOf, type SnapshotGroup } from "../../organization/snapshot.ts";
import { type Cell, type Evaluation, groupsInSetting } from "../evaluation.ts";
import { extrasOf, extrasText } from "../extras.ts";
import { byName, groupsByName } from "../page-order.ts";
import { scopes } from "../rules.ts";
import { channelFinders } from "./channels.ts";
import {
  accountItem,
  activityIn,
  administratorsOf,
  createItem,
  type Finder,
  type FindingInput,
  type FindingItem,
  groupItem,
  inactivityLimit,
  unknownText,
} from "./finding-items.ts";
import { allFindings, type FindingKind, type FindingName, findingKinds } from "./finding-kinds.ts";
import { permissionFinders } from "./permissions.ts";

/** Returns the permissions by scope and name. A setting that says the same as an act is left out. */
const sortedCells = (evaluation: Evaluation): Cell[] =>
  byName([...evaluation.cells()], ({ name, target_id }) => [name ?? "", target_id ?? 0])
    .filter(({ rule }) => rule.term.kind !== "permission")
    .sort((one, other) => scopes.indexOf(one.scope) - scopes.indexOf(other.scope));

const groupsOf = ({ snapshot }: Evaluation): SnapshotGroup[] =>
  groupsByName(snapshot).filter(({ is_system_group, deactivated }) => !is_system_group && !deactivated);

/** Returns the groups that get a permission, directly or through an outer group. */
const usedGroups = ({ evaluation, cells }: FindingInput): ReadonlySet<number> =>
  evaluation.facts.withSubgroups(
    cells.flatMap((cell) => groupsInSetting(cell).filter((id) => cell.scope !== "group" || cell.target_id !== id)),
  );

/** Permissions that are more than subscribing or mentioning. */
const powerful = new Set([
  "administer",
  "can_remove_subscribers_group",
  "can_delete_any_message_group",
  "can_manage_group",
  "can_add_members_group",
  "can_remove_members_group",
  "deactivate",
]);

const highRoles = new Map<number, string>([
  [roles.owner, "an owner"],
  [roles.administrator, "an administrator"],
  [roles.moderator, "a moderator"],
]);

const peopleWithRole = ({ evaluation }: FindingInput, role: number): FindingItem[] =>
  evaluation.snapshot.organization.realm_users
    .filter((each) => !each.is_bot && roleOf(each) === role)
    .map((person) => accountItem(person, null));

const finders: Readonly<Record<FindingName, Finder>> = {
  ...channelFinders,
  ...permissionFinders,

  open_organization({ evaluation }) {
    const { realm_invite_required, realm_emails_restricted_to_domains } = evaluation.facts.organization;
    if (realm_invite_required !== false || realm_emails_restricted_to_domains !== false) return [];
    const fix = "zulipctl settings update invite_required=true";
    return [createItem({ kind: "organization", id: null, name: null }, "the organization", fix)];
  },

  inactive_administrator({ evaluation: { snapshot }, activity }) {
    const owners = administratorsOf(snapshot).filter((person) => roleOf(person) === roles.owner);
    return administratorsOf(snapshot).flatMap((person) => {
      const { lastActive, knownAt } = activity.get(person.user_id) ?? { lastActive: 0, knownAt: 0 };
      if (knownAt - lastActive < inactivityLimit) return [];
      const isLastOwner = owners.length === 1 && owners[0] === person;
      const fix = isLastOwner ? null : `zulipctl users update ${person.user_id} --role member`;
      const [since, known] = [lastActive, knownAt].map((time) => new Date(time).toISOString().slice(0, 10));
      return [accountItem(person, fix, `${highRoles.get(roleOf(person))}, no activity from ${since} to ${known}`)];
    });
  },

  permanent_invitation_link: ({ evaluation: { snapshot } }) =>
    snapshot.invites
      .filter(({ is_multiuse, expiry_date }) => is_multiuse && expiry_date === null)
      .map((invitation) => {
        const id = invitationId(invitation);
        const { invited_by_user_id: by, invited_as } = invitation;
        const text = `invitation ${id}`;
        const about = { text, people: by === undefined ? [] : [by], detail: `for ${roleName(invited_as)}s` };
        return createItem({ kind: "invitation", id, name: null }, text, `zulipctl invite rm ${id}`, about);
      }),

  powerful_bot: ({ evaluation, extras }) =>
    evaluation.snapshot.organization.realm_users.flatMap((account, place) => {
      const strong = extras[place]?.filter(
        ({ scope, permission }) => scope === "organization" || powerful.has(permission),
      );
      const extraText = extrasText(strong ?? []);
      const role = highRoles.get(roleOf(account));
      const rights = [role, extraText].filter(Boolean).join("; ");
      const { user_id, is_bot } = account;
      const fix = extraText ? `zulipctl users deactivate ${user_id}` : `zulipctl users update ${user_id} --role member`;
      return is_bot && rights ? [accountItem(account, fix, rights)] : [];
    }),

  unmanaged_group: ({ evaluation }) =>
    groupsOf(evaluation)
      .filter(({ id }) => {
        const cell = evaluation.findCell("group", id, "can_manage_group");
        return cell !== undefined && evaluation.holderSets(cell).possible.count === 0;
      })
      // The setting of the group gives nobody the right.
      .map((group) => groupItem(group, "zulipctl settings update can_manage_all_groups=role:administrators")),

  empty_group(input) {
    const { evaluation } = input;
    const used = usedGroups(input);
    const groups = groupsOf(evaluation);
    return groups
      .filter(({ id }) => evaluation.facts.members(id).count === 0)
      .map((group) => {
        // Servers refuse to deactivate a group that is in use, and a new member would get what it is given.
        const inUse = used.has(group.id) || groups.some((one) => one.direct_subgroup_ids.includes(group.id));
        return groupItem(group, `zulipctl group ${inUse ? "show" : "deactivate"} ${group.id}`);
      });
  },

  unused_group(input) {
    const used = usedGroups(input);
    return groupsOf(input.evaluation)
      .filter(({ id }) => !used.has(id))
      .map((group) => groupItem(group, null));
  },
  owner: (input) => peopleWithRole(input, roles.owner),
  administrator: (input) => peopleWithRole(input, roles.administrator),
};

export interface Finding extends FindingKind {
  readonly name: FindingName;
  readonly items: readonly FindingItem[];
  /** What could not be checked, or not for everybody. */
  readonly unknown: string | undefined;
}

/** Computes what checks and page share. */
export function findingInput(
  evaluation: Evaluation,
  activity: FindingInput["activity"] = activityIn(evaluation.snapshot),
): FindingInput {
  const cells = sortedCells(evaluation);
  return { evaluation, cells, extras: extrasOf(evaluation, cells), activity };
}

/** Runs all checks, in the order of the table. A check without a result has no items. */
export const findingsOf = (input: FindingInput): Finding[] =>
  allFindings.map((name) => ({
    name,
    ...findingKinds[name],
    items: finders[name](input),
    unknown: unknownText(name, input),
  }));
