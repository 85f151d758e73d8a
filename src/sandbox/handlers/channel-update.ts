import { updateChannel } from "../../api/channels.ts";
import type { ChannelPermission } from "../../api/permission-settings.ts";
import { strip } from "../../folding.ts";
import type { ArgsOf } from "../../wire/operation.ts";
import { administeredChannel, hasContentAccess, insufficient, may, ownersOnly, setsPolicy } from "../access.ts";
import { Broken, mustBe, refused } from "../answers.ts";
import { anInteger, atMost, type Decoder, fromJson, orNull } from "../decode.ts";
import {
  archivedChanged,
  channelUpdated,
  defaultsChanged,
  descriptionChanged,
  permissionOfChannelChanged,
  postingChanged,
  privacyChanged,
} from "../events/channels.ts";
import { whoSee } from "../events/queue.ts";
import { activeOnly, shownSetting, systemGroup } from "../groups.ts";
import { channelRules, checkSetting, desiredSetting, forNames, namesOf, settingUpdate } from "../permissions.ts";
import { type Call, on } from "../router.ts";
import { allowsWebPublic, type Channel, channelNamed, isAdministrator } from "../state.ts";
import { checkChannelName } from "../text.ts";
import { alreadyExists, retention, retentionDays } from "./channel-life.ts";

const needsContentAccess = () => refused("Channel content access is required.");

/** A request in the course of being applied: steps change the channel one after the other, and none is undone. */
interface Step extends Call {
  channel: Channel;
  args: Omit<ArgsOf<typeof updateChannel>, "message_retention_days"> & {
    message_retention_days?: number | string | undefined;
  };
}

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
  if (!next.invite_only && channel.stream_id === state.organization.settings.moderation_request_channel_id) {
    // The first level with the later words is not known exactly.
    throw refused(
      level >= 478 ? "A moderation request channel cannot be public." : "Moderation request channel must be private.",
    );
  }
  if (is_private !== undefined) {
    if (!hasContentAccess(state, caller, channel)) throw needsContentAccess();
    const permission = is_private ? "can_create_private_channel_group" : "can_create_public_channel_group";
    if (level > 371 && !may(state, caller, permission)) throw insufficient();
  }
  if (is_web_public) {
    if (!allowsWebPublic(state.organization)) throw refused("Web-public channels are not enabled.");
    if (!may(state, caller, "can_create_web_public_channel_group")) throw insufficient();
  }
}

function applyPrivacy(step: Step, next: Privacy): void {
  const { state, channel, args } = step;
  const asked = [args.is_private, args.is_web_public, args.history_public_to_subscribers];
  if (asked.every((value) => value === undefined)) return;
  const before = whoSee(state, channel);
  Object.assign(channel, next);
  privacyChanged(step, channel, before);
}

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

/** Only administrators and owners can change these. */
function applyReserved(step: Step): void {
  const { caller, channel, args } = step;
  const { is_default_stream, default_push_notifications: push, message_retention_days } = args;
  if (is_default_stream !== undefined) {
    if (!isAdministrator(caller)) throw refused("You do not have permission to change default channels.");
    const differs = channel.is_default !== is_default_stream || !is_default_stream;
    channel.is_default = is_default_stream;
    if (differs) defaultsChanged(step);
  }
  if (push !== undefined) {
    // Neither the words of the refusal nor its place in the order were seen.
    if (!isAdministrator(caller)) throw mustBe("administrator");
    channel.default_push_notifications = push;
    channelUpdated(step, channel, "default_push_notifications", push);
  }
  if (message_retention_days !== undefined) {
    ownersOnly(caller);
    channel.message_retention_days = retentionDays(message_retention_days);
    channelUpdated(step, channel, "message_retention_days", channel.message_retention_days);
  }
}

function applyArchived(step: Step): void {
  const { state, channel, args } = step;
  if (args.is_archived !== false) return;
  if (!channel.is_archived) throw refused("Channel is not currently deactivated");
  if (channel.invite_only && activeOnly(state, channel.subscribers).length === 0) {
    throw refused("Channel is private and have no subscribers");
  }
  channel.is_archived = false;
  archivedChanged(step, channel);
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
    if (holder) throw level <= 371 ? refused("Channel name is already in use.") : alreadyExists(name);
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

function applySettings(step: Step): void {
  const { state, caller, level, channel, args } = step;
  for (const name of namesOf(channelRules)) {
    const update = args[name];
    const value = update && desiredSetting(state, level, channel.settings[name], update);
    if (value === undefined) continue;
    if (forInsiders.includes(name) && !hasContentAccess(state, caller, channel)) throw needsContentAccess();
    checkSetting(state, name, value, channelRules[name]);
    const before = whoSee(state, channel);
    const current = channel.settings[name];
    // People and groups are written over in place: channels that were made with this one see it.
    if (typeof current === "object" && typeof value === "object") Object.assign(current, value);
    else channel.settings[name] = value;
    permissionOfChannelChanged(step, channel, name, shownSetting(state, value), before);
    if (name === "can_send_message_group") postingChanged(step, channel);
  }
}

/** Applies the request in the server's order; a refusal leaves the earlier steps done. */
function update(call: Call, args: Step["args"]): void {
  const channel = administeredChannel(call.state, call.caller, args.stream_id);
  const step: Step = { ...call, channel, args };
  const next = proposed(step);
  checkPrivacy(step, next);
  applyTopicsPolicy(step);
  checkHistoryAgainstTopics(step, next);
  applyPrivacy(step, next);
  applyReserved(step);
  applyArchived(step);
  const deletes = args.can_delete_any_message_group !== undefined || args.can_delete_own_message_group !== undefined;
  if (deletes && !setsPolicy(call.state, call.caller, "can_set_delete_message_policy_group")) throw insufficient();
  applyDescription(step);
  applyName(step);
  applyFolder(step);
  applySettings(step);
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
