/** The first part of the page: the organization, and counts. */
import { releaseOf } from "../../api/releases.ts";
import { type BotKind, botKinds } from "../../model/bot.ts";
import { type Privacy, privacyOf } from "../../model/channel.ts";
import { knownRole, roleName, roleNames } from "../../model/person.ts";
import { channelsOf, everybodyOf, roleOf, type Snapshot } from "../../organization/snapshot.ts";
import { capitalized } from "../titles.ts";

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

export function organizationCounts(snapshot: Snapshot): Count[] {
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
