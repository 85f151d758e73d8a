/** Who may do what with a channel. */
import {
  any,
  before,
  doubt,
  given,
  inChannel,
  inOrganization,
  may,
  ownerInChannel,
  type Rules,
  type Term,
} from "../term.ts";
import {
  administrator,
  anybody,
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
const documented = "as later servers document it; not tried";

/** Later servers ask whoever makes a channel private or public for the right to create such. */
const creatingSuch: Term = any(
  given([privateChannel], inOrganization("can_create_public_channel_group")),
  given([publicChannel], inOrganization("can_create_private_channel_group")),
  given([webPublic], inOrganization("can_create_public_channel_group")),
);
const doubtful = "since a level between 372 and 442 it takes the right to create such channels too";

export const channelRules: Rules = {
  see: {
    shows: null,
    besides: [webPublic, subscriber, given([notGuest], publicChannel, administrator, ...lettingIn, administering)],
    note: "its name, settings and subscribers",
  },
  read: {
    shows: null,
    besides: [webPublic, subscriber, given([notGuest], publicChannel, ...lettingIn)],
    note: "of what was sent when they were not there, see history",
  },
  history: {
    shows: null,
    besides: [webPublic, given([notGuest], publicChannel), given([sharedHistory, notArchived], may("read"))],
    note: "what was sent when they were not there",
  },
  post: {
    shows: "can_send_message_group",
    needs: [
      notArchived,
      any(
        webPublic,
        given([notGuest], publicChannel),
        subscriber,
        ownerSubscribed,
        given([sharedHistory, notGuest], ...lettingIn),
      ),
    ],
    by: inChannel("can_send_message_group"),
    besides: [ownerInChannel("can_send_message_group")],
    webhooks: true,
  },
  subscribe: { shows: "can_subscribe_group", never: ["guests"], besides: [may("read")], note: "themselves" },
  administer: {
    shows: "can_administer_channel_group",
    never: ["guests"],
    by: administering,
    besides: [administrator],
    note: "name, description, settings, archiving",
  },
  change_privacy: {
    shows: null,
    needs: [may("read"), any(before(372, anybody), creatingSuch, before(442, doubt(doubtful, anybody)))],
    besides: [may("administer")],
    note: "to open it to the web takes the organization's can_create_web_public_channel_group too",
  },

  can_send_message_group: { besides: [may("post")], webhooks: true },
  can_subscribe_group: { besides: [may("subscribe")] },
  can_administer_channel_group: { besides: [may("administer")] },
  can_add_subscribers_group: {
    never: ["guests"],
    needs: [may("read")],
    by: inChannel("can_add_subscribers_group"),
    besides: [administering, administrator, inOrganization("can_add_subscribers_group")],
  },
  can_remove_subscribers_group: {
    never: ["guests"],
    besides: [administrator, administering, given([may("see")], inChannel("can_remove_subscribers_group"))],
  },

  can_move_messages_within_channel_group: {
    since: 396,
    needs: [notArchived, may("read")],
    by: inChannel("can_move_messages_within_channel_group"),
    besides: [inOrganization("can_move_messages_between_topics_group"), may("administer")],
    note: documented,
  },
  can_move_messages_out_of_channel_group: {
    since: 396,
    needs: [notArchived, may("read")],
    by: inChannel("can_move_messages_out_of_channel_group"),
    besides: [inOrganization("can_move_messages_between_channels_group"), may("administer")],
    note: documented,
  },
  can_resolve_topics_group: {
    since: 402,
    needs: [notArchived, may("read")],
    by: inChannel("can_resolve_topics_group"),
    besides: [inOrganization("can_resolve_topics_group")],
    note: documented,
  },
  can_delete_any_message_group: {
    since: 407,
    needs: [notArchived, may("read")],
    by: inChannel("can_delete_any_message_group"),
    besides: [inOrganization("can_delete_any_message_group")],
    note: documented,
  },
  can_delete_own_message_group: {
    since: 407,
    needs: [notArchived, may("read")],
    by: inChannel("can_delete_own_message_group"),
    besides: [inOrganization("can_delete_own_message_group"), may("can_delete_any_message_group")],
    note: documented,
  },
  can_create_topic_group: {
    since: 441,
    needs: [may("post")],
    by: inChannel("can_create_topic_group"),
    note: documented,
  },
};
