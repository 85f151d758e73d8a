/** What an auditor looks at first. */
import { firstOf } from "../../counted.ts";
import { type Channel, channelsOf, type Group, type Person, roleOf } from "../../organization/snapshot.ts";
import type { Bits } from "../bits.ts";
import { type Cell, type Evaluation, groupsNamedBy, type Scope } from "../evaluation.ts";
import { type Extras, extrasText, noExtras } from "./extras.ts";
import { byName } from "./head.ts";
import { groupTitle, permissionTitle, type Reference, visible } from "./words.ts";

export interface Finding {
  title: string;
  /** Why it is worth a look. */
  note: string;
  /** Only to know: nothing to look at. */
  info?: true;
  items: readonly (Reference & { aside?: string | undefined })[];
}

interface Material {
  evaluation: Evaluation;
  /** The cells that the page shows. */
  asked: readonly Cell[];
  extras: Extras;
}

const channelItem = ({ stream_id, name }: Channel, aside?: string) => ({ row: `c${stream_id}`, text: name, aside });
const groupItem = ({ id, name }: Group, aside?: string) => ({ row: `g${id}`, text: groupTitle(name), aside });
const personItem = ({ user_id, full_name }: Person, aside?: string) => ({ row: `u${user_id}`, text: full_name, aside });

const names = (people: readonly Person[]): string =>
  firstOf(
    people.map(({ full_name }) => visible(full_name)),
    3,
  );

function nobodyMay(evaluation: Evaluation, scope: Scope, id: number, permission: string): boolean {
  const cell = evaluation.cell(scope, id, permission);
  return cell !== undefined && evaluation.verdict(cell).possible.count === 0;
}

function channelFindings({ evaluation }: Material): Finding[] {
  const { snapshot, facts } = evaluation;
  const channels = byName(channelsOf(snapshot), ({ name, stream_id }) => [name, stream_id]);
  const live = channels.filter(({ is_archived }) => !is_archived);
  const hidden = live.filter(({ invite_only, is_web_public }) => invite_only && !is_web_public);
  const subscribers = (channel: Channel): Bits => facts.subscribers(channel) ?? facts.nobody;
  const subscribed = (channel: Channel) => facts.people(subscribers(channel).without(facts.bots));
  const guests = (channel: Channel) => facts.people(subscribers(channel).and(facts.guests));
  const nobody = ({ stream_id }: Channel, permission: string) =>
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
      items: hidden.flatMap((channel) => {
        const found = guests(channel);
        return found.length ? [channelItem(channel, names(found))] : [];
      }),
    },
    {
      title: "Private channels with one subscriber, or none",
      note: "When the last one leaves, nobody is left who reads along.",
      items: hidden.flatMap((channel) => {
        const found = subscribed(channel);
        return found.length > 1 ? [] : [channelItem(channel, found.length ? names(found) : "nobody")];
      }),
    },
    {
      title: "Channels that nobody can administer",
      note: "No active account may change their names, settings and permissions.",
      items: live.filter((channel) => nobody(channel, "administer")).map((channel) => channelItem(channel)),
    },
    {
      title: "Private channels into which nobody can let anybody",
      note: "Nobody may both read them and subscribe others.",
      items: hidden
        .filter((channel) => nobody(channel, "can_add_subscribers_group"))
        .map((channel) => channelItem(channel)),
    },
  ];
}

/** The settings behind acts of channels. */
const behind = new Map([
  ["post", "can_send_message_group"],
  ["subscribe", "can_subscribe_group"],
  ["administer", "can_administer_channel_group"],
]);

/** Settings that let in guests, or every member, where the server's default does not. */
function reachFindings({ evaluation, asked }: Material): Finding[] {
  const { facts, snapshot } = evaluation;
  const roleGroups = new Map(
    snapshot.organization.realm_user_groups.flatMap((group) => (group.is_system_group ? [[group.name, group]] : [])),
  );
  const members = facts.active.without(facts.guests).without(facts.bots);
  const reach = (set: Bits) => ({
    guests: set.and(facts.guests).count > 0,
    members: members.count > 1 && set.and(members).count === members.count,
  });
  const items = (want: "guests" | "members") =>
    asked.flatMap((cell) => {
      const { scope, target_id, name, permission, granted_to, away } = cell;
      const setting = behind.get(permission) ?? permission;
      const usual = facts.supported(scope, setting)?.default_group_name;
      const group = usual === undefined ? undefined : roleGroups.get(usual);
      if (away || granted_to === null || !usual) return [];
      // Where it is the creator by default, nobody else has it.
      const before = group ? reach(facts.members(group.id)) : { guests: false, members: false };
      const now = reach(facts.inside(granted_to, facts.letsGuests(scope, setting)));
      const here = reach(evaluation.verdict(cell).sure);
      if (before[want] || !now[want] || !here[want]) return [];
      // It is told once.
      if (want === "members" && !before.guests && now.guests && here.guests) return [];
      const aside = `by default ${group ? groupTitle(usual) : "whoever made it"}`;
      if (scope === "organization") return [{ row: `o-${permission}`, text: permissionTitle(permission), aside }];
      const text = scope === "channel" ? visible(name ?? "") : groupTitle(name ?? "");
      return [
        {
          row: `${scope.slice(0, 1)}${target_id}`,
          text: `${text}: ${permissionTitle(permission).toLowerCase()}`,
          aside,
        },
      ];
    });
  return [
    {
      title: "Permissions that reach guests",
      note: "By default the server gives them to no guest.",
      items: items("guests"),
    },
    {
      title: "Permissions that reach every member",
      note: "By default the server gives them to fewer.",
      items: items("members"),
    },
  ];
}

function groupFindings({ evaluation, asked }: Material): Finding[] {
  const { facts, snapshot } = evaluation;
  const all = byName(snapshot.organization.realm_user_groups, ({ name, id }) => [name, id]);
  const groups = all.filter(({ is_system_group, deactivated }) => !is_system_group && !deactivated);
  const nobody = ({ id }: Group) => nobodyMay(evaluation, "group", id, "can_manage_group");
  const named = asked.flatMap((cell) =>
    groupsNamedBy(cell).filter((id) => !(cell.scope === "group" && cell.target_id === id)),
  );
  const used = facts.reached(named);
  return [
    {
      title: "Groups without members",
      note: "What they are given, nobody has; whoever may add members can hand it out.",
      items: groups.filter(({ id }) => facts.members(id).count === 0).map((group) => groupItem(group)),
    },
    {
      title: "Nobody’s groups",
      note: "Nobody may manage them.",
      items: groups.filter(nobody).map((group) => groupItem(group)),
    },
    {
      title: "Groups in no setting",
      note: "Neither they nor a group that they are in is given anything; they are good for mentions.",
      info: true,
      items: groups.filter(({ id }) => !used.has(id)).map((group) => groupItem(group)),
    },
  ];
}

/** Servers leave deactivated people out of settings: one that names nobody at all has lost them. */
function leftFindings({ evaluation, asked }: Material): Finding[] {
  const { snapshot } = evaluation;
  const gone = new Map(
    snapshot.organization.realm_non_active_users.map(({ user_id, full_name }) => [user_id, full_name]),
  );
  const things = new Map<string, Channel | Group>([
    ...channelsOf(snapshot).map((channel) => [`channel ${channel.stream_id}`, channel] as const),
    ...snapshot.organization.realm_user_groups.map((group) => [`group ${group.id}`, group] as const),
  ]);
  const items = asked.flatMap(({ scope, target_id, name, permission, granted_to, away }) => {
    if (away || !["administer", "can_manage_group"].includes(permission)) return [];
    if (granted_to === null || typeof granted_to === "number") return [];
    if (granted_to.direct_members.length + granted_to.direct_subgroups.length > 0) return [];
    const creator = gone.get(Number(things.get(`${scope} ${target_id}`)?.creator_id ?? 0));
    const aside = creator === undefined ? undefined : `made by ${visible(creator)}, who is deactivated`;
    const text = scope === "channel" ? visible(name ?? "") : groupTitle(name ?? "");
    return [{ row: `${scope.slice(0, 1)}${target_id}`, text, aside }];
  });
  return [
    {
      title: "Left to deactivated people",
      note: "The setting that says who manages them names no active account.",
      items,
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

function peopleFindings({ evaluation, extras }: Material): Finding[] {
  const accounts = evaluation.snapshot.organization.realm_users;
  const people = accounts.filter(({ is_bot }) => !is_bot);
  const ofRole = (role: number) =>
    people.filter((person) => roleOf(person) === role).map((person) => personItem(person));
  const bots = accounts.flatMap((account, number) => {
    if (!account.is_bot) return [];
    const { organization, channel, group } = extras[number] ?? noExtras;
    const more = (all: ReadonlyMap<string, number>) => new Map([...all].filter(([name]) => mighty.has(name)));
    const beyond = extrasText({ organization, channel: more(channel), group: more(group) });
    const role = roleOf(account);
    if (role >= 400 && beyond === "") return [];
    const told = role < 400 ? { 100: "an owner", 200: "an administrator", 300: "a moderator" }[role] : undefined;
    return [personItem(account, [told, beyond].filter(Boolean).join("; "))];
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

/** Everything that is looked for, in the order in which it is told; without items where it is not there. */
export const findingsOf = (material: Material): Finding[] => [
  ...channelFindings(material),
  ...reachFindings(material),
  ...leftFindings(material),
  ...groupFindings(material),
  ...peopleFindings(material),
];

/** What was looked for and is not there. */
export const clearOf = (findings: readonly Finding[]): string[] =>
  findings.flatMap(({ items, title }) =>
    items.length === 0 ? [title.slice(0, 1).toLowerCase() + title.slice(1)] : [],
  );
