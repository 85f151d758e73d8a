/** Channels that are made and put away, and those that new people find themselves in. */
import {
  addDefaultChannel,
  archiveChannel,
  createChannel,
  type creation,
  removeDefaultChannel,
} from "../../api/channels.ts";
import { topicsPolicies } from "../../api/permission-settings.ts";
import { strip } from "../../folding.ts";
import type { Args } from "../../wire/params.ts";
import {
  activeUser,
  administeredChannel,
  hasContentAccess,
  hasMetadataAccess,
  insufficient,
  may,
  ownersOnly,
  setsPolicy,
} from "../access.ts";
import { ApiError, Broken, orRefused, refused } from "../answers.ts";
import { aString, type Decoder, fromJson } from "../decode.ts";
import { archivedChanged, channelCreated, defaultsChanged, subscribed } from "../events/channels.ts";
import { settingsChanged } from "../events/queue.ts";
import { systemGroup } from "../groups.ts";
import { addChannel, channelSettingsOfOrganization } from "../organization.ts";
import { bareSetting, channelRules, firstSettings, forNames } from "../permissions.ts";
import { type Call, on } from "../router.ts";
import { allowsWebPublic, type Channel, channelNamed, isAdministrator, type State } from "../state.ts";
import { checkChannelName, lengthOf } from "../text.ts";

/** Settings of the organization that name the channel name none afterwards. */
function forget(state: State, { stream_id }: Channel): object {
  const { settings } = state.organization;
  const named = channelSettingsOfOrganization.filter((name) => settings[name] === stream_id);
  for (const name of named) settings[name] = -1;
  return Object.fromEntries(named.map((name) => [name, -1]));
}

function archive(call: Call, id: number): void {
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
  archivedChanged(call, channel);
}

/** Adding a channel requires access to its messages. Removing it only requires access to its settings. */
function defaultable({ state, caller }: Call, id: number, has: typeof hasContentAccess): Channel {
  const channel = state.channels.get(id);
  if (!channel || channel.is_archived || !has(state, caller, channel)) {
    throw refused("Invalid channel ID");
  }
  return channel;
}

const unstored = ["can_create_topic_group", "can_delete_any_message_group", "can_delete_own_message_group"];

/** A whole number, or a word in quotes; of the two the server reports the failure of the word. */
const asWord = (name: string) => `${name}["json[str]"]`;
export const retention: Decoder<number | string> = fromJson(
  (value, name) =>
    typeof value === "number" || typeof value === "bigint" ? Number(value) : aString(value, asWord(name)),
  asWord,
);

/** Reads the retention of a channel. Null is the organization's policy, -1 is forever. */
export function retentionDays(days: number | string): number | null {
  if (days === "realm_default") return null;
  if (days === "unlimited") return -1;
  if (typeof days === "string" || days <= 0) {
    const fields = { var_name: "message_retention_days", bad_value: days };
    throw new ApiError(400, "REQUEST_VARIABLE_INVALID", `Bad value for 'message_retention_days': ${days}`, fields);
  }
  if (days >= 2 ** 31) throw new Broken();
  return Number(days);
}

export const creationDecoders = {
  message_retention_days: retention,
  ...forNames(channelRules, () => bareSetting),
};

/** The settings of a new channel. */
export type Creation = Args<typeof creation>;

/** Settings as they will be stored; refuses those that cannot be. */
export function newSettings({ state, caller }: Call, given: Creation): Channel["settings"] {
  const settings = firstSettings(state, channelRules, caller.user_id, given);
  const deletes = (["can_delete_any_message_group", "can_delete_own_message_group"] as const).some(
    (name) => settings[name] !== systemGroup(state, "role:nobody"),
  );
  if (deletes && !setsPolicy(state, caller, "can_set_delete_message_policy_group")) throw insufficient();
  return settings;
}

/** Everything about the channel but its name that depends on who asks. */
export function checkCreation({ state, caller }: Call, given: Creation): void {
  const { invite_only = false, is_web_public = false, is_default_stream = false } = given;
  const permission = invite_only ? "can_create_private_channel_group" : "can_create_public_channel_group";
  if (!may(state, caller, permission)) throw insufficient();
  if (is_default_stream && !isAdministrator(caller)) throw insufficient();
  if (invite_only && is_default_stream) throw refused("A default channel cannot be private.");
  if (is_web_public) {
    if (!allowsWebPublic(state.organization)) throw refused("Web-public channels are not enabled.");
    if (!may(state, caller, "can_create_web_public_channel_group")) throw insufficient();
  }
  const { topics_policy = "inherit" } = given;
  if (topics_policy !== "inherit" && !setsPolicy(state, caller, "can_set_topics_policy_group")) throw insufficient();
  const days = given.message_retention_days;
  if (days !== undefined && retentionDays(days) !== null) ownersOnly(caller);
}

/** Any folder will do, also an archived one. */
export function checkFolder({ state }: Call, { folder_id }: Creation): void {
  if (typeof folder_id === "number" && !state.folders.has(folder_id)) throw refused("Invalid channel folder ID");
}

export const alreadyExists = (channel_name: string): ApiError =>
  new ApiError(409, "CHANNEL_ALREADY_EXISTS", `Channel '${channel_name}' already exists`, { channel_name });

/** Makes it, with nobody in it. A public channel shares its history whatever was asked for. */
export function makeChannel(
  call: Call,
  { name, description, settings }: { name: string; description: string; settings: Channel["settings"] },
  given: Creation,
): Channel {
  const { state, caller, now } = call;
  checkChannelName(name);
  const { invite_only = false, is_web_public = false, is_default_stream = false } = given;
  const days = given.message_retention_days;
  return addChannel(
    state,
    { now },
    {
      name,
      description: description.replaceAll("\n", " "),
      creator_id: caller.user_id,
      invite_only: invite_only && !is_web_public,
      is_web_public,
      history_public_to_subscribers: !invite_only || (given.history_public_to_subscribers ?? false),
      is_default: is_default_stream,
      message_retention_days: days === undefined ? null : retentionDays(days),
      folder_id: given.folder_id ?? null,
      topics_policy: given.topics_policy ?? "inherit",
      settings,
    },
  );
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
          return orRefused(
            topicsPolicies.find((each) => each === text),
            `Invalid ${path}`,
          );
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
      if (channelNamed(state, name)) throw alreadyExists(name);
      checkFolder(call, args);
      checkCreation(call, args);
      const settings = newSettings(call, args);
      const those = [...new Set(args.subscribers)].map((id) => activeUser(state, id));
      const channel = makeChannel(call, { name, description: args.description ?? "", settings }, args);
      // At the level whose code was read, servers checked these three and did not store them.
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
    if (channel.is_default) return;
    channel.is_default = true;
    defaultsChanged(call);
  }),

  on(removeDefaultChannel, { who: "administrator" }, (call, { stream_id }) => {
    const channel = defaultable(call, stream_id, hasMetadataAccess);
    channel.is_default = false;
    defaultsChanged(call);
  }),
];
