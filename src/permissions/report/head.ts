/** The first part of the page: the organization, and counts. */
import { releaseOf } from "../../api/releases.ts";
import { roleName } from "../../model/person.ts";
import { byText } from "../../organization/naming.ts";
import {
  type Channel,
  channelsOf,
  everybodyOf,
  type Group,
  type Person,
  roleOf,
  type Snapshot,
} from "../../organization/snapshot.ts";
import { roles } from "./words.ts";

/** Sorts by name without case, the same on every machine. */
export const byName = <T>(all: readonly T[], nameAndId: (each: T) => readonly [name: string, id: number]): T[] =>
  all
    .map((each) => ({ each, key: nameAndId(each) }))
    .sort(({ key: [a, x] }, { key: [b, y] }) => byText(a.toLowerCase(), b.toLowerCase()) || byText(a, b) || x - y)
    .map(({ each }) => each);

export const channelsByName = (snapshot: Snapshot): Channel[] =>
  byName(channelsOf(snapshot), ({ name, stream_id }) => [name, stream_id]);

export const groupsByName = ({ organization }: Snapshot): Group[] =>
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
  const ofRole = roles.map(({ role, title }) => [`${title}s`, people.filter((each) => roleOf(each) === role).length]);
  const ofType = (type: number) => bots.filter(({ bot_type }) => bot_type === type).length;
  const countLive = (is: (channel: Channel) => boolean | undefined) => live.filter((channel) => is(channel)).length;
  return [
    tally("People", people.length, {
      ...Object.fromEntries(ofRole),
      "Deactivated, not counted": realm_non_active_users.length - goneBots,
    }),
    tally("Bots", bots.length, {
      Generic: ofType(1),
      "Incoming webhooks": ofType(2),
      "Outgoing webhooks": ofType(3),
      Embedded: ofType(4),
      "Deactivated, not counted": goneBots,
    }),
    tally("Channels", live.length, {
      "Open to the web": countLive(({ is_web_public }) => is_web_public),
      Public: countLive(({ is_web_public, invite_only }) => !is_web_public && !invite_only),
      Private: countLive(({ is_web_public, invite_only }) => !is_web_public && invite_only),
      "Archived, not counted": channels.length - live.length,
    }),
    tally("Groups", active, { "Deactivated, not counted": groups.length - active }),
  ];
}
