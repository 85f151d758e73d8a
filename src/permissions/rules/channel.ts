/** Rules for channels. */
import { type ChannelPermission, privacyNeedsCreation } from "../../model/channel.ts";
import {
  any,
  beforeLevel,
  inChannel,
  inOrganization,
  ownerInChannel,
  permission,
  type RuleSpec,
  type Term,
  uncertain,
  when,
} from "../term.ts";
import {
  administrator,
  anybody,
  namedTopics,
  noGuests,
  nonGuest,
  notArchived,
  ownerSubscribed,
  privateChannel,
  publicChannel,
  sharedHistory,
  subscriber,
  webPublic,
} from "./fact.ts";

const entrySettings = [inChannel("can_add_subscribers_group"), inChannel("can_subscribe_group")];
const administratorSetting = inChannel("can_administer_channel_group");
/** Guests can find messages of web-public channels without a subscription, but cannot act on them. */
export const messageAccess: readonly Term[] = [notArchived, any(subscriber, when([nonGuest], permission("read")))];
const accessibleMessages = "messages to which they have access";

/** Newer servers require the right to create such a channel from whoever makes one private or public. */
const canCreateSuchChannel: Term = any(
  when([privateChannel], inOrganization("can_create_public_channel_group")),
  when([publicChannel], inOrganization("can_create_private_channel_group")),
  when([webPublic], inOrganization("can_create_public_channel_group")),
);
const unknownLevelNote = `since a level between 372 and ${privacyNeedsCreation} it takes the right to create such channels too`;

const rules = {
  see: {
    action: "see {}",
    setting: null,
    alternatives: [
      webPublic,
      subscriber,
      when([nonGuest], publicChannel, administrator, ...entrySettings, administratorSetting),
    ],
    note: "its name, settings and subscribers",
  },
  read: {
    action: "read {}",
    setting: null,
    alternatives: [webPublic, subscriber, when([nonGuest], publicChannel, ...entrySettings)],
    note: "what was sent before they came is another permission, history",
  },
  history: {
    action: "read the history of {}",
    setting: null,
    alternatives: [webPublic, when([nonGuest], publicChannel), when([sharedHistory, notArchived], permission("read"))],
    note: "what was sent when they were not there",
  },
  post: {
    action: "post in {}",
    setting: "can_send_message_group",
    requires: [
      notArchived,
      any(
        webPublic,
        when([nonGuest], publicChannel),
        subscriber,
        ownerSubscribed,
        when([sharedHistory, nonGuest], ...entrySettings),
      ),
    ],
    alternatives: [ownerInChannel("can_send_message_group")],
    webhooks: true,
  },
  subscribe: {
    action: "subscribe themselves to {}",
    setting: "can_subscribe_group",
    grant: null,
    requires: [noGuests],
    alternatives: [permission("read")],
    note: "themselves",
  },
  administer: {
    action: "administer {}",
    setting: "can_administer_channel_group",
    requires: [noGuests],
    alternatives: [administrator],
    note: "name, description, settings, archiving",
  },
  change_privacy: {
    action: "change the privacy of {}",
    setting: null,
    requires: [
      permission("read"),
      any(
        beforeLevel(372, anybody),
        canCreateSuchChannel,
        beforeLevel(privacyNeedsCreation, uncertain(unknownLevelNote, anybody)),
      ),
    ],
    alternatives: [permission("administer")],
    note:
      "to open it to the web takes the organization's can_create_web_public_channel_group too; " +
      "whether newcomers see its history, and whether the web sees it no longer, takes administering alone",
  },

  can_send_message_group: { grant: null, action: "post in {}", alternatives: [permission("post")], webhooks: true },
  can_subscribe_group: { grant: null, action: "subscribe themselves to {}", alternatives: [permission("subscribe")] },
  can_administer_channel_group: { grant: null, action: "administer {}", alternatives: [permission("administer")] },
  can_add_subscribers_group: {
    action: "subscribe others to {}",
    requires: [noGuests, permission("read")],
    alternatives: [administratorSetting, administrator, inOrganization("can_add_subscribers_group")],
  },
  can_remove_subscribers_group: {
    grant: null,
    action: "unsubscribe others from {}",
    requires: [noGuests],
    alternatives: [
      administrator,
      administratorSetting,
      when([permission("see")], inChannel("can_remove_subscribers_group")),
    ],
  },

  can_move_messages_within_channel_group: {
    action: "move messages to other topics of {}",
    requires: messageAccess,
    alternatives: [inOrganization("can_move_messages_between_topics_group"), permission("administer")],
    note: `${accessibleMessages}, within the time limit; into a new topic for those who may begin topics`,
  },
  can_move_messages_out_of_channel_group: {
    action: "move messages out of {}",
    requires: messageAccess,
    alternatives: [inOrganization("can_move_messages_between_channels_group"), permission("administer")],
    note: `${accessibleMessages}, within the time limit, to channels that they may read and whose can_send_message_group they are in`,
  },
  can_resolve_topics_group: {
    action: "resolve topics in {}",
    requires: messageAccess,
    alternatives: [inOrganization("can_resolve_topics_group")],
    note: "topics with messages to which they have access",
  },
  can_delete_any_message_group: {
    action: "delete anybody's messages in {}",
    requires: messageAccess,
    alternatives: [inOrganization("can_delete_any_message_group")],
    note: accessibleMessages,
  },
  can_delete_own_message_group: {
    action: "delete messages of their own in {}",
    requires: messageAccess,
    alternatives: [inOrganization("can_delete_own_message_group"), permission("can_delete_any_message_group")],
    note: "within the time limit, except for those who may delete any message",
  },
  can_create_topic_group: {
    action: "begin topics in {}",
    requires: [permission("post"), namedTopics],
    alternatives: [ownerInChannel("can_create_topic_group")],
    webhooks: true,
    note: "named topics",
  },
} satisfies Readonly<Record<ChannelPermission, RuleSpec> & Record<string, RuleSpec>>;

export const channelRules: Readonly<Record<string, RuleSpec>> = rules;
