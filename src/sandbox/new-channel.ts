/** A channel that is made, by its own call or by subscribing to a name that nobody has. */

import type { creation } from "../api/channel-create.ts";
import { foldChannelName } from "../folding.ts";
import type { Args } from "../wire/params.ts";
import { insufficient, may, ownersOnly, setsPolicy } from "./access.ts";
import { ApiError, Broken, refused } from "./answers.ts";
import { aString, type Decoder, fromJson } from "./decode.ts";
import { systemGroup } from "./groups.ts";
import { addChannel } from "./organization.ts";
import { bareSetting, channelRules, firstSettings, forNames } from "./permissions.ts";
import type { Call } from "./router.ts";
import { allowsWebPublic, type Channel, isAdministrator, type State } from "./state.ts";
import { checkChannelName } from "./text.ts";

/** A whole number, or a word in quotes; of the two the server reports the failure of the word. */
const asWord = (name: string) => `${name}["json[str]"]`;
export const retention: Decoder<number | string> = fromJson(
  (value, name) =>
    typeof value === "number" || typeof value === "bigint" ? Number(value) : aString(value, asWord(name)),
  asWord,
);

/** What a channel is to keep: null is the organization's policy, -1 for ever. */
export function retentionDays(days: number | string, level: number): number | null {
  if (days === "realm_default") return null;
  if (days === (level < 91 ? "forever" : "unlimited")) return -1;
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

/** What may be said of a channel that is made. */
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
export function checkCreation({ state, caller, level }: Call, given: Creation): void {
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
  if (days !== undefined && retentionDays(days, level) !== null) ownersOnly(caller);
}

/** Any folder will do, also an archived one. */
export function checkFolder({ state }: Call, { folder_id }: Creation): void {
  if (typeof folder_id === "number" && !state.folders.has(folder_id)) throw refused("Invalid channel folder ID");
}

export const channelNamed = ({ channels }: State, name: string): Channel | undefined => {
  const wanted = foldChannelName(name);
  for (const channel of channels.values()) if (foldChannelName(channel.name) === wanted) return channel;
  return undefined;
};

/** Makes it, with nobody in it. A public channel shares its history whatever was asked for. */
export function makeChannel(
  call: Call,
  { name, description, settings }: { name: string; description: string; settings: Channel["settings"] },
  given: Creation,
): Channel {
  const { state, caller, now, level } = call;
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
      message_retention_days: days === undefined ? null : retentionDays(days, level),
      folder_id: given.folder_id ?? null,
      topics_policy: given.topics_policy ?? "inherit",
      settings,
    },
  );
}
