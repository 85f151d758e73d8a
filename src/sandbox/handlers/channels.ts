import { getChannel, getChannelId, getChannels } from "../../api/channels.ts";
import { hasContentAccess, hasMetadataAccess, visibleChannel } from "../access.ts";
import { ApiError, Broken, refused } from "../api-error.ts";
import { activeOnly, type SystemGroup, shownSetting, systemGroup } from "../groups.ts";
import { strip } from "../names.ts";
import { render } from "../narrow/markdown.ts";
import { type Call, on, type Visit } from "../router.ts";
import { type Channel, type ChannelSetting, isAdministrator, isBot, isGuest, type State } from "../state.ts";

/** The level from which a channel has each permission. */
export const channelSettings: readonly (readonly [ChannelSetting, number])[] = [
  ["can_add_subscribers_group", 342],
  ["can_administer_channel_group", 325],
  ["can_create_topic_group", 441],
  ["can_delete_any_message_group", 407],
  ["can_delete_own_message_group", 407],
  ["can_move_messages_out_of_channel_group", 396],
  ["can_move_messages_within_channel_group", 396],
  ["can_remove_subscribers_group", 197],
  ["can_send_message_group", 333],
  ["can_subscribe_group", 357],
  ["can_resolve_topics_group", 402],
];

const postPolicies: [SystemGroup, number][] = [
  ["role:everyone", 1],
  ["role:administrators", 2],
  ["role:fullmembers", 3],
  ["role:moderators", 4],
];

/** Anything but the four classic groups reads as 1. */
const postPolicy = (state: State, { settings }: Channel): number =>
  postPolicies.find(([name]) => systemGroup(state, name) === settings.can_send_message_group)?.[1] ?? 1;

/** A channel with less than a week behind it is too new for traffic; the sandbox's channels all are. */
const traffic = null;

const firstMessage = (state: State, id: number): number | null => {
  for (const message of state.messages.values()) if (message.stream_id === id) return message.id;
  return null;
};

/** Descriptions are shown as HTML; nothing gives nothing. */
export const rendered = (state: State, text: string): string => (text === "" ? "" : render(state, text));

export function channelRecord({ state, level }: Visit, channel: Channel): object {
  const since = (first: number, fields: object) => (level < first ? {} : fields);
  const settings = channelSettings.flatMap(([name, first]) =>
    level < first ? [] : [[name, shownSetting(state, channel.settings[name])]],
  );
  const { can_remove_subscribers_group } = channel.settings;
  return {
    ...since(315, { is_archived: channel.is_archived }),
    ...Object.fromEntries(settings),
    ...(level < 197 ? since(142, { can_remove_subscribers_group_id: can_remove_subscribers_group }) : {}),
    ...since(254, { creator_id: channel.creator_id }),
    ...since(30, { date_created: Math.floor(channel.date_created / 1000) }),
    description: channel.description,
    first_message_id: firstMessage(state, channel.stream_id),
    ...since(389, { folder_id: channel.folder_id }),
    ...since(323, { is_recently_active: true }),
    history_public_to_subscribers: channel.history_public_to_subscribers,
    invite_only: channel.invite_only,
    is_web_public: channel.is_web_public,
    ...since(17, { message_retention_days: channel.message_retention_days }),
    name: channel.name,
    rendered_description: rendered(state, channel.description),
    stream_id: channel.stream_id,
    ...since(1, { stream_post_policy: postPolicy(state, channel) }),
    is_announcement_only: postPolicy(state, channel) === 2,
    ...since(392, { topics_policy: channel.topics_policy }),
    ...since(394, { subscriber_count: activeOnly(state, channel.subscribers).length }),
    ...since(199, { stream_weekly_traffic: traffic }),
    ...since(507, { default_push_notifications: channel.default_push_notifications }),
  };
}

interface Filters {
  include_public?: boolean;
  include_web_public?: boolean;
  include_subscribed?: boolean;
  include_owner_subscribed?: boolean;
  include_can_access_content?: boolean;
}

/** Filters add up: a channel is listed if one of them takes it. */
const takes = ({ state, caller }: Call, filters: Filters, channel: Channel): boolean =>
  ((filters.include_public ?? true) && !isGuest(caller) && !channel.invite_only) ||
  (filters.include_web_public === true && channel.is_web_public && !channel.is_archived) ||
  ((filters.include_subscribed ?? true) && channel.subscribers.has(caller.user_id)) ||
  (filters.include_owner_subscribed === true && isBot(caller) && channel.subscribers.has(caller.bot_owner_id ?? 0)) ||
  (filters.include_can_access_content === true && hasContentAccess(state, caller, channel));

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

export const channelRoutes = [
  on(getChannels, {}, (call, { include_all, include_all_active, exclude_archived, include_default, ...filters }) => {
    const { state, caller } = call;
    // From level 356 on the older name is another for the newer parameter, no longer for administrators alone.
    if (call.level < 356 && include_all_active && !isAdministrator(caller)) {
      throw refused("User not authorized for this query");
    }
    const all = include_all ?? include_all_active;
    if (include_all !== undefined && include_all_active !== undefined) {
      const [var_name1, var_name2] = ["include_all", "include_all_active"];
      const msg = `Can't decide between '${var_name1}' and '${var_name2}' arguments`;
      throw new ApiError(400, "REQUEST_CONFUSING_VAR", msg, { var_name1, var_name2 });
    }
    const streams = [...state.channels.values()]
      .filter((channel) => !channel.is_archived || exclude_archived === false)
      .filter((channel) => (all ? hasMetadataAccess(state, caller, channel) : takes(call, filters, channel)))
      .sort(byName)
      .map((channel) => ({
        ...channelRecord(call, channel),
        ...(include_default ? { is_default: channel.is_default } : {}),
      }));
    return { streams };
  }),

  on(getChannel, {}, (call, { stream_id }) => {
    const channel = visibleChannel(call.state, call.caller, stream_id);
    if (channel.is_archived && call.level < 480) throw refused("Invalid channel ID");
    return { stream: channelRecord(call, channel) };
  }),

  // By name a channel is found only with access to its messages, an administrator's access to settings is not enough.
  on(getChannelId, {}, ({ state, caller }, { stream }) => {
    if (stream.includes("\0")) throw new Broken();
    const name = strip(stream).toLowerCase();
    const found = [...state.channels.values()].find((each) => each.name.toLowerCase() === name);
    if (!found || found.is_archived || !hasContentAccess(state, caller, found)) {
      throw refused(`Invalid channel name '${stream}'`);
    }
    return { stream_id: found.stream_id };
  }),
];
