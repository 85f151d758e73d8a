/** What the page says first: of what it tells, and how much there is of everything. */
import {
  type Channel,
  channelsOf,
  everybodyOf,
  type Person,
  roleOf,
  type Snapshot,
} from "../../organization/snapshot.ts";
import type { Evaluation } from "../evaluation.ts";
import { roles } from "./words.ts";

const order = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** By name, whatever its case; the same everywhere. */
export const byName = <T>(all: readonly T[], nameAndId: (each: T) => readonly [name: string, id: number]): T[] =>
  all
    .map((each) => ({ each, key: nameAndId(each) }))
    .sort(({ key: [a, x] }, { key: [b, y] }) => order(a.toLowerCase(), b.toLowerCase()) || order(a, b) || x - y)
    .map(({ each }) => each);

/** People by role, then bots by role: so most sets of them are a few runs. */
const rank = (person: Person): number => roleOf(person) + (person.is_bot ? 10_000 : 0);

/** The same, its active accounts in the order of the page, by which sets number them. */
export const ordered = (snapshot: Snapshot): Snapshot => ({
  ...snapshot,
  organization: {
    ...snapshot.organization,
    realm_users: byName(snapshot.organization.realm_users, ({ full_name, user_id }) => [full_name, user_id]).sort(
      (one, other) => rank(one) - rank(other),
    ),
  },
});

export interface Count {
  title: string;
  count: number;
  parts: readonly { title: string; count: number }[];
}

const botTypes: readonly { type: number; title: string }[] = [
  { type: 1, title: "Generic" },
  { type: 2, title: "Incoming webhooks" },
  { type: 3, title: "Outgoing webhooks" },
  { type: 4, title: "Embedded" },
];

export function factsOf({ snapshot }: Evaluation): { title: string; text: string }[] {
  const { site, taken, email, feature_level, organization } = snapshot;
  const reader = everybodyOf(snapshot).find(({ user_id }) => user_id === organization.user_id);
  const role = reader && roles.find((each) => each.role === roleOf(reader))?.one.toLowerCase();
  return [
    { title: "Server", text: site },
    { title: "Taken", text: `${taken.slice(0, 10)} ${taken.slice(11, 16)} UTC` },
    { title: "As seen by", text: role === undefined ? email : `${email} (${role})` },
    { title: "Zulip", text: `${organization.zulip_version}, feature level ${feature_level}` },
  ];
}

type Sorts<T> = readonly (readonly [title: string, is: (each: T) => boolean])[];

/** How many there are of each sort, and of those that are not counted. */
const tally = <T>(title: string, all: readonly T[], sorts: Sorts<T>, [rest, left]: [string, number]): Count => ({
  title,
  count: all.length,
  parts: [
    ...sorts.map(([title, is]) => ({ title, count: all.filter(is).length })),
    { title: `${rest}, not counted`, count: left },
  ].filter(({ count }) => count > 0),
});

export function countsOf({ snapshot }: Evaluation): Count[] {
  const { realm_users, realm_non_active_users, realm_user_groups } = snapshot.organization;
  const isPerson = ({ is_bot }: Person): boolean => !is_bot;
  const isBot = ({ is_bot }: Person): boolean => is_bot;
  const channels = channelsOf(snapshot);
  const live = channels.filter(({ is_archived }) => !is_archived);
  const groups = realm_user_groups.filter(({ is_system_group }) => !is_system_group);
  const active = groups.filter(({ deactivated }) => !deactivated);
  const ofRoles: Sorts<Person> = roles.map(({ role, many }) => [many, (person) => roleOf(person) === role]);
  const ofTypes: Sorts<Person> = botTypes.map(({ type, title }) => [title, ({ bot_type }) => bot_type === type]);
  const deactivated = (is: typeof isBot): [string, number] => ["Deactivated", realm_non_active_users.filter(is).length];
  const ofVisibility: Sorts<Channel> = [
    ["Open to the web", ({ is_web_public }) => is_web_public === true],
    ["Public", ({ is_web_public, invite_only }) => !is_web_public && !invite_only],
    ["Private", ({ is_web_public, invite_only }) => !is_web_public && invite_only === true],
  ];
  return [
    tally("People", realm_users.filter(isPerson), ofRoles, deactivated(isPerson)),
    tally("Bots", realm_users.filter(isBot), ofTypes, deactivated(isBot)),
    tally("Channels", live, ofVisibility, ["Archived", channels.length - live.length]),
    tally("Groups", active, [], ["Deactivated", groups.length - active.length]),
  ];
}
