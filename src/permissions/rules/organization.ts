/** Rules for the organization. */
import type { OrganizationPermission } from "../../model/organization.ts";
import {
  any,
  beforeLevel,
  byDate,
  inOrganization,
  type RuleSpec,
  sinceLevel,
  type Term,
  uncertain,
  when,
} from "../term.ts";
import {
  administrator,
  anyBot,
  everyNonGuest,
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
    beforeLevel(372, listed),
    sinceLevel(372, beforeLevel(442, any(when([listed], dated), uncertain(unknown, any(listed, dated))))),
    sinceLevel(442, dated),
  );
};

const rules = {
  create_multiuse_invite_group: { action: "make links that invite people", requires: [noGuests, noBots] },
  can_invite_users_group: { action: "invite people by mail", requires: [noGuests, noBots] },
  can_access_all_users_group: { action: "see all people", alternatives: [everyNonGuest] },
  can_add_subscribers_group: {
    action: "subscribe others to channels",
    requires: [noGuests],
    alternatives: [administrator],
    note: "to channels whose messages they may read",
  },
  can_add_custom_emoji_group: { action: "upload emoji", requires: [noGuests, noBots] },
  can_create_bots_group: { action: "create bots", requires: [noGuests, noBots] },
  can_create_write_only_bots_group: {
    action: "create incoming webhooks",
    requires: [noGuests, noBots],
    alternatives: [inOrganization("can_create_bots_group")],
  },
  can_create_groups: { action: "create groups", requires: [noGuests, noBotsBefore496] },
  can_manage_all_groups: { action: "manage all groups", requires: [noGuests, noBotsBefore496] },
  can_create_public_channel_group: { action: "create public channels", requires: [noGuests] },
  can_create_private_channel_group: { action: "create private channels", requires: [noGuests] },
  can_create_web_public_channel_group: {
    action: "open channels to the web",
    requires: [noGuests, ...webPublicChannels],
  },
  can_delete_any_message_group: {
    action: "delete anybody's messages",
    requires: [noGuests],
    note: "messages that they may read, in channels that are not archived",
  },
  can_delete_own_message_group: {
    action: "delete messages of their own",
    alternatives: [inOrganization("can_delete_any_message_group")],
    note: "within the time limit, except for those who may delete any message",
  },
  can_move_messages_between_channels_group: {
    action: "move messages to other channels",
    requires: [noGuests],
    note: "from channels that they may read to channels where they may post, within the time limit",
  },
  can_move_messages_between_topics_group: {
    action: "move messages to other topics",
    note: "messages that they may read, within the time limit",
  },
  can_resolve_topics_group: { action: "resolve topics", note: "topics that they may read" },
  can_mention_many_users_group: {
    action: "mention everybody in large channels and topics",
    webhooks: true,
    note: "small channels and topics: everybody may",
  },
  can_summarize_topics_group: { action: "have topics summarized", requires: [summaries] },
  can_manage_billing_group: { action: "manage plans and bills", requires: [noGuests, noBots] },
  direct_message_permission_group: {
    action: "write direct messages",
    grant: directMessages("direct_message_permission_group"),
    alternatives: [anyBot],
    webhooks: true,
    exceptions: ["in conversations with {}", "with bots alone", "with themselves"],
    note: "a conversation is allowed if one of those in it is in the group; with bots alone it always is",
  },
  direct_message_initiator_group: {
    action: "begin conversations",
    grant: directMessages("direct_message_initiator_group"),
    alternatives: [anyBot],
    webhooks: true,
    exceptions: ["in conversations that are there", "with bots alone", "with themselves"],
    note: "going on with a conversation that is there is always allowed",
  },
  can_set_topics_policy_group: {
    action: "set topics policies",
    requires: [noGuests],
    alternatives: [administrator],
    note: "of channels that they administer; inherit takes nothing else",
  },
  can_set_delete_message_policy_group: {
    action: "say who may delete messages in a channel",
    requires: [noGuests],
    alternatives: [administrator],
    note: "of channels that they administer",
  },

  workplace_users_group: {
    action: "count as users of the workplace",
    since: 477,
    note: "nobody can change it: servers in production fail if somebody tries",
  },

  administer_organization: { action: "administer the organization", setting: null, alternatives: [administrator] },
  own_organization: { action: "do what owners alone may", setting: null, alternatives: [owner] },
} satisfies Readonly<Record<OrganizationPermission, RuleSpec> & Record<string, RuleSpec>>;

export const organizationRules: Readonly<Record<string, RuleSpec>> = rules;
