/** What an auditor looks at first. */
import { firstOf } from "../../counted.ts";
import { type Channel, channelsOf, type Group, type Person, roleOf } from "../../organization/snapshot.ts";
import type { Bits } from "../bits.ts";
import { type Cell, type Evaluation, groupsNamedBy, type Scope } from "../evaluation.ts";
import { type Extra, extrasText } from "./extras.ts";
import { byName } from "./head.ts";
import { groupTitle, lower, permissionTitle, type Reference, rowOf, visible } from "./words.ts";

interface Item extends Reference {
  aside?: string | undefined;
}

export interface Finding {
  title: string;
  /** Why it is worth a look. */
  note: string;
  /** Only to know: nothing to look at. */
  info?: true;
  items: readonly Item[];
}

interface Material {
  evaluation: Evaluation;
  /** The cells that the page shows. */
  asked: readonly Cell[];
  /** Of the active accounts. */
  extras: readonly (readonly Extra[])[];
}

const channelItem = ({ stream_id, name }: Channel, aside?: string): Item => ({
  row: `c${stream_id}`,
  text: name,
  aside,
});
const groupItem = ({ id, name }: Group): Item => ({ row: `g${id}`, text: groupTitle(name) });
const personItem = ({ user_id, full_name }: Person, aside?: string): Item => ({
  row: `u${user_id}`,
  text: full_name,
  aside,
});

function names(people: readonly Person[]): string {
  const all = people.map(({ full_name }) => visible(full_name));
  return firstOf(all, 3) || "nobody";
}

function nobodyMay(evaluation: Evaluation, scope: Scope, id: number, permission: string): boolean {
  const cell = evaluation.cell(scope, id, permission);
  return cell !== undefined && evaluation.verdict(cell).possible.count === 0;
}

function channelFindings({ evaluation }: Material): Finding[] {
  const { snapshot, facts } = evaluation;
  const channels = byName(channelsOf(snapshot), ({ name, stream_id }) => [name, stream_id]);
  const live = channels.filter(({ is_archived }) => !is_archived);
  const hidden = live.filter(({ invite_only, is_web_public }) => invite_only && !is_web_public);
  const subscribers = hidden.map((channel) => ({ channel, set: facts.subscribers(channel) ?? facts.nobody }));
  const guests = subscribers.map(({ channel, set }) => ({ channel, people: facts.people(set.and(facts.guests)) }));
  const people = subscribers.map(({ channel, set }) => ({ channel, people: facts.people(set.without(facts.bots)) }));
  const nobody =
    (permission: string) =>
    ({ stream_id }: Channel) =>
      nobodyMay(evaluation, "channel", stream_id, permission);
  return [
    {
      title: "Channels open to the web",
      note: "Anybody can read them without an account, as long as the organization lets visitors in.",
      items: live.filter(({ is_web_public }) => is_web_public).map((channel) => channelItem(channel)),
    },
    {
      title: "Private channels with guests",
      note: "Guests read everything that is sent there while they are subscribed.",
      items: guests
        .filter(({ people }) => people.length)
        .map(({ channel, people }) => channelItem(channel, names(people))),
    },
    {
      title: "Private channels with one subscriber, or none",
      note: "When the last one leaves, nobody is left who reads along.",
      items: people
        .filter(({ people }) => people.length <= 1)
        .map(({ channel, people }) => channelItem(channel, names(people))),
    },
    {
      title: "Channels that nobody can administer",
      note: "No active account may change their names, settings and permissions.",
      items: live.filter(nobody("administer")).map((channel) => channelItem(channel)),
    },
    {
      title: "Private channels into which nobody can let anybody",
      note: "Nobody may both read them and subscribe others.",
      items: hidden.filter(nobody("can_add_subscribers_group")).map((channel) => channelItem(channel)),
    },
  ];
}

/** Settings that let in guests, or every member, where the server's default does not. */
function reachFindings({ evaluation, asked }: Material): Finding[] {
  const { facts } = evaluation;
  const members = facts.active.without(facts.guests).without(facts.bots);
  const usual = ({ scope, rule }: Cell) => facts.supported(scope, rule.setting ?? "")?.default_group_name;
  /** Where the default is the creator, nobody else has it. */
  const usualGroup = (cell: Cell) =>
    [...facts.groups.values()].find(({ name, is_system_group }) => is_system_group && name === usual(cell));
  const beyond = (reaches: (set: Bits) => boolean) => (cell: Cell) => {
    const { scope, rule, granted_to, away } = cell;
    if (away || granted_to === null || rule.setting === null || !usual(cell)) return false;
    const group = usualGroup(cell);
    const before = group ? facts.members(group.id) : facts.nobody;
    const now = facts.inside(granted_to, facts.letsGuests(scope, rule.setting));
    return !reaches(before) && reaches(now) && reaches(evaluation.verdict(cell).sure);
  };
  const item = (cell: Cell): Item => {
    const { row, text } = rowOf(cell);
    const of = cell.scope === "organization" ? "" : `: ${permissionTitle(cell.permission).toLowerCase()}`;
    const group = usualGroup(cell);
    return { row, text: text + of, aside: `by default ${group ? groupTitle(group.name) : "whoever made it"}` };
  };
  const toGuests = asked.filter(beyond((set) => set.and(facts.guests).count > 0));
  const toMembers = asked.filter(beyond((set) => members.count > 1 && members.without(set).count === 0));
  return [
    {
      title: "Permissions that reach guests",
      note: "By default the server gives them to no guest.",
      items: toGuests.map(item),
    },
    {
      title: "Permissions that reach every member",
      note: "By default the server gives them to fewer.",
      items: toMembers.filter((cell) => !toGuests.includes(cell)).map(item),
    },
  ];
}

function groupFindings({ evaluation, asked }: Material): Finding[] {
  const { facts, snapshot } = evaluation;
  const all = byName(snapshot.organization.realm_user_groups, ({ name, id }) => [name, id]);
  const groups = all.filter(({ is_system_group, deactivated }) => !is_system_group && !deactivated);
  const used = facts.reached(
    asked.flatMap((cell) => groupsNamedBy(cell).filter((id) => cell.scope !== "group" || cell.target_id !== id)),
  );
  return [
    {
      title: "Groups without members",
      note: "What they are given, nobody has; whoever may add members can hand it out.",
      items: groups.filter(({ id }) => facts.members(id).count === 0).map(groupItem),
    },
    {
      title: "Nobody’s groups",
      note: "Nobody may manage them.",
      items: groups.filter(({ id }) => nobodyMay(evaluation, "group", id, "can_manage_group")).map(groupItem),
    },
    {
      title: "Groups in no setting",
      note: "Neither they nor a group that they are in is given anything; they are good for mentions.",
      info: true,
      items: groups.filter(({ id }) => !used.has(id)).map(groupItem),
    },
  ];
}

/** Servers leave deactivated people out of settings: one that names nobody at all has lost them. */
function leftFindings({ evaluation, asked }: Material): Finding[] {
  const gone = new Map(
    evaluation.snapshot.organization.realm_non_active_users.map((one) => [one.user_id, one.full_name]),
  );
  const left = asked.filter(({ permission, granted_to, away }) => {
    if (away || !["administer", "can_manage_group"].includes(permission) || typeof granted_to !== "object")
      return false;
    return granted_to && granted_to.direct_members.length + granted_to.direct_subgroups.length === 0;
  });
  return [
    {
      title: "Left to deactivated people",
      note: "The setting that says who manages them names no active account.",
      items: left.map((cell) => {
        const { channel, group } = cell.decisions.target;
        const creator = gone.get(Number((channel ?? group)?.creator_id ?? 0));
        return { ...rowOf(cell), aside: creator && `made by ${visible(creator)}, who is deactivated` };
      }),
    },
  ];
}

/** What no member has by being subscribed or mentioned. */
const mighty = new Set([
  "administer",
  "can_remove_subscribers_group",
  "can_delete_any_message_group",
  "can_manage_group",
  "can_add_members_group",
  "can_remove_members_group",
  "deactivate",
]);

const highRoles = new Map([
  [100, "an owner"],
  [200, "an administrator"],
  [300, "a moderator"],
]);

function peopleFindings({ evaluation, extras }: Material): Finding[] {
  const accounts = evaluation.snapshot.organization.realm_users;
  const ofRole = (role: number) =>
    accounts.filter((each) => !each.is_bot && roleOf(each) === role).map((person) => personItem(person));
  const bots = accounts.flatMap((account, place) => {
    const beyond = extras[place]?.filter(({ scope, permission }) => scope === "organization" || mighty.has(permission));
    const rights = [highRoles.get(roleOf(account)), extrasText(beyond ?? [])].filter(Boolean).join("; ");
    return account.is_bot && rights ? [personItem(account, rights)] : [];
  });
  return [
    {
      title: "Bots with more than a member’s rights",
      note: "Whoever has their keys has these rights.",
      items: bots,
    },
    { title: "Owners", note: "They may do everything that can be allowed.", info: true, items: ofRole(100) },
    {
      title: "Administrators",
      note: "They manage people and settings, and see that private channels are there.",
      info: true,
      items: ofRole(200),
    },
  ];
}

/** Everything that is looked for, in the order of the page; without items where it was not found. */
export const findingsOf = (material: Material): Finding[] => [
  ...channelFindings(material),
  ...reachFindings(material),
  ...leftFindings(material),
  ...groupFindings(material),
  ...peopleFindings(material),
];

/** What was looked for and not found. */
export const clearOf = (findings: readonly Finding[]): string[] =>
  findings.flatMap(({ items, title }) => (items.length === 0 ? [lower(title)] : []));
