import { updateChannel } from "../../api/channels.ts";
import type { ChannelPermission } from "../../api/permission-settings.ts";
import { strip } from "../../folding.ts";
import type { ArgsOf } from "../../wire/operation.ts";
import { administeredChannel, hasContentAccess, insufficient, may, ownersOnly, setsPolicy } from "../access.ts";
import { mustBe, refused } from "../answers.ts";
import { anInteger, atMost, fromJson, orNull } from "../decode.ts";
import * as events from "../events/channels.ts";
import { channelViewers } from "../events/queue.ts";
import { activeOnly, shownSetting, systemGroup } from "../groups.ts";
import { changedSettings, channelRules, desiredSetting, forNames, settingUpdate } from "../permissions.ts";
import { type Call, on } from "../router.ts";
import { type Channel, channelNamed, isAdministrator } from "../state.ts";
import { checkChannelName, checkStorable } from "../text.ts";
import {
  alreadyExists,
  checkFolder,
  checkTopicsPolicy,
  checkWebPublic,
  retention,
  retentionDays,
} from "./channel-life.ts";

const needsContentAccess = () => refused("Channel content access is required.");

/** A request while it is applied. A refusal does not undo the steps before it. */
interface Step extends Call {
  channel: Channel;
  args: Omit<ArgsOf<typeof updateChannel>, "message_retention_days"> & {
    message_retention_days?: number | string | undefined;
  };
}

type Privacy = Pick<Channel, "invite_only" | "is_web_public" | "history_public_to_subscribers">;

/** The new privacy. If the request sets only `is_private`, the history changes with it. */
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
  if (is_web_public) checkWebPublic(step);
}

function applyPrivacy(step: Step, next: Privacy): void {
  const { state, channel, args } = step;
  const privacy = [args.is_private, args.is_web_public, args.history_public_to_subscribers];
  if (privacy.every((value) => value === undefined)) return;
  const before = channelViewers(state, channel);
  Object.assign(channel, next);
  events.privacyChanged(step, channel, before);
}

const folderPlace = (name: string) => `${name}["json[nullable[int]]"]`;

function applyTopicsPolicy(step: Step, policy: string): void {
  const { state, channel } = step;
  checkTopicsPolicy(step, policy);
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
  events.channelUpdated(step, channel, "topics_policy", policy);
}

function checkHistoryAgainstTopics(step: Step, next: Privacy): void {
  const { state, level, channel, args } = step;
  if (level < 441 || next.history_public_to_subscribers) return;
  const update = args.can_create_topic_group;
  const current = channel.settings.can_create_topic_group;
  const creators = (update && desiredSetting(step, current, { new: update.new })) ?? current;
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
    if (differs) events.defaultsChanged(step);
  }
  if (push !== undefined) {
    // The refusal and its position were not recorded.
    if (!isAdministrator(caller)) throw mustBe("administrator");
    channel.default_push_notifications = push;
    events.channelUpdated(step, channel, "default_push_notifications", push);
  }
  if (message_retention_days !== undefined) {
    ownersOnly(caller);
    channel.message_retention_days = retentionDays(message_retention_days);
    events.channelUpdated(step, channel, "message_retention_days", channel.message_retention_days);
  }
}

function restore(step: Step): void {
  const { state, channel } = step;
  if (!channel.is_archived) throw refused("Channel is not currently deactivated");
  if (channel.invite_only && activeOnly(state, channel.subscribers).length === 0) {
    throw refused("Channel is private and have no subscribers");
  }
  channel.is_archived = false;
  events.archivedChanged(step, channel);
}

function rename(step: Step, name: string): void {
  const { state, level, channel } = step;
  if (name === channel.name) throw refused("Channel already has that name.");
  const holder = channelNamed(state, name);
  if (holder !== channel) {
    checkChannelName(name);
    if (holder) throw level <= 371 ? refused("Channel name is already in use.") : alreadyExists(name);
  }
  const before = channel.name;
  channel.name = name;
  events.channelUpdated(step, channel, "name", name, {}, before);
}

const forInsiders: readonly ChannelPermission[] = ["can_add_subscribers_group", "can_subscribe_group"];

function applySettings(step: Step): void {
  const { state, caller, channel, args } = step;
  const checkAccess = (name: ChannelPermission) => {
    if (forInsiders.includes(name) && !hasContentAccess(state, caller, channel)) throw needsContentAccess();
  };
  for (const [name, value] of changedSettings(step, channelRules, channel.settings, args, checkAccess)) {
    const before = channelViewers(state, channel);
    const current = channel.settings[name];
    // People and groups are changed in place: channels of the same request share them.
    if (typeof current === "object" && typeof value === "object") Object.assign(current, value);
    else channel.settings[name] = value;
    events.permissionOfChannelChanged(step, channel, name, shownSetting(state, value), before);
    if (name === "can_send_message_group") events.postingChanged(step, channel);
  }
}

export const channelUpdateRoutes = [
  on(
    updateChannel,
    {
      // The order at level 371.
      order: [
        "description",
        "is_private",
        "is_default_stream",
        "history_public_to_subscribers",
        "is_web_public",
        "new_name",
        "message_retention_days",
        "can_add_subscribers_group",
        "can_administer_channel_group",
        "can_send_message_group",
      ],
      decode: {
        description: atMost(1024),
        message_retention_days: retention,
        folder_id: fromJson((value, name) => orNull(anInteger)(value, folderPlace(name)), folderPlace),
        ...forNames(channelRules, () => settingUpdate),
      },
    },
    // The steps are in the server's order.
    (call, args) => {
      const { description, new_name, folder_id } = args;
      const channel = administeredChannel(call.state, call.caller, args.stream_id);
      const step: Step = { ...call, channel, args };
      const next = proposed(step);
      checkPrivacy(step, next);
      if (args.topics_policy !== undefined) applyTopicsPolicy(step, args.topics_policy);
      checkHistoryAgainstTopics(step, next);
      applyPrivacy(step, next);
      applyReserved(step);
      if (args.is_archived === false) restore(step);
      const deletes = args.can_delete_any_message_group ?? args.can_delete_own_message_group;
      if (deletes && !setsPolicy(call.state, call.caller, "can_set_delete_message_policy_group")) throw insufficient();
      if (description !== undefined) {
        checkStorable(description);
        channel.description = description.replaceAll("\n", " ");
        events.descriptionChanged(step, channel);
      }
      if (new_name !== undefined) rename(step, strip(new_name));
      if (folder_id !== undefined) {
        checkFolder(step, folder_id);
        channel.folder_id = folder_id;
        events.channelUpdated(step, channel, "folder_id", folder_id);
      }
      applySettings(step);
    },
  ),
];
