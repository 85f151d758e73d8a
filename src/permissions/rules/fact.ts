/** Facts about accounts, channels, groups and the organization, other than membership in a setting. */

import type { SnapshotChannel, SnapshotGroup } from "../../organization/snapshot.ts";
import type { Facts } from "../facts.ts";
import { any, type Fact, type Holders, type Reason, sinceLevel } from "../term.ts";

const fact = (missing: string, holders: Fact["holders"], reason?: Reason): Fact => ({
  kind: "fact",
  missing,
  holders,
  ...(reason && { reason }),
});

export const anybody = fact("", () => true);

export const noGuests = fact("guests never can", ({ nonGuests }) => nonGuests);
/** For what lets in everybody but guests: they need another alternative. */
export const nonGuest = fact("a guest, whom nothing else lets in", ({ nonGuests }) => nonGuests);
export const everyNonGuest = fact("a guest", ({ nonGuests }) => nonGuests, "always");
export const noBots = fact("bots never can", ({ bots, everyone }) => everyone.without(bots));
export const noBotsBefore496 = any(noBots, sinceLevel(496, anybody));
export const anyBot = fact("bots may", ({ bots }) => bots, "always");
export const administrator = fact("administrators can", ({ administrators }) => administrators, "administrator");
export const owner = fact("owners can", ({ owners }) => owners, "owner");

const ofChannel = (
  missing: string,
  holders: (channel: SnapshotChannel, facts: Facts) => Holders,
  reason?: Reason,
): Fact => fact(missing, (facts, { channel }) => channel && holders(channel, facts), reason);
const ofGroup = (missing: string, holders: (group: SnapshotGroup) => Holders): Fact =>
  fact(missing, (_, { group }) => group && holders(group));

export const subscriber = ofChannel("not subscribed", (channel, facts) => facts.subscribers(channel), "subscriber");
export const ownerSubscribed: Fact = {
  ...ofChannel("not the bot of a subscriber", (channel, facts) => {
    const subscribers = facts.subscribers(channel);
    return subscribers && facts.botsOf(subscribers);
  }),
  ofBots: true,
};
export const publicChannel = ofChannel("the channel is private", ({ invite_only }) => !invite_only, "public");
export const privateChannel = ofChannel("the channel is not private", ({ invite_only }) => invite_only);
export const webPublic = ofChannel(
  "the channel is not open to the web",
  ({ is_web_public }) => is_web_public ?? false,
  "web-public",
);
export const notArchived = ofChannel("the channel is archived", ({ is_archived }) => !is_archived);
export const namedTopics = ofChannel(
  "the channel has no named topics (topics_policy)",
  ({ topics_policy = "inherit" }, { organization }) =>
    (topics_policy === "inherit" ? organization.realm_topics_policy : topics_policy) !== "empty_topic_only",
);
export const sharedHistory = ofChannel(
  "the channel shows nobody what was sent before they came",
  ({ history_public_to_subscribers }) => history_public_to_subscribers,
);

export const ownGroup = ofGroup("nobody may, with the group of a role", ({ is_system_group }) => !is_system_group);
export const notDeactivated = ofGroup("the group is deactivated", ({ deactivated }) => !deactivated);
/** Deactivated groups may or may not allow changes of membership. */
export const notDeactivatedBefore391 = any(notDeactivated, sinceLevel(391, anybody));

const flag = (missing: string, name: string) =>
  fact(missing, ({ organization }) => {
    const value = organization[name];
    return typeof value === "boolean" ? value : undefined;
  });

export const webPublicChannels = [
  flag("the server has no web-public channels", "server_web_public_streams_enabled"),
  flag(
    "the organization has web-public channels switched off (enable_spectator_access)",
    "realm_enable_spectator_access",
  ),
  fact("the organization's plan has no web-public channels", ({ organization }) => organization.realm_plan_type !== 2),
];
export const summaries = flag("the server makes no summaries", "server_can_summarize_topics");
