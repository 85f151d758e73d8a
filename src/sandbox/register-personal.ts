/** Parts of `register` for the official apps, about the caller and presence. What no administrator reads is empty. */
import { keyed } from "../common/object-members.ts";
import { settingsAt, settingsOfPerson } from "./personal.ts";
import { described, type HandlerCall, since } from "./router.ts";
import { isBot, type SandboxState } from "./state.ts";

const noUnread = { pms: [], streams: [], huddles: [], mentions: [], count: 0, old_unreads_missing: false };

/** Without reported presence, the last message counts, or the date of joining. */
function presenceMembers({ users, messages, presences: reported }: SandboxState): object {
  const people = [...users.values()].filter((user) => user.is_active && !isBot(user));
  const lastSeen = new Map(people.map(({ user_id, date_joined }) => [user_id, date_joined]));
  for (const { sender_id, date_sent } of messages.values())
    if (lastSeen.has(sender_id)) lastSeen.set(sender_id, Math.max(date_sent, lastSeen.get(sender_id) ?? 0));
  const entries = [...lastSeen].map(([id, time]) => {
    const seconds = Math.floor(time / 1000);
    const { active = seconds, connected = seconds } = reported.get(id) ?? {};
    return [id, { active_timestamp: active, idle_timestamp: connected }];
  });
  return Object.fromEntries(entries);
}

/** The fetch types with one member of their name, which is always empty. */
const emptyLists = [
  ...["alert_words", "muted_topics", "muted_users", "recent_private_conversations", "realm_embedded_bots"],
  ...["realm_filters", "realm_incoming_webhook_bots", "saved_snippets", "scheduled_messages", "starred_messages"],
  "stop_words",
];

/** The members for each fetch type. */
export const personalParts: { readonly [type: string]: (call: HandlerCall) => object } = {
  ...keyed(emptyLists, (type) => () => ({ [type]: [] })),
  user_settings: ({ level, caller }) => {
    const user_settings = settingsAt(level, settingsOfPerson(caller));
    const { receives_typing_notifications } = caller.settings;
    return { user_settings, ...since(level, described, { receives_typing_notifications }) };
  },
  onboarding_steps: () => ({ onboarding_steps: [], navigation_tour_video_url: null }),
  user_topic: () => ({ user_topics: [] }),
  update_message_flags: () => ({ unread_msgs: noUnread }),
  reminders: ({ level }) => since(level, 399, { reminders: [] }),
  navigation_views: ({ level }) => since(level, 390, { navigation_views: [] }),
  presence: ({ state, now, level }) => ({
    presences: presenceMembers(state),
    presence_last_update_id: state.counters.presence ?? -1,
    ...since(level, 372, { server_timestamp: now / 1000 }),
  }),
  user_status: ({ state }) => ({ user_status: Object.fromEntries(state.statuses) }),
  default_stream_groups: () => ({ realm_default_stream_groups: [] }),
  realm_billing: () => ({ realm_billing: { has_pending_sponsorship_request: false } }),
  giphy: () => ({ giphy_api_key: "" }),
  tenor: ({ level }) => since(level, 372, { tenor_api_key: "" }),
  klipy: ({ level }) => since(level, 486, { klipy_api_key: "" }),
  video_calls: ({ level }) => ({ has_zoom_token: false, ...since(level, 493, { has_webex_token: false }) }),
  push_device: ({ level }) => (level >= 406 && level < 468 ? { push_devices: {} } : {}),
  device: ({ level }) => since(level, 468, { devices: {} }),
};
