import { updateChannel } from "../../api/channels.ts";
import { strip } from "../../common/folding.ts";
import {
  type ChannelPermission,
  channelPermissionRules,
  channelToggleRules,
  plainToggles,
} from "../../model/channel.ts";
import type { GroupSetting } from "../../model/permission.ts";
import type { ArgsOf } from "../../wire/operation.ts";
import {
  channelToAdminister,
  checkOwner,
  checkPermission,
  checkPolicyPermission,
  hasContentAccess,
} from "../access.ts";
import { badRequest, roleRequired } from "../answers.ts";
import { anInteger, fromJson, maxLength, orNull } from "../decode.ts";
import * as events from "../events/channels.ts";
import { channelViewers } from "../events/queue.ts";
import { activeOnly, systemGroupId, visibleSetting } from "../groups.ts";
import { changedSettings, channelRulesInOrder, mapNames, settingUpdateDecoder } from "../permissions.ts";
import { type HandlerCall, on } from "../router.ts";
import { findChannel, isAdministrator, type StoredChannel } from "../state.ts";
import { checkChannelName, checkStorable } from "../text.ts";
import {
  channelExists,
  checkFolder,
  checkTopicsPolicy,
  checkWebPublic,
  retentionDays,
  retentionDecoder,
} from "./channels.ts";

const contentAccessRequired = () => badRequest("Channel content access is required.");

/** A request while it is applied. A refusal does not undo the steps before it. */
interface ChannelStep extends HandlerCall {
  channel: StoredChannel;
  args: Omit<ArgsOf<typeof updateChannel>, "message_retention_days"> & {
    message_retention_days?: number | string | undefined;
  };
}

type PrivacyFields = Pick<StoredChannel, "invite_only" | "is_web_public" | "history_public_to_subscribers">;

/** The new privacy. If the request sets only `is_private`, the history changes with it. */
function newPrivacy({ channel, args }: ChannelStep): PrivacyFields {
  const { is_private, is_web_public, history_public_to_subscribers } = args;
  const history = is_private === undefined ? channel.history_public_to_subscribers : !is_private;
  return {
    invite_only: is_private ?? channel.invite_only,
    is_web_public: is_web_public ?? channel.is_web_public,
    history_public_to_subscribers: history_public_to_subscribers ?? history,
  };
}

function checkPrivacy(step: ChannelStep, next: PrivacyFields): void {
  const { state, caller, level, channel, args } = step;
  const { is_private, is_web_public, is_default_stream } = args;
  if (!next.history_public_to_subscribers && !next.invite_only) throw badRequest("Invalid parameters");
  if (next.is_web_public && (next.invite_only || !next.history_public_to_subscribers))
    throw badRequest("Invalid parameters");
  if (next.invite_only && (is_default_stream ?? channel.is_default))
    throw badRequest("A default channel cannot be private.");
  if (!next.invite_only && channel.stream_id === state.organization.settings.moderation_request_channel_id) {
    // The first level with the later words is not known exactly.
    throw badRequest(
      level >= 478 ? "A moderation request channel cannot be public." : "Moderation request channel must be private.",
    );
  }
  if (is_private !== undefined) {
    if (!hasContentAccess(state, caller, channel)) throw contentAccessRequired();
    const permission = is_private ? "can_create_private_channel_group" : "can_create_public_channel_group";
    if (level > 371) checkPermission(step, permission);
  }
  if (is_web_public) checkWebPublic(step);
}

const setsPrivacy = (args: ChannelStep["args"]): boolean =>
  [args.is_private, args.is_web_public, args.history_public_to_subscribers].some((value) => value !== undefined);

function applyPrivacy(step: ChannelStep, next: PrivacyFields): void {
  const { state, channel, args } = step;
  if (!setsPrivacy(args)) return;
  const before = channelViewers(state, channel);
  Object.assign(channel, next);
  events.sendPrivacyChanged(step, channel, before);
}

const folderPath = (name: string) => `${name}["json[nullable[int]]"]`;

function applyTopicsPolicy(step: ChannelStep, policy: string): void {
  const { state, channel } = step;
  checkTopicsPolicy(step, policy);
  if (policy === "empty_topic_only") {
    const hasTopics = [...state.messages.values()].some(
      ({ stream_id, topic }) => stream_id === channel.stream_id && topic !== "",
    );
    if (hasTopics) {
      throw badRequest(
        "To enable this configuration, all messages in this channel must be in the general chat topic. Consider renaming or deleting other topics.",
        { empty_topic_display_name: "general chat" },
      );
    }
  }
  if (channel.topics_policy === policy) return;
  channel.topics_policy = policy;
  events.sendChannelUpdated(step, channel, "topics_policy", policy);
}

/** Everybody must be able to create topics in a channel with hidden history: others cannot see which ones exist. */
function checkTopicCreators({ state, level }: ChannelStep, sharesHistory: boolean, creators: GroupSetting): void {
  if (level < channelPermissionRules.can_create_topic_group.since || sharesHistory) return;
  if (creators === systemGroupId(state, "role:everyone")) return;
  const parameters = "history_public_to_subscribers, can_create_topic_group";
  throw badRequest(`Unsupported parameter combination: ${parameters}`, { parameters });
}

/** Only administrators and owners can change these. */
function applyReserved(step: ChannelStep): void {
  const { caller, channel, args } = step;
  const { is_default_stream, message_retention_days } = args;
  if (is_default_stream !== undefined) {
    if (!isAdministrator(caller)) throw badRequest("You do not have permission to change default channels.");
    const isChanged = channel.is_default !== is_default_stream || !is_default_stream;
    channel.is_default = is_default_stream;
    if (isChanged) events.sendDefaultChannels(step);
  }
  for (const name of plainToggles) {
    const value = args[name];
    if (value === undefined) continue;
    // The refusal and its position were not recorded.
    if (channelToggleRules[name].by && !isAdministrator(caller)) throw roleRequired("administrator");
    channel[name] = value;
    events.sendChannelUpdated(step, channel, name, value);
  }
  if (message_retention_days !== undefined) {
    checkOwner(caller);
    channel.message_retention_days = retentionDays(message_retention_days);
    events.sendChannelUpdated(step, channel, "message_retention_days", channel.message_retention_days);
  }
}

function restore(step: ChannelStep): void {
  const { state, channel } = step;
  if (!channel.is_archived) throw badRequest("Channel is not currently deactivated");
  if (channel.invite_only && activeOnly(state, channel.subscribers).length === 0) {
    throw badRequest("Channel is private and have no subscribers");
  }
  channel.is_archived = false;
  events.sendArchivedChanged(step, channel);
}

function rename(step: ChannelStep, name: string): void {
  const { state, level, channel } = step;
  if (name === channel.name) throw badRequest("Channel already has that name.");
  const holder = findChannel(state, name);
  if (holder !== channel) {
    checkChannelName(name);
    if (holder) throw level <= 371 ? badRequest("Channel name is already in use.") : channelExists(name);
  }
  const before = channel.name;
  channel.name = name;
  events.sendChannelUpdated(step, channel, "name", name, {}, before);
}

const contentAccessPermissions: readonly ChannelPermission[] = ["can_add_subscribers_group", "can_subscribe_group"];

function applySettings(step: ChannelStep): void {
  const { state, caller, channel, args } = step;
  const check = (name: ChannelPermission, value: GroupSetting) => {
    if (contentAccessPermissions.includes(name) && !hasContentAccess(state, caller, channel))
      throw contentAccessRequired();
    if (name === "can_create_topic_group") checkTopicCreators(step, channel.history_public_to_subscribers, value);
  };
  for (const [name, value] of changedSettings(step, channelRulesInOrder, channel.settings, args, check)) {
    const before = channelViewers(state, channel);
    const policy = events.postPolicy(state, channel);
    const current = channel.settings[name];
    // People and groups are changed in place: channels of the same request share them.
    if (typeof current === "object" && typeof value === "object") Object.assign(current, value);
    else channel.settings[name] = value;
    events.sendPermissionChanged(step, channel, name, visibleSetting(state, value), before);
    if (name === "can_send_message_group") events.sendPostPolicyChanged(step, channel, policy);
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
        description: maxLength(1024),
        message_retention_days: retentionDecoder,
        folder_id: fromJson((value, name) => orNull(anInteger)(value, folderPath(name)), folderPath),
        ...mapNames(channelRulesInOrder, () => settingUpdateDecoder),
      },
    },
    // The steps are in the server's order.
    (call, args) => {
      const { description, new_name, folder_id } = args;
      const channel = channelToAdminister(call.state, call.caller, args.stream_id);
      const step: ChannelStep = { ...call, channel, args };
      const next = newPrivacy(step);
      checkPrivacy(step, next);
      if (args.topics_policy !== undefined) applyTopicsPolicy(step, args.topics_policy);
      if (setsPrivacy(args))
        checkTopicCreators(step, next.history_public_to_subscribers, channel.settings.can_create_topic_group);
      applyPrivacy(step, next);
      applyReserved(step);
      if (args.is_archived === false) restore(step);
      const changesDeletion = args.can_delete_any_message_group ?? args.can_delete_own_message_group;
      if (changesDeletion) checkPolicyPermission(call, "can_set_delete_message_policy_group");
      if (description !== undefined) {
        checkStorable(description);
        channel.description = description.replaceAll("\n", " ");
        events.sendDescriptionChanged(step, channel);
      }
      if (new_name !== undefined) rename(step, strip(new_name));
      if (folder_id !== undefined) {
        checkFolder(step, folder_id);
        channel.folder_id = folder_id;
        events.sendChannelUpdated(step, channel, "folder_id", folder_id);
      }
      applySettings(step);
    },
  ),
];
