import { type GroupSettingUpdate, updateChannel } from "../../api/channels.ts";
import type { ArgsOf } from "../../wire/operation.ts";
import { administeredChannel, hasContentAccess } from "../access.ts";
import { ApiError, Broken, mustBe, refused } from "../api-error.ts";
import { aString, atMost, type Decoder, fromJson } from "../decode.ts";
import { checkSetting, settingUpdate, wanted } from "../group-setting.ts";
import { activeOnly, holds, systemGroup } from "../groups.ts";
import { checkChannelName, strip } from "../names.ts";
import { type Call, on } from "../router.ts";
import { type Channel, type ChannelSetting, isAdministrator, isOwner, type OrganizationPermission } from "../state.ts";
import { channelSettings } from "./channels.ts";

type Args = ArgsOf<typeof updateChannel>;

const settingNames = channelSettings.map(([name]) => name);

/** A whole number, or a word in quotes; of the two the server reports the failure of the word. */
const asWord = (name: string) => `${name}["json[str]"]`;
const retention: Decoder = fromJson(
  (value, name) => (typeof value === "number" || typeof value === "bigint" ? value : aString(value, asWord(name))),
  asWord,
);

const insufficient = () => refused("Insufficient permission");
const needsContentAccess = () => refused("Channel content access is required.");

/** A request in the course of being applied: steps change the channel one after the other, and none is undone. */
interface Step extends Call {
  channel: Channel;
  args: Args;
}

const allowed = ({ state, caller }: Step, permission: OrganizationPermission): boolean =>
  holds(state, caller, state.organization.permissions[permission]);

interface Privacy {
  invite_only: boolean;
  is_web_public: boolean;
  history_public_to_subscribers: boolean;
}

/** The privacy that would result; a change of `is_private` alone sets the history to match. */
function proposed({ channel, args }: Step): Privacy {
  const { is_private, is_web_public, history_public_to_subscribers } = args;
  const history = is_private === undefined ? channel.history_public_to_subscribers : !is_private;
  return {
    invite_only: is_private ?? channel.invite_only,
    is_web_public: is_web_public ?? channel.is_web_public,
    history_public_to_subscribers: history_public_to_subscribers ?? history,
  };
}

function checkPrivacy(step: Step, next: Privacy): void {
  const { state, caller, level, channel, args } = step;
  const { is_private, is_web_public, is_default_stream } = args;
  if (!next.history_public_to_subscribers && !next.invite_only) throw refused("Invalid parameters");
  if (next.is_web_public && (next.invite_only || !next.history_public_to_subscribers))
    throw refused("Invalid parameters");
  if (next.invite_only && (is_default_stream ?? channel.is_default))
    throw refused("A default channel cannot be private.");
  if (!next.invite_only && channel.stream_id === state.organization.moderation_request_channel_id) {
    // The first level with the later words is not known exactly.
    throw refused(
      level >= 478 ? "A moderation request channel cannot be public." : "Moderation request channel must be private.",
    );
  }
  if (is_private !== undefined) {
    if (!hasContentAccess(state, caller, channel)) throw needsContentAccess();
    const permission = is_private ? "can_create_private_channel_group" : "can_create_public_channel_group";
    if (level > 371 && !allowed(step, permission)) throw insufficient();
  }
  if (is_web_public) {
    if (!state.organization.web_public) throw refused("Web-public channels are not enabled.");
    if (!allowed(step, "can_create_web_public_channel_group")) throw insufficient();
  }
}

function applyTopicsPolicy(step: Step): void {
  const { state, channel, args } = step;
  const policy = args.topics_policy;
  if (policy === undefined) return;
  if (policy !== "inherit" && !allowed(step, "can_set_topics_policy_group")) throw insufficient();
  if (policy === "empty_topic_only") {
    const named = [...state.messages.values()].some(
      ({ stream_id, topic }) => stream_id === channel.stream_id && topic !== "",
    );
    if (named) {
      throw refused(
        "To enable this configuration, all messages in this channel must be in the general chat topic. Consider renaming or deleting other topics.",
        { empty_topic_display_name: "general chat" },
      );
    }
  }
  channel.topics_policy = policy;
}

function checkHistoryAgainstTopics({ state, level, channel, args }: Step, next: Privacy): void {
  if (level < 441 || next.history_public_to_subscribers) return;
  const update = args.can_create_topic_group as GroupSettingUpdate | undefined;
  const current = channel.settings.can_create_topic_group;
  const creators = (update && wanted(state, level, current, { new: update.new })) ?? current;
  if (creators === systemGroup(state, "role:everyone")) return;
  const parameters = "history_public_to_subscribers, can_create_topic_group";
  throw refused(`Unsupported parameter combination: ${parameters}`, { parameters });
}

function applyDefault({ caller, channel, args }: Step): void {
  if (args.is_default_stream === undefined) return;
  if (!isAdministrator(caller)) throw refused("You do not have permission to change default channels.");
  channel.is_default = args.is_default_stream;
}

/** Documented as the administrators' to change; neither the words of the refusal nor its place in the order were seen. */
function applyPushDefault({ caller, channel, args }: Step): void {
  if (args.default_push_notifications === undefined) return;
  if (!isAdministrator(caller)) throw mustBe("administrator");
  channel.default_push_notifications = args.default_push_notifications;
}

function applyRetention({ caller, level, channel, args }: Step): void {
  const days = args.message_retention_days as number | bigint | string | undefined;
  if (days === undefined) return;
  if (!isOwner(caller)) throw mustBe("owner");
  const forEver = level < 91 ? "forever" : "unlimited";
  if (days === "realm_default") channel.message_retention_days = null;
  else if (days === forEver) channel.message_retention_days = -1;
  else if (typeof days === "string" || days <= 0) {
    const fields = { var_name: "message_retention_days", bad_value: days };
    throw new ApiError(400, "REQUEST_VARIABLE_INVALID", `Bad value for 'message_retention_days': ${days}`, fields);
  } else if (days >= 2 ** 31) throw new Broken();
  else channel.message_retention_days = Number(days);
}

function applyArchived({ state, channel, args }: Step): void {
  if (args.is_archived !== false) return;
  if (!channel.is_archived) throw refused("Channel is not currently deactivated");
  if (channel.invite_only && activeOnly(state, channel.subscribers).length === 0) {
    throw refused("Channel is private and have no subscribers");
  }
  channel.is_archived = false;
}

function applyDescription({ channel, args }: Step): void {
  if (args.description === undefined) return;
  // The database refuses NUL, which nothing catches.
  if (args.description.includes("\0")) throw new Broken();
  channel.description = args.description.replaceAll("\n", " ");
}

function applyName({ state, level, channel, args }: Step): void {
  if (args.new_name === undefined) return;
  const name = strip(args.new_name);
  if (name === channel.name) throw refused("Channel already has that name.");
  if (name.toLowerCase() !== channel.name.toLowerCase()) {
    checkChannelName(name);
    const taken = [...state.channels.values()].some((each) => each.name.toLowerCase() === name.toLowerCase());
    if (taken && level <= 371) throw refused("Channel name is already in use.");
    if (taken) {
      const fields = { channel_name: name };
      throw new ApiError(409, "CHANNEL_ALREADY_EXISTS", `Channel '${name}' already exists`, fields);
    }
  }
  channel.name = name;
}

function applyFolder({ state, channel, args }: Step): void {
  if (args.folder_id === undefined) return;
  if (args.folder_id !== null && !state.folders.has(args.folder_id)) throw refused("Invalid channel folder ID");
  channel.folder_id = args.folder_id;
}

const notForEveryone: readonly ChannelSetting[] = [
  "can_add_subscribers_group",
  "can_administer_channel_group",
  "can_subscribe_group",
];
const forInsiders: readonly ChannelSetting[] = ["can_add_subscribers_group", "can_subscribe_group"];

function applySettings({ state, caller, level, channel, args }: Step): void {
  for (const name of settingNames) {
    const update = args[name] as GroupSettingUpdate | undefined;
    const value = update && wanted(state, level, channel.settings[name], update);
    if (value === undefined) continue;
    if (forInsiders.includes(name) && !hasContentAccess(state, caller, channel)) throw needsContentAccess();
    const everyone = notForEveryone.includes(name) ? [systemGroup(state, "role:everyone")] : [];
    checkSetting(state, name, value, [systemGroup(state, "role:internet"), ...everyone]);
    channel.settings[name] = value;
  }
}

/** Applies the request in the server's order; a refusal leaves the earlier steps done. */
function update(call: Call, { stream_id, ...args }: Args): object {
  const channel = administeredChannel(call.state, call.caller, stream_id);
  const step: Step = { ...call, channel, args: args as Args };
  const next = proposed(step);
  checkPrivacy(step, next);
  applyTopicsPolicy(step);
  checkHistoryAgainstTopics(step, next);
  Object.assign(channel, next);
  applyDefault(step);
  applyPushDefault(step);
  applyRetention(step);
  applyArchived(step);
  const deletes = args.can_delete_any_message_group !== undefined || args.can_delete_own_message_group !== undefined;
  if (deletes && !allowed(step, "can_set_delete_message_policy_group")) throw insufficient();
  applyDescription(step);
  applyName(step);
  applyFolder(step);
  applySettings(step);
  return {};
}

export const channelUpdateRoutes = [
  on(
    updateChannel,
    {
      // The order at 371; that of the parameters which came later is not recorded.
      order: [
        "description",
        "is_private",
        "is_default_stream",
        "history_public_to_subscribers",
        "is_web_public",
        "new_name",
        "message_retention_days",
        "is_archived",
        "folder_id",
        "topics_policy",
        "can_add_subscribers_group",
        "can_administer_channel_group",
        "can_send_message_group",
        "can_remove_subscribers_group",
        "can_subscribe_group",
      ],
      decode: {
        description: atMost(1024),
        message_retention_days: retention,
        ...Object.fromEntries(settingNames.map((name) => [name, settingUpdate])),
      },
    },
    update,
  ),
];
