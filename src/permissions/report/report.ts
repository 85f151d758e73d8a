/** What a evaluation amounts to, as a report. */
import { addressOf } from "../../api/users.ts";
import {
  type Channel,
  channelsOf,
  type Group,
  type Person,
  roleOf,
  type Snapshot,
  seesPart,
} from "../../organization/snapshot.ts";
import { type Cell as Asked, type Evaluation, evaluate, groupsNamedBy, type Scope } from "../evaluation.ts";
import { scopes } from "../rules.ts";
import { Cells, Sets } from "./cells.ts";
import { extrasOf, extrasText } from "./extras.ts";
import { clearOf, findingsOf } from "./findings.ts";
import { byName, countsOf, factsOf, ordered } from "./head.ts";
import { groupTitle, permissionTitle, type Reference, roles, visible } from "./words.ts";

/** Settings that are one right with an act, which is shown in their place. */
const acts: Readonly<Record<Scope, readonly string[]>> = {
  organization: [],
  channel: ["can_send_message_group", "can_subscribe_group", "can_administer_channel_group"],
  group: [],
};

/** The cells that the page shows, things of a kind by their names. */
const shown = (evaluation: Evaluation): Asked[] =>
  byName([...evaluation.cells()], ({ name, target_id }) => [name ?? "", target_id ?? 0])
    .filter(({ scope, permission }) => !acts[scope].includes(permission))
    .sort((one, other) => scopes.indexOf(one.scope) - scopes.indexOf(other.scope));

const kindOf = ({ is_archived, is_web_public, invite_only }: Channel) =>
  is_archived ? "archived" : is_web_public ? "web" : invite_only ? "private" : "public";

const visibilityOf = ({ is_web_public, invite_only }: Channel): string =>
  is_web_public ? "web-public" : invite_only ? "private" : "public";

const groupsByName = ({ organization }: Snapshot): Group[] =>
  byName(organization.realm_user_groups, ({ name, id }) => [name, id]);

export interface Column {
  /** On the wire, or the name of an act. */
  permission: string;
  title: string;
}

const columnsOf = (cells: readonly Asked[], scope: Scope): Column[] =>
  [...new Set(cells.filter((cell) => cell.scope === scope).map(({ permission }) => permission))].map((permission) => ({
    permission,
    title: permissionTitle(permission),
  }));

const partly =
  "The account that asked is not an administrator: private channels that it cannot see are not in this page, and subscribers and members may be missing.";

/** As many uses of a kind are named; the matrix shows all. */
const mostUses = 5;

function folderRows({ snapshot, facts }: Evaluation, of: (id: number) => Asked[], cells: Cells) {
  const row = (channel: Channel) => ({
    id: channel.stream_id,
    name: channel.name,
    kind: kindOf(channel),
    visibility: visibilityOf(channel),
    subscribers: facts.subscribers(channel)?.count ?? 0,
    cells: cells.row(of(channel.stream_id), facts.subscribers(channel)),
  });
  const all = byName(channelsOf(snapshot), ({ name, stream_id }) => [name, stream_id]);
  const live = all.filter(({ is_archived }) => !is_archived);
  const folders = (snapshot.channel_folders ?? []).map(({ id, name }) => ({
    name,
    own: true,
    channels: live.filter(({ folder_id }) => folder_id === id),
  }));
  const named = new Set(snapshot.channel_folders?.map(({ id }) => id));
  const rest = live.filter(({ folder_id }) => folder_id == null || !named.has(folder_id));
  return [
    ...folders,
    { name: folders.length ? "In no folder" : "Channels", own: false, channels: rest },
    { name: "Archived", own: false, channels: all.filter(({ is_archived }) => is_archived) },
  ]
    .filter(({ channels }) => channels.length > 0)
    .map((folder) => ({ ...folder, channels: folder.channels.map(row) }));
}

/** For each group the settings that name it, its own left out where it is the group of a role. */
function usesOf(asked: readonly Asked[]): Map<number, Map<string, Reference[]>> {
  const uses = new Map<number, Map<string, Reference[]>>();
  for (const cell of asked) {
    const { scope, target_id, name, permission } = cell;
    const title = permissionTitle(permission);
    const [kind, use]: [string, Reference] =
      scope === "organization"
        ? ["Organization", { row: `o-${permission}`, text: title }]
        : scope === "channel"
          ? [`Channels, ${title.toLowerCase()}`, { row: `c${target_id}`, text: visible(name ?? "") }]
          : [`Groups, ${title.toLowerCase()}`, { row: `g${target_id}`, text: groupTitle(name ?? "") }];
    for (const id of groupsNamedBy(cell)) {
      const kinds = uses.get(id) ?? new Map<string, (typeof use)[]>();
      uses.set(id, kinds.set(kind, [...(kinds.get(kind) ?? []), use]));
    }
  }
  return uses;
}

function groupRows(
  evaluation: Evaluation,
  { asked, of, cells, sets }: { asked: readonly Asked[]; of: (id: number) => Asked[]; cells: Cells; sets: Sets },
) {
  const { facts, snapshot } = evaluation;
  const groups = snapshot.organization.realm_user_groups;
  const within = new Map<number, number[]>();
  for (const group of groups)
    for (const id of group.direct_subgroup_ids) within.set(id, [...(within.get(id) ?? []), group.id]);
  const system = new Set(groups.filter(({ is_system_group }) => is_system_group).map(({ id }) => id));
  const uses = usesOf(asked.filter(({ scope, target_id }) => scope !== "group" || !system.has(target_id!)));
  const row = (group: Group) => {
    const { id, name, members, is_system_group = false, deactivated = false } = group;
    const all = facts.members(id);
    const people = all.without(facts.bots);
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
      contains: group.direct_subgroup_ids.filter((sub) => facts.groups.has(sub)),
      within: within.get(id) ?? [],
      uses: [...(uses.get(id) ?? [])].map(([title, rows]) => ({
        title,
        count: rows.length,
        rows: rows.slice(0, mostUses),
      })),
      cells: is_system_group ? [] : cells.row(of(id)),
    };
  };
  const own = groupsByName(snapshot).filter(({ is_system_group }) => !is_system_group);
  // The innermost role last: each is in the one before it.
  const roleGroups = groups
    .filter(({ is_system_group }) => is_system_group)
    .sort((one, other) => facts.reached([other.id]).size - facts.reached([one.id]).size || one.id - other.id);
  return [...own, ...roleGroups].map(row);
}

function accountRows({ snapshot, facts }: Evaluation, extras: readonly string[]) {
  const groups = new Map<number, Reference[]>();
  for (const { id, name, members, is_system_group } of groupsByName(snapshot))
    for (const member of is_system_group ? [] : members)
      groups.set(member, [...(groups.get(member) ?? []), { row: `g${id}`, text: groupTitle(name) }]);
  const channels = new Map<number, number>();
  for (const { subscribers, is_archived } of channelsOf(snapshot))
    for (const id of is_archived ? [] : (subscribers ?? [])) channels.set(id, (channels.get(id) ?? 0) + 1);
  return snapshot.organization.realm_users.map((account, number) => {
    const { user_id, full_name, is_bot, bot_owner_id } = account;
    const owner = bot_owner_id == null ? undefined : facts.fullName(bot_owner_id);
    return {
      id: user_id,
      name: full_name,
      email: addressOf(account) ?? "address hidden",
      role: roleTitle(account),
      bot: is_bot,
      guest: roleOf(account) === 600,
      ...(owner !== undefined && { owner }),
      groups: groups.get(user_id) ?? [],
      channels: channels.get(user_id) ?? 0,
      extras: extras[number] ?? "",
    };
  });
}

const roleTitle = (account: Person): string =>
  roles.find(({ role }) => role === roleOf(account))?.one ?? `Role ${roleOf(account)}`;

/** Everything that the page shows. The same evaluation gives the same report. */
export function reportOf(given: Snapshot) {
  const evaluation = evaluate(ordered(given));
  const { snapshot, facts } = evaluation;
  const asked = shown(evaluation);
  const targets = new Map<string, Asked[]>();
  for (const cell of asked) {
    const key = `${cell.scope} ${cell.target_id}`;
    const row = targets.get(key);
    if (row) row.push(cell);
    else targets.set(key, [cell]);
  }
  const of = (scope: Scope) => (id: number | null) => targets.get(`${scope} ${id}`) ?? [];
  const sets = new Sets();
  const cells = new Cells(evaluation, sets);
  const extras = extrasOf(evaluation, asked);
  const permissions = of("organization")(null);
  const found = findingsOf({ evaluation, asked, extras });
  return {
    organization: String(facts.organization.realm_name ?? snapshot.site),
    facts: factsOf(evaluation),
    ...(seesPart(snapshot.organization) && { warning: partly }),
    counts: countsOf(evaluation),
    findings: found.filter(({ items }) => items.length > 0),
    clear: clearOf(found),
    permissions: cells.row(permissions).map((cell, at) => {
      const permission = permissions[at]?.permission ?? "";
      return { permission, title: permissionTitle(permission), cell };
    }),
    channelColumns: columnsOf(asked, "channel"),
    folders: folderRows(evaluation, of("channel"), cells),
    groupColumns: columnsOf(asked, "group"),
    groups: groupRows(evaluation, { asked, of: of("group"), cells, sets }),
    accounts: accountRows(evaluation, extras.map(extrasText)),
    people: snapshot.organization.realm_users.filter(({ is_bot }) => !is_bot).length,
    sets: sets.text,
  };
}

/** What the page shows, as a value: everything counted and named, nothing of markup. */
export type Report = ReturnType<typeof reportOf>;
