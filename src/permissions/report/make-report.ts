/** Turns an evaluation into a report. */

import { userAddress } from "../../api/users.ts";
import { groupBy } from "../../common/group-by.ts";
import { privacyOf } from "../../model/channel.ts";
import { knownRole } from "../../model/person.ts";
import {
  channelsOf,
  roleOf,
  type Snapshot,
  type SnapshotChannel,
  type SnapshotGroup,
  seesOnlyPart,
} from "../../organization/snapshot.ts";
import { type Cell, type Evaluation, evaluate, groupsInSetting, type Scope } from "../evaluation.ts";
import { extrasText } from "../extras.ts";
import { findingInput, findingsOf } from "../findings/all-findings.ts";
import type { Activity } from "../findings/finding-items.ts";
import { channelsByName, groupsByName, inPageOrder } from "../page-order.ts";
import { capitalized, groupTitle, permissionTitle, type RowLink, rowLinkOf, uncapitalized } from "../titles.ts";
import { cellsOf, Sets } from "./cells.ts";
import { headerFacts, organizationCounts } from "./head.ts";

/** The inputs of the page's parts. */
interface Inputs {
  evaluation: Evaluation;
  /** The permissions on the page. */
  cells: readonly Cell[];
  /** The permissions of one channel or group, or of the organization. */
  of: (scope: Scope, id: number | null) => readonly Cell[];
  sets: Sets;
}

/** `permission`: the wire name, or the name of an act. */
const columnsOf = (cells: readonly Cell[], scope: Scope) =>
  [...new Set(cells.flatMap((cell) => (cell.scope === scope ? [cell.permission] : [])))].map((permission) => ({
    permission,
    title: permissionTitle(permission),
  }));

const partialWarning =
  "The account that asked is not an administrator: private channels that it cannot see are not in this page, and subscribers and members may be missing.";

/** The largest number of uses named of one kind. The matrix shows all. */
const mostUses = 5;

function folderRows({ evaluation, of, sets }: Inputs) {
  const { snapshot, facts } = evaluation;
  const row = (channel: SnapshotChannel) => {
    const { stream_id: id, name, is_archived } = channel;
    const subscribers = facts.subscribers(channel);
    return {
      id,
      name,
      kind: is_archived ? "archived" : privacyOf(channel),
      visibility: privacyOf(channel),
      subscribers: subscribers?.count ?? 0,
      cells: cellsOf(evaluation, of("channel", id), sets, subscribers),
    };
  };
  const all = channelsByName(snapshot);
  const live = all.filter(({ is_archived }) => !is_archived);
  const folders = (snapshot.channel_folders ?? []).map(({ id, name }) => ({
    name,
    own: true,
    channels: live.filter(({ folder_id }) => folder_id === id),
  }));
  const folderIds = new Set(snapshot.channel_folders?.map(({ id }) => id));
  const unfiled = live.filter(({ folder_id }) => folder_id == null || !folderIds.has(folder_id));
  return [
    ...folders,
    { name: folders.length ? "In no folder" : "Channels", own: false, channels: unfiled },
    { name: "Archived", own: false, channels: all.filter(({ is_archived }) => is_archived) },
  ]
    .filter(({ channels }) => channels.length > 0)
    .map((folder) => ({ ...folder, channels: folder.channels.map(row) }));
}

/** Returns the kind of a use in the table of groups. */
const useTitle = ({ scope, permission }: Cell): string =>
  scope === "organization"
    ? "Organization"
    : `${scope === "channel" ? "Channels" : "Groups"}, ${permissionTitle(permission).toLowerCase()}`;

function groupRows({ evaluation, cells, of, sets }: Inputs) {
  const { facts, snapshot } = evaluation;
  const groups = groupsByName(snapshot);
  // Permissions of the system groups themselves are skipped.
  const settingCells = cells.filter(({ decisions }) => !decisions.target.group?.is_system_group);
  const cellsWith = new Map<number, Cell[]>();
  for (const cell of settingCells)
    for (const id of new Set(groupsInSetting(cell))) {
      const others = cellsWith.get(id);
      if (others) others.push(cell);
      else cellsWith.set(id, [cell]);
    }
  const row = (group: SnapshotGroup) => {
    const { id, name, members, direct_subgroup_ids, is_system_group, deactivated = false } = group;
    const all = facts.members(id);
    const people = all.without(facts.bots);
    const uses = groupBy(cellsWith.get(id) ?? [], useTitle);
    return {
      id,
      name,
      role: is_system_group,
      deactivated,
      people: people.count,
      guests: people.and(facts.guests).count,
      bots: all.count - people.count,
      set: sets.number(all),
      direct: members.length,
      contains: direct_subgroup_ids.filter((sub) => facts.groups.has(sub)),
      within: groups.filter((outer) => outer.direct_subgroup_ids.includes(id)).map((outer) => outer.id),
      uses: [...uses].map(([title, all]) => ({
        title,
        count: all.length,
        rows: all.slice(0, mostUses).map(rowLinkOf),
      })),
      cells: is_system_group ? [] : cellsOf(evaluation, of("group", id), sets),
    };
  };
  const own = groups.filter(({ is_system_group }) => !is_system_group);
  // Each role is part of the one before it.
  const roleGroups = groups
    .filter(({ is_system_group }) => is_system_group)
    .sort(
      (one, other) => facts.withSubgroups([other.id]).size - facts.withSubgroups([one.id]).size || one.id - other.id,
    );
  return [...own, ...roleGroups].map(row);
}

function accountRows({ snapshot, facts }: Evaluation, extras: readonly string[]) {
  const groups = new Map<number, RowLink[]>();
  for (const { id, name, members, is_system_group } of groupsByName(snapshot))
    for (const member of is_system_group ? [] : members)
      groups.set(member, [...(groups.get(member) ?? []), { row: `g${id}`, text: groupTitle(name) }]);
  const channels = new Map<number, number>();
  for (const { subscribers, is_archived } of channelsOf(snapshot))
    for (const id of is_archived ? [] : (subscribers ?? [])) channels.set(id, (channels.get(id) ?? 0) + 1);
  return snapshot.organization.realm_users.map((account, number) => {
    const { user_id, full_name, is_bot, bot_owner_id } = account;
    const role = knownRole(roleOf(account));
    const owner = bot_owner_id == null ? undefined : facts.fullName(bot_owner_id);
    return {
      id: user_id,
      name: full_name,
      email: userAddress(account) ?? "address hidden",
      role: role ? capitalized(role) : `Role ${roleOf(account)}`,
      bot: is_bot,
      guest: role === "guest",
      ...(owner !== undefined && { owner }),
      groups: groups.get(user_id) ?? [],
      channels: channels.get(user_id) ?? 0,
      extras: extras[number] ?? "",
    };
  });
}

/** Makes the report. The same evaluation always gives the same report. */
export function permissionsReport(taken: Snapshot, activity?: ReadonlyMap<number, Activity>) {
  const evaluation = evaluate(inPageOrder(taken));
  const { snapshot, facts } = evaluation;
  const input = findingInput(evaluation, activity);
  const targets = groupBy(input.cells, ({ scope, target_id }) => `${scope} ${target_id}`);
  const of = (scope: Scope, id: number | null) => targets.get(`${scope} ${id}`) ?? [];
  const sets = new Sets();
  const inputs = { evaluation, cells: input.cells, of, sets };
  const permissions = of("organization", null);
  const cells = cellsOf(evaluation, permissions, sets);
  const findings = findingsOf(input);
  return {
    organization: String(facts.organization.realm_name ?? snapshot.site),
    facts: headerFacts(snapshot),
    ...(seesOnlyPart(snapshot.organization) && { warning: partialWarning }),
    counts: organizationCounts(snapshot),
    findings: findings.filter(({ items }) => items.length > 0),
    clear: findings.flatMap(({ items, unknown, title }) => (items.length || unknown ? [] : [uncapitalized(title)])),
    unknown: findings.flatMap(({ unknown, title }) => (unknown ? [`${uncapitalized(title)} (${unknown})`] : [])),
    permissions: cells.map((cell, at) => {
      const permission = permissions[at]?.permission ?? "";
      return { permission, title: permissionTitle(permission), cell };
    }),
    channelColumns: columnsOf(input.cells, "channel"),
    folders: folderRows(inputs),
    groupColumns: columnsOf(input.cells, "group"),
    groups: groupRows(inputs),
    accounts: accountRows(evaluation, input.extras.map(extrasText)),
    people: snapshot.organization.realm_users.filter(({ is_bot }) => !is_bot).length,
    sets: sets.text,
  };
}

/** The content of the page as a value: counted and named, without markup. */
export type Report = ReturnType<typeof permissionsReport>;

export type GroupRow = Report["groups"][number];
