/** What is so of accounts, channels, groups and the organization, apart from who is in a setting. */
import type { Bits } from "../bits.ts";
import { channelOf, type Facts, groupOf, type Target } from "../facts.ts";
import { any, doubt, type Fact, from, type Never, type Term, type Word } from "../term.ts";

const fact = (
  lack: string,
  holds: (facts: Facts, target: Target) => boolean | Bits | undefined,
  word?: Word,
): Fact => ({ kind: "fact", lack, holds, ...(word && { word }) });

export const anybody = fact("", () => true);

const neverGuest = fact("guests never can", ({ notGuests }) => notGuests);
/** Nothing else lets guests in. */
export const notGuest = fact("a guest, whom nothing else lets in", ({ notGuests }) => notGuests);
export const isNoGuest = fact("a guest", ({ notGuests }) => notGuests, "always");
const notBot = fact("bots never can", ({ notBots }) => notBots);
export const isBot = fact("bots may", ({ bots }) => bots, "always");
export const administrator = fact("administrators can", ({ administrators }) => administrators, "administrator");
export const owner = fact("owners can", ({ owners }) => owners, "owner");

/** Who is meant by those that a rule never lets. */
export const nevers: Readonly<Record<Never, Term>> = {
  guests: neverGuest,
  bots: notBot,
  "bots before level 496": any(notBot, from(496, anybody)),
  "bots, doubtful from level 496 on": any(
    notBot,
    from(496, doubt("bots may update groups from level 496 on; whether that is meant too is not known", anybody)),
  ),
};

export const subscriber = fact("not subscribed", (facts, target) => facts.subscribers(channelOf(target)), "subscriber");
export const ownerSubscribed = fact("not the bot of a subscriber", (facts, target) => {
  const subscribers = facts.subscribers(channelOf(target));
  return subscribers && facts.botsOf(subscribers);
});
export const publicChannel = fact("the channel is private", (_, target) => !channelOf(target).invite_only, "public");
export const privateChannel = fact("the channel is not private", (_, target) => channelOf(target).invite_only);
export const webPublic = fact(
  "the channel is not open to the web",
  (_, target) => channelOf(target).is_web_public ?? false,
  "web-public",
);
export const notArchived = fact("the channel is archived", (_, target) => !channelOf(target).is_archived);
export const namedTopics = fact("the channel has no named topics (topics_policy)", ({ organization }, target) => {
  const { topics_policy = "inherit" } = channelOf(target);
  return (topics_policy === "inherit" ? organization.realm_topics_policy : topics_policy) !== "empty_topic_only";
});
export const sharedHistory = fact(
  "the channel shows nobody what was sent before they came",
  (_, target) => channelOf(target).history_public_to_subscribers,
);

export const noRole = fact("nobody may, with the group of a role", (_, target) => !groupOf(target).is_system_group);
export const notDeactivated = fact("the group is deactivated", (_, target) => !groupOf(target).deactivated);
/** Membership of deactivated groups may change later. */
export const notDeactivatedBefore391 = any(notDeactivated, from(391, anybody));

const flag = (lack: string, name: string) =>
  fact(lack, ({ organization }) => {
    const value = organization[name];
    return typeof value === "boolean" ? value : undefined;
  });

export const webPublicChannels = [
  flag("the server has no web-public channels", "server_web_public_streams_enabled"),
  flag("the organization has web-public channels switched off", "realm_enable_spectator_access"),
  fact("the organization's plan has no web-public channels", ({ organization }) => organization.realm_plan_type !== 2),
];
export const summaries = flag("the server makes no summaries", "server_can_summarize_topics");
