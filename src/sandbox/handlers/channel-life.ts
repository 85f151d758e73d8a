/** Channels that are made and put away, and those that new people find themselves in. */

import { addDefaultChannel, archiveChannel, createChannel, removeDefaultChannel } from "../../api/channel-create.ts";
import { topicsPolicies } from "../../api/channel-settings.ts";
import { strip } from "../../folding.ts";
import { administeredChannel, hasContentAccess, hasMetadataAccess } from "../access.ts";
import { ApiError, refused } from "../answers.ts";
import { aString, fromJson } from "../decode.ts";
import { channelArchived, channelCreated, defaultsChanged, subscribed } from "../events/channels.ts";
import { settingsChanged } from "../events/queue.ts";
import {
  channelNamed,
  checkCreation,
  checkFolder,
  creationDecoders,
  makeChannel,
  newSettings,
} from "../new-channel.ts";
import { channelSettingsOfOrganization } from "../organization.ts";
import { type Call, on } from "../router.ts";
import type { Channel, State } from "../state.ts";
import { lengthOf } from "../text.ts";

/** Settings of the organization that name the channel name none afterwards. */
function forget(state: State, { stream_id }: Channel): object {
  const { settings } = state.organization;
  const named = channelSettingsOfOrganization.filter((name) => settings[name] === stream_id);
  for (const name of named) settings[name] = -1;
  return Object.fromEntries(named.map((name) => [name, -1]));
}

function archive(call: Call, id: number): object {
  const { state, caller } = call;
  const channel = administeredChannel(state, caller, id);
  if (channel.is_archived) throw refused("Channel is already deactivated");
  channel.is_archived = true;
  if (channel.is_default) {
    channel.is_default = false;
    defaultsChanged(call);
  }
  const reset = forget(state, channel);
  if (Object.keys(reset).length > 0) settingsChanged(call, reset);
  channelArchived(call, channel);
  return {};
}

function activePeople({ state }: Call, ids: readonly number[]) {
  return [...new Set(ids)].map((id) => {
    const user = state.users.get(id);
    if (!user) throw refused("No such user");
    if (!user.is_active) throw refused("User is deactivated");
    return user;
  });
}

/** To add a channel its messages must be open to the caller, to remove it its settings are enough. */
function defaultable({ state, caller }: Call, id: number, has: typeof hasContentAccess): Channel {
  const channel = state.channels.get(id);
  if (!channel || channel.is_archived || !has(state, caller, channel)) {
    throw refused("Invalid channel ID");
  }
  return channel;
}

export const channelLifeRoutes = [
  on(
    createChannel,
    {
      who: "member",
      botsSince: 0,
      decode: {
        ...creationDecoders,
        topics_policy: fromJson((value, path) => {
          const text = aString(value, path);
          const policy = topicsPolicies.find((each) => each === text);
          if (!policy) throw refused(`Invalid ${path}`);
          return policy;
        }),
      },
    },
    (call, args) => {
      const { state } = call;
      const name = strip(args.name);
      if (name === "") throw refused("name cannot be blank");
      if (lengthOf(args.description ?? "") > 1024) {
        throw refused("description is too long (limit: 1024 characters)");
      }
      if (channelNamed(state, name)) {
        const fields = { channel_name: name };
        throw new ApiError(409, "CHANNEL_ALREADY_EXISTS", `Channel '${name}' already exists`, fields);
      }
      checkFolder(call, args);
      checkCreation(call, args);
      const settings = newSettings(call, args);
      const those = activePeople(call, args.subscribers);
      const channel = makeChannel(call, { name, description: args.description ?? "", settings }, args);
      // At the level whose code was read, these three were checked and not stored.
      if (call.level <= 442) {
        Object.assign(channel.settings, newSettings(call, {}), {
          ...Object.fromEntries(Object.entries(settings).filter(([each]) => !unstored.includes(each))),
        });
      }
      channelCreated(call, channel);
      for (const { user_id } of those) channel.subscribers.add(user_id);
      subscribed(call, new Map([[channel, those]]));
      if (channel.is_default) defaultsChanged(call);
      return { id: channel.stream_id };
    },
  ),

  on(archiveChannel, { silent: true }, (call, { stream_id }) => archive(call, stream_id)),

  on(addDefaultChannel, { who: "administrator" }, (call, { stream_id }) => {
    const channel = defaultable(call, stream_id, hasContentAccess);
    if (channel.invite_only) throw refused("Private channels cannot be made default.");
    if (channel.is_default) return {};
    channel.is_default = true;
    defaultsChanged(call);
    return {};
  }),

  on(removeDefaultChannel, { who: "administrator" }, (call, { stream_id }) => {
    const channel = defaultable(call, stream_id, hasMetadataAccess);
    channel.is_default = false;
    defaultsChanged(call);
    return {};
  }),
];

const unstored = ["can_create_topic_group", "can_delete_any_message_group", "can_delete_own_message_group"];
