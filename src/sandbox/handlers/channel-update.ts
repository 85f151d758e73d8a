import type { ChannelPermission } from "../../api/channel-settings.ts";
import { updateChannel } from "../../api/channels.ts";
import type { GroupSetting } from "../../api/group-setting.ts";
import { strip } from "../../folding.ts";
import { administeredChannel, hasContentAccess, insufficient, ownersOnly, setsPolicy } from "../access.ts";
import { ApiError, Broken, mustBe, refused } from "../answers.ts";
import {
  applyPrivacy,
  checkPrivacy,
  needsContentAccess,
  type Privacy,
  proposed,
  type Step,
} from "../channel-privacy.ts";
import { anInteger, atMost, type Decoder, fromJson, orNull } from "../decode.ts";
import {
  channelUnarchived,
  channelUpdated,
  defaultsChanged,
  descriptionChanged,
  permissionOfChannelChanged,
  postingChanged,
} from "../events/channels.ts";
import { whoSee } from "../events/queue.ts";
import { activeOnly, shownSetting, systemGroup } from "../groups.ts";
import { channelNamed, retention, retentionDays } from "../new-channel.ts";
import { channelRules, checkSetting, desiredSetting, forNames, namesOf, settingUpdate } from "../permissions.ts";
import { type Call, on } from "../router.ts";
import { type Channel, isAdministrator } from "../state.ts";
import { checkChannelName } from "../text.ts";

const folderPlace = (name: string) => `${name}["json[nullable[int]]"]`;
const folder: Decoder<number | null> = fromJson(
  (value, name) => orNull(anInteger)(value, folderPlace(name)),
  folderPlace,
);

function applyTopicsPolicy(step: Step): void {
  const { state, caller, channel, args } = step;
  const policy = args.topics_policy;
  if (policy === undefined) return;
  if (policy !== "inherit" && !setsPolicy(state, caller, "can_set_topics_policy_group")) throw insufficient();
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
  if (channel.topics_policy === policy) return;
  channel.topics_policy = policy;
  channelUpdated(step, channel, "topics_policy", policy);
}

function checkHistoryAgainstTopics({ state, level, channel, args }: Step, next: Privacy): void {
  if (level < 441 || next.history_public_to_subscribers) return;
  const update = args.can_create_topic_group;
  const current = channel.settings.can_create_topic_group;
  const creators = (update && desiredSetting(state, level, current, { new: update.new })) ?? current;
  if (creators === systemGroup(state, "role:everyone")) return;
  const parameters = "history_public_to_subscribers, can_create_topic_group";
  throw refused(`Unsupported parameter combination: ${parameters}`, { parameters });
}

function applyDefault(step: Step): void {
  const { caller, channel, args } = step;
  if (args.is_default_stream === undefined) return;
  if (!isAdministrator(caller)) throw refused("You do not have permission to change default channels.");
  const told = channel.is_default !== args.is_default_stream || !args.is_default_stream;
  channel.is_default = args.is_default_stream;
  if (told) defaultsChanged(step);
}

/** Documented as the administrators' to change; neither the words of the refusal nor its place in the order were seen. */
function applyPushDefault(step: Step): void {
  const { caller, channel, args } = step;
  if (args.default_push_notifications === undefined) return;
  if (!isAdministrator(caller)) throw mustBe("administrator");
  channel.default_push_notifications = args.default_push_notifications;
  channelUpdated(step, channel, "default_push_notifications", args.default_push_notifications);
}

function applyRetention(step: Step): void {
  const { caller, level, channel, args } = step;
  if (args.message_retention_days === undefined) return;
  ownersOnly(caller);
  const days = retentionDays(args.message_retention_days, level);
  channel.message_retention_days = days;
  channelUpdated(step, channel, "message_retention_days", days);
}

function applyArchived(step: Step): void {
  const { state, channel, args } = step;
  if (args.is_archived !== false) return;
  if (!channel.is_archived) throw refused("Channel is not currently deactivated");
  if (channel.invite_only && activeOnly(state, channel.subscribers).length === 0) {
    throw refused("Channel is private and have no subscribers");
  }
  channel.is_archived = false;
  channelUnarchived(step, channel);
}

function applyDescription(step: Step): void {
  const { channel, args } = step;
  if (args.description === undefined) return;
  // The database refuses NUL, which nothing catches.
  if (args.description.includes("\0")) throw new Broken();
  channel.description = args.description.replaceAll("\n", " ");
  descriptionChanged(step, channel);
}

function applyName(step: Step): void {
  const { state, level, channel, args } = step;
  if (args.new_name === undefined) return;
  const name = strip(args.new_name);
  if (name === channel.name) throw refused("Channel already has that name.");
  const holder = channelNamed(state, name);
  if (holder !== channel) {
    checkChannelName(name);
    const taken = holder !== undefined;
    if (taken && level <= 371) throw refused("Channel name is already in use.");
    if (taken) {
      const fields = { channel_name: name };
      throw new ApiError(409, "CHANNEL_ALREADY_EXISTS", `Channel '${name}' already exists`, fields);
    }
  }
  const before = channel.name;
  channel.name = name;
  channelUpdated(step, channel, "name", name, {}, before);
}

function applyFolder(step: Step): void {
  const { state, channel, args } = step;
  if (args.folder_id === undefined) return;
  if (args.folder_id !== null && !state.folders.has(args.folder_id)) throw refused("Invalid channel folder ID");
  channel.folder_id = args.folder_id;
  channelUpdated(step, channel, "folder_id", args.folder_id);
}

const forInsiders: readonly ChannelPermission[] = ["can_add_subscribers_group", "can_subscribe_group"];

/**
 * People and groups of a setting are written over in place, and other channels that were made with this one see it.
 * To name a group in their stead breaks while they do.
 */
function assign({ state, channel }: Step, name: ChannelPermission, value: GroupSetting): void {
  const before = channel.settings[name];
  if (typeof before === "object" && typeof value === "object") {
    Object.assign(before, value);
    return;
  }
  const shared = (each: Channel) => each !== channel && Object.values(each.settings).includes(before);
  if (typeof before === "object" && [...state.channels.values()].some(shared)) throw new Broken();
  channel.settings[name] = value;
}

function applySettings(step: Step): void {
  const { state, caller, level, channel, args } = step;
  for (const name of namesOf(channelRules)) {
    const update = args[name];
    const value = update && desiredSetting(state, level, channel.settings[name], update);
    if (value === undefined) continue;
    if (forInsiders.includes(name) && !hasContentAccess(state, caller, channel)) throw needsContentAccess();
    checkSetting(state, name, value, channelRules[name]);
    const before = whoSee(state, channel);
    assign(step, name, value);
    permissionOfChannelChanged(step, channel, name, shownSetting(state, value), before);
    if (name === "can_send_message_group") postingChanged(step, channel);
  }
}

/** Applies the request in the server's order; a refusal leaves the earlier steps done. */
function update(call: Call, args: Step["args"]): object {
  const channel = administeredChannel(call.state, call.caller, args.stream_id);
  const step: Step = { ...call, channel, args };
  const next = proposed(step);
  checkPrivacy(step, next);
  applyTopicsPolicy(step);
  checkHistoryAgainstTopics(step, next);
  applyPrivacy(step, next);
  applyDefault(step);
  applyPushDefault(step);
  applyRetention(step);
  applyArchived(step);
  const deletes = args.can_delete_any_message_group !== undefined || args.can_delete_own_message_group !== undefined;
  if (deletes && !setsPolicy(call.state, call.caller, "can_set_delete_message_policy_group")) throw insufficient();
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
        folder_id: folder,
        ...forNames(channelRules, () => settingUpdate),
      },
    },
    update,
  ),
];
