/** The first part of the page: the organization, and counts. */
import { releaseOf } from "../../api/releases.ts";
import { type BotKind, botKinds } from "../../model/bot.ts";
import { type Privacy, privacyOf } from "../../model/channel.ts";
import { knownRole, roleName, roleNames } from "../../model/person.ts";
import { byText } from "../../organization/naming.ts";
import {
  channelsOf,
  everybodyOf,
  type Person,
  roleOf,
  type Snapshot,
  type SnapshotChannel,
  type SnapshotGroup,
} from "../../organization/snapshot.ts";
import { capitalized } from "./titles.ts";

/** Sorts by name without case, the same on every machine. */
export const byName = <T>(all: readonly T[], nameAndId: (each: T) => readonly [name: string, id: number]): T[] =>
  all
    .map((each) => ({ each, key: nameAndId(each) }))
    .sort(({ key: [a, x] }, { key: [b, y] }) => byText(a.toLowerCase(), b.toLowerCase()) || byText(a, b) || x - y)
    .map(({ each }) => each);

export const channelsByName = (snapshot: Snapshot): SnapshotChannel[] =>
  byName(channelsOf(snapshot), ({ name, stream_id }) => [name, stream_id]);

export const groupsByName = ({ organization }: Snapshot): SnapshotGroup[] =>
  byName(organization.realm_user_groups, ({ name, id }) => [name, id]);

/** Sorts people by role, then bots by role: most sets then become a few runs. */
const rank = (person: Person): number => roleOf(person) + (person.is_bot ? 10_000 : 0);

/** Sorts active accounts in the order of the page, which numbers their sets. */
export const inPageOrder = (snapshot: Snapshot): Snapshot => ({
  ...snapshot,
  organization: {
    ...snapshot.organization,
    realm_users: byName(snapshot.organization.realm_users, ({ full_name, user_id }) => [full_name, user_id]).sort(
      (one, other) => rank(one) - rank(other),
    ),
  },
});

export function headerFacts(snapshot: Snapshot): { title: string; text: string }[] {
  const { site, taken, email, feature_level, organization } = snapshot;
  const reader = everybodyOf(snapshot).find(({ user_id }) => user_id === organization.user_id);
  return [
    { title: "Server", text: site },
    { title: "Taken", text: `${taken.slice(0, 10)} ${taken.slice(11, 16)} UTC` },
    { title: "As seen by", text: reader ? `${email} (${roleName(roleOf(reader))})` : email },
    { title: "Zulip", text: `${releaseOf(feature_level)}, feature level ${feature_level}` },
  ];
}

export interface Count {
  title: string;
  count: number;
  parts: readonly { title: string; count: number }[];
}

const tally = (title: string, count: number, parts: Readonly<Record<string, number>>): Count => ({
  title,
  count,
  parts: Object.entries(parts).flatMap(([title, count]) => (count ? [{ title, count }] : [])),
});

export function countsOf(snapshot: Snapshot): Count[] {
  const { realm_users, realm_non_active_users, realm_user_groups } = snapshot.organization;
  const people = realm_users.filter(({ is_bot }) => !is_bot);
  const bots = realm_users.filter(({ is_bot }) => is_bot);
  const goneBots = realm_non_active_users.filter(({ is_bot }) => is_bot).length;
  const channels = channelsOf(snapshot);
  const live = channels.filter(({ is_archived }) => !is_archived);
  const groups = realm_user_groups.filter(({ is_system_group }) => !is_system_group);
  const active = groups.filter(({ deactivated }) => !deactivated).length;
  const ofRole = roleNames.map((role) => [
    `${capitalized(role)}s`,
    people.filter((each) => knownRole(roleOf(each)) === role).length,
  ]);
  const ofKind = (kind: BotKind) => bots.filter(({ bot_type }) => bot_type === botKinds[kind]).length;
  const ofPrivacy = (privacy: Privacy) => live.filter((channel) => privacyOf(channel) === privacy).length;
  return [
    tally("People", people.length, {
      ...Object.fromEntries(ofRole),
      "Deactivated, not counted": realm_non_active_users.length - goneBots,
    }),
    tally("Bots", bots.length, {
      Generic: ofKind("generic"),
      "Incoming webhooks": ofKind("incoming-webhook"),
      "Outgoing webhooks": ofKind("outgoing-webhook"),
      Embedded: ofKind("embedded"),
      "Deactivated, not counted": goneBots,
    }),
    tally("Channels", live.length, {
      "Open to the web": ofPrivacy("web-public"),
      Public: ofPrivacy("public"),
      Private: ofPrivacy("private"),
      "Archived, not counted": channels.length - live.length,
    }),
    tally("Groups", active, { "Deactivated, not counted": groups.length - active }),
  ];
}
