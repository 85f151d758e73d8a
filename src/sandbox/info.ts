/** What a sandbox tells of itself when it starts, as `sandbox start --json` prints it. */
import type { SandboxInfo } from "../embedded.ts";
import { activeOnly } from "./groups.ts";
import type { State } from "./state.ts";

/** Records stand in the order in which they were made, system groups after the others; direct messages are left out. */
export function infoOf(state: State, site: string, level: number): SandboxInfo {
  const groups = [...state.groups.values()];
  return {
    site,
    feature_level: level,
    users: [...state.users.values()].map((user) => ({
      user_id: user.user_id,
      email: user.delivery_email,
      full_name: user.full_name,
      role: user.role,
      is_bot: user.bot_type !== null,
      is_active: user.is_active,
      api_key: user.api_key,
      password: user.password ?? "",
    })),
    channels: [...state.channels.values()].map((channel) => ({
      stream_id: channel.stream_id,
      name: channel.name,
      is_private: channel.invite_only,
      is_web_public: channel.is_web_public,
      is_archived: channel.is_archived,
      subscribers: activeOnly(state, channel.subscribers),
    })),
    groups: [...groups.filter((each) => !each.is_system_group), ...groups.filter((each) => each.is_system_group)].map(
      ({ id, name, is_system_group, members }) => ({ id, name, is_system_group, members: activeOnly(state, members) }),
    ),
    attachments: [...state.attachments.values()].map(({ id, owner_id }) => ({ id, owner_id })),
    messages: [...state.messages.values()].flatMap(({ id, stream_id, content }) =>
      stream_id === null ? [] : [{ id, stream_id, content }],
    ),
  };
}
