/** Rules for channels. */
import {
  any,
  before,
  inChannel,
  inOrganization,
  may,
  ownerInChannel,
  type Stated,
  type Term,
  uncertain,
  when,
} from "../term.ts";
import {
  administrator,
  anybody,
  namedTopics,
  noGuests,
  notArchived,
  notGuest,
  ownerSubscribed,
  privateChannel,
  publicChannel,
  sharedHistory,
  subscriber,
  webPublic,
} from "./fact.ts";

const lettingIn = [inChannel("can_add_subscribers_group"), inChannel("can_subscribe_group")];
const administering = inChannel("can_administer_channel_group");
/** Guests can find messages of web-public channels without a subscription, but cannot act on them. */
const messageAccess: readonly Term[] = [notArchived, any(subscriber, when([notGuest], may("read")))];
const receivedMessages = "messages that they received or may find";

/** Newer servers require the right to create such a channel from whoever makes one private or public. */
const creatingSuch: Term = any(
  when([privateChannel], inOrganization("can_create_public_channel_group")),
  when([publicChannel], inOrganization("can_create_private_channel_group")),
  when([webPublic], inOrganization("can_create_public_channel_group")),
);
const sinceUnknownLevel = "since a level between 372 and 442 it takes the right to create such channels too";

export const channelRules: Readonly<Record<string, Stated>> = {
  see: {
    lets: "see {}",
    shows: null,
    besides: [webPublic, subscriber, when([notGuest], publicChannel, administrator, ...lettingIn, administering)],
    note: "its name, settings and subscribers",
  },
  read: {
    lets: "read {}",
    shows: null,
    besides: [webPublic, subscriber, when([notGuest], publicChannel, ...lettingIn)],
    note: "what was sent before they came is another permission, history",
  },
  history: {
    lets: "read the history of {}",
    shows: null,
    besides: [webPublic, when([notGuest], publicChannel), when([sharedHistory, notArchived], may("read"))],
    note: "what was sent when they were not there",
  },
  post: {
    lets: "post in {}",
    shows: "can_send_message_group",
    needs: [
      notArchived,
      any(
        webPublic,
        when([notGuest], publicChannel),
        subscriber,
        ownerSubscribed,
        when([sharedHistory, notGuest], ...lettingIn),
      ),
    ],
    by: inChannel("can_send_message_group"),
    besides: [ownerInChannel("can_send_message_group")],
    webhooks: true,
  },
  subscribe: {
    lets: "subscribe themselves to {}",
    shows: "can_subscribe_group",
    needs: [noGuests],
    besides: [may("read")],
    note: "themselves",
  },
  administer: {
    lets: "administer {}",
    shows: "can_administer_channel_group",
    needs: [noGuests],
    by: administering,
    besides: [administrator],
    note: "name, description, settings, archiving",
  },
  change_privacy: {
    lets: "change who can see {}",
    shows: null,
    needs: [may("read"), any(before(372, anybody), creatingSuch, before(442, uncertain(sinceUnknownLevel, anybody)))],
    besides: [may("administer")],
    note:
      "to open it to the web takes the organization's can_create_web_public_channel_group too; " +
      "whether newcomers see its history, and whether the web sees it no longer, takes administering alone",
  },

  can_send_message_group: { by: null, lets: "post in {}", besides: [may("post")], webhooks: true },
  can_subscribe_group: { by: null, lets: "subscribe themselves to {}", besides: [may("subscribe")] },
  can_administer_channel_group: { by: null, lets: "administer {}", besides: [may("administer")] },
  can_add_subscribers_group: {
    lets: "subscribe others to {}",
    needs: [noGuests, may("read")],
    besides: [administering, administrator, inOrganization("can_add_subscribers_group")],
  },
  can_remove_subscribers_group: {
    by: null,
    lets: "unsubscribe others from {}",
    needs: [noGuests],
    besides: [administrator, administering, when([may("see")], inChannel("can_remove_subscribers_group"))],
  },

  can_move_messages_within_channel_group: {
    lets: "move messages to other topics of {}",
    since: 396,
    needs: messageAccess,
    besides: [inOrganization("can_move_messages_between_topics_group"), may("administer")],
    note: `${receivedMessages}, within the time limit; into a new topic for those who may begin topics`,
  },
  can_move_messages_out_of_channel_group: {
    lets: "move messages out of {}",
    since: 396,
    needs: messageAccess,
    besides: [inOrganization("can_move_messages_between_channels_group"), may("administer")],
    note: `${receivedMessages}, within the time limit, to channels that they may read and whose can_send_message_group they are in`,
  },
  can_resolve_topics_group: {
    lets: "resolve topics in {}",
    since: 402,
    needs: messageAccess,
    besides: [inOrganization("can_resolve_topics_group")],
    note: "topics with messages that they received or may find",
  },
  can_delete_any_message_group: {
    lets: "delete anybody's messages in {}",
    since: 407,
    needs: messageAccess,
    besides: [inOrganization("can_delete_any_message_group")],
    note: receivedMessages,
  },
  can_delete_own_message_group: {
    lets: "delete messages of their own in {}",
    since: 407,
    needs: messageAccess,
    besides: [inOrganization("can_delete_own_message_group"), may("can_delete_any_message_group")],
    note: "within the time limit, except for those who may delete any message",
  },
  can_create_topic_group: {
    lets: "begin topics in {}",
    since: 441,
    needs: [may("post"), namedTopics],
    besides: [ownerInChannel("can_create_topic_group")],
    webhooks: true,
    note: "named topics",
  },
};
