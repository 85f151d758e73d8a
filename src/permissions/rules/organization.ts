/** Rules for the organization. */
import { any, before, byDate, from, inOrganization, type Stated, type Term, uncertain, when } from "../term.ts";
import {
  administrator,
  isBot,
  isNoGuest,
  noBots,
  noBotsBefore496,
  noGuests,
  owner,
  summaries,
  webPublicChannels,
} from "./fact.ts";

/**
 * Up to level 371 servers use the list of full members. Level 442 uses the join date if the setting is
 * `role:fullmembers` itself. Levels in between are not known.
 */
const directMessages = (setting: string): Term => {
  const [listed, dated] = [inOrganization(setting), byDate(setting)];
  const unknown =
    "since a level between 372 and 442 the date decides who is a full member here, and no longer the list";
  return any(
    before(372, listed),
    from(372, before(442, any(when([listed], dated), uncertain(unknown, any(listed, dated))))),
    from(442, dated),
  );
};

export const organizationRules: Readonly<Record<string, Stated>> = {
  create_multiuse_invite_group: { lets: "make links that invite people", needs: [noGuests, noBots] },
  can_invite_users_group: { lets: "invite people by mail", needs: [noGuests, noBots] },
  can_access_all_users_group: { lets: "see all people", besides: [isNoGuest] },
  can_add_subscribers_group: {
    lets: "subscribe others to channels",
    needs: [noGuests],
    besides: [administrator],
    note: "to channels whose messages they may read",
  },
  can_add_custom_emoji_group: { lets: "upload emoji", needs: [noGuests, noBots] },
  can_create_bots_group: { lets: "create bots", needs: [noGuests, noBots] },
  can_create_write_only_bots_group: {
    lets: "create incoming webhooks",
    needs: [noGuests, noBots],
    besides: [inOrganization("can_create_bots_group")],
  },
  can_create_groups: { lets: "create groups", needs: [noGuests, noBotsBefore496] },
  can_manage_all_groups: { lets: "manage all groups", needs: [noGuests, noBots] },
  can_create_public_channel_group: { lets: "create public channels", needs: [noGuests] },
  can_create_private_channel_group: { lets: "create private channels", needs: [noGuests] },
  can_create_web_public_channel_group: {
    lets: "open channels to the web",
    needs: [noGuests, ...webPublicChannels],
  },
  can_delete_any_message_group: {
    lets: "delete anybody's messages",
    needs: [noGuests],
    note: "messages that they may read, in channels that are not archived",
  },
  can_delete_own_message_group: {
    lets: "delete messages of their own",
    besides: [inOrganization("can_delete_any_message_group")],
    note: "within the time limit, except for those who may delete any message",
  },
  can_move_messages_between_channels_group: {
    lets: "move messages to other channels",
    needs: [noGuests],
    note: "from channels that they may read to channels where they may post, within the time limit",
  },
  can_move_messages_between_topics_group: {
    lets: "move messages to other topics",
    note: "messages that they may read, within the time limit",
  },
  can_resolve_topics_group: { lets: "resolve topics", note: "topics that they may read" },
  can_mention_many_users_group: {
    lets: "mention everybody in large channels and topics",
    webhooks: true,
    note: "small channels and topics: everybody may",
  },
  can_summarize_topics_group: { lets: "have topics summarized", needs: [summaries] },
  can_manage_billing_group: { lets: "manage plans and bills", needs: [noGuests, noBots] },
  direct_message_permission_group: {
    lets: "write direct messages",
    by: directMessages("direct_message_permission_group"),
    besides: [isBot],
    webhooks: true,
    exceptions: ["in conversations with {}", "with bots alone", "with themselves"],
    note: "a conversation is allowed if one of those in it is in the group; with bots alone it always is",
  },
  direct_message_initiator_group: {
    lets: "begin conversations",
    by: directMessages("direct_message_initiator_group"),
    besides: [isBot],
    webhooks: true,
    exceptions: ["in conversations that are there", "with bots alone", "with themselves"],
    note: "going on with a conversation that is there is always allowed",
  },
  can_set_topics_policy_group: {
    lets: "set topics policies",
    since: 392,
    needs: [noGuests],
    besides: [administrator],
    note: "of channels that they administer; inherit takes nothing else",
  },
  can_set_delete_message_policy_group: {
    lets: "say who may delete messages in a channel",
    since: 407,
    needs: [noGuests],
    besides: [administrator],
    note: "of channels that they administer",
  },

  administer_organization: { lets: "administer the organization", shows: null, besides: [administrator] },
  own_organization: { lets: "do what owners alone may", shows: null, besides: [owner] },
};
