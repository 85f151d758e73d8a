import { sendMessage } from "../../api/messages.ts";
import { strip } from "../../common/folding.ts";
import { channelPermissionRules } from "../../model/channel.ts";
import { canEnterToPost, canPost, canSeePerson, hasPermission } from "../access.ts";
import { ApiError, badRequest, requireFound } from "../answers.ts";
import { type Decoder, fromJson, isObject, type JsonValue, parseServerJson, resolveAliases } from "../decode.ts";
import type { MessageLocation } from "../events/messages.ts";
import { sendNewMessage, sendTopicPolicy } from "../events/messages.ts";
import { isIncluded, systemGroupId } from "../groups.ts";
import { checkTopic, checkTopicAllowed, normalizeContent, normalizeTopic, truncateTopic } from "../message-text.ts";
import { type Mentions, mentionsIn, messagesInTopic, participants, sendDirectly, sendToChannel } from "../messages.ts";
import { type HandlerCall, on } from "../router.ts";
import { findChannel, isBot, type SandboxState, type StoredChannel, visibleEmail } from "../state.ts";
import { accountId } from "../system-bots.ts";
import { checkChannelName, escapeHtml } from "../text.ts";
import { sendFilesLinked } from "./uploads.ts";

function jsonOrText(text: string): JsonValue {
  try {
    return parseServerJson(text);
  } catch {
    return text;
  }
}

/** Integers of 64 bits. The server reads longer ones as floats, and true and false as 1 and 0. */
const isInteger = (value: JsonValue): value is number | bigint | boolean =>
  typeof value === "boolean" ||
  ((typeof value === "number" || typeof value === "bigint") && value < 2n ** 64n && value >= -(2n ** 63n));

type Recipient = string | number | bigint | boolean;

function parseChannel(to: string | undefined): Recipient | undefined {
  if (to === undefined) return undefined;
  const value = jsonOrText(to);
  const [channel, ...others] = Array.isArray(value) ? value : [value];
  if (channel === undefined || others.length > 0) throw badRequest("Expected exactly one channel");
  if (typeof channel !== "string" && !isInteger(channel)) throw badRequest("Invalid data type for channel");
  return channel;
}

/** Addresses, or ids. */
function parsePeople(to = ""): Recipient[] {
  const value = jsonOrText(to);
  const items = typeof value === "string" ? value.split(",") : value;
  if (!Array.isArray(items)) throw badRequest("Invalid data type for recipients");
  const [first] = items;
  if (first === undefined) return [];
  const isText = (item: JsonValue): item is string => typeof item === "string";
  if (!isText(first) && !isInteger(first)) throw badRequest("Invalid data type for recipients");
  if (items.every(isText)) return [...new Set(items.map(strip))].filter(Boolean);
  if (!items.every(isInteger)) throw badRequest("Recipient lists may contain emails or user IDs, but not both.");
  return items;
}

function findPeople(state: SandboxState, names: readonly Recipient[]): number[] {
  if (names.length === 0) throw badRequest("Message must have recipients");
  return names.map((each) =>
    requireFound(
      accountId(state, each),
      typeof each === "string" ? `Invalid email '${each}'` : `Invalid user ID ${each}`,
    ),
  );
}

function findTargetChannel(state: SandboxState, name: Recipient): StoredChannel {
  const doesNotExist = (msg: string, fields: Record<string, unknown>) =>
    new ApiError(400, "STREAM_DOES_NOT_EXIST", msg, fields);
  if (typeof name !== "string") {
    const channel = state.channels.get(Number(name));
    const shown = typeof name === "boolean" ? (name ? "True" : "False") : name;
    if (!channel) throw doesNotExist(`Channel with ID '${shown}' does not exist`, { stream_id: name });
    return channel;
  }
  checkChannelName(strip(name));
  const channel = findChannel(state, strip(name));
  const stream = escapeHtml(strip(name), "&#x27;");
  if (!channel) throw doesNotExist(`Channel '${stream}' does not exist`, { stream });
  return channel;
}

function checkPosting({ state, caller }: HandlerCall, channel: StoredChannel): void {
  if (!canPost(state, caller, channel)) throw badRequest("You do not have permission to post in this channel.");
  if (!canEnterToPost(state, caller, channel)) throw badRequest(`Not authorized to send to channel '${channel.name}'`);
}

/** Channels may restrict who starts topics. */
export function checkNewTopic(
  { state, caller, level }: HandlerCall,
  { stream_id, settings }: StoredChannel,
  topic: string,
): void {
  if (
    level < channelPermissionRules.can_create_topic_group.since ||
    isIncluded(state, caller, settings.can_create_topic_group)
  )
    return;
  if (messagesInTopic(state, stream_id, topic).next().done) {
    throw badRequest("You do not have permission to create new topics in this channel.");
  }
}

/** Checks that the caller may write to these people. */
function checkConversation({ state, caller }: HandlerCall, ids: readonly number[]): void {
  const people = ids.flatMap((id) => state.users.get(id) ?? []);
  const deactivated = people.find(({ is_active }) => !is_active);
  if (deactivated) throw badRequest(`'${visibleEmail(state, deactivated)}' is no longer using Zulip.`);
  if (!people.every((each) => canSeePerson(state, caller, each))) {
    throw badRequest("You do not have permission to access some of the recipients.");
  }
  const others = people.filter((each) => each !== caller && !isBot(each));
  if (isBot(caller) || others.length === 0) return;
  const { direct_message_permission_group: group } = state.organization.permissions;
  if (![...people, caller].some((each) => isIncluded(state, each, group))) {
    throw badRequest(
      group === systemGroupId(state, "role:nobody")
        ? "Direct messages are disabled in this organization."
        : "This conversation does not include any users who can authorize it.",
    );
  }
  if (hasPermission(state, caller, "direct_message_initiator_group")) return;
  const everybody = new Set([caller.user_id, ...ids]);
  const hasMessages = [...state.messages.values()].some(
    ({ recipients }) => recipients.length === everybody.size && recipients.every((id) => everybody.has(id)),
  );
  if (!hasMessages) throw badRequest("You do not have permission to initiate direct message conversations.");
}

/** The largest number of people that can be mentioned without the permission. */
const maxMentions = 15;

/** Checks that the caller may mention everybody in the text. */
export function checkMentions(
  { state, caller }: HandlerCall,
  mentions: Mentions,
  location: MessageLocation | undefined,
): void {
  if (location && !hasPermission(state, caller, "can_mention_many_users_group")) {
    const { channel, topic } = location;
    const denied = (kind: "channel" | "topic", code: string) =>
      new ApiError(400, code, `You do not have permission to use ${kind} wildcard mentions in this ${kind}.`);
    if (mentions.everybody && channel.subscribers.size > maxMentions)
      throw denied("channel", "STREAM_WILDCARD_MENTION_NOT_ALLOWED");
    if (mentions.topic && participants(state, channel.stream_id, topic).size > maxMentions)
      throw denied("topic", "TOPIC_WILDCARD_MENTION_NOT_ALLOWED");
  }
  for (const id of mentions.groups) {
    const group = state.groups.get(id);
    if (group && !isIncluded(state, caller, group.settings.can_mention_group)) {
      throw badRequest(`You are not allowed to mention user group '${group.name}'.`);
    }
  }
}

/** The sandbox finds polls and the like in the text. Of `widget_content` it only checks the form. */
function checkWidget(content: string | undefined): void {
  if (content === undefined) return;
  let widget: JsonValue;
  try {
    widget = parseServerJson(content);
  } catch {
    throw badRequest("Widgets: API programmer sent invalid JSON content");
  }
  if (!isObject(widget)) throw badRequest("Widgets: widget_content is not a dict");
  if (widget.widget_type === undefined) throw badRequest("Widgets: widget_type is not in widget_content");
}

export const asText: Decoder<string> = (text) => text;

export const messageTypes: ReadonlyMap<string, "channel" | "direct"> = new Map([
  ["stream", "channel"],
  ["channel", "channel"],
  ["private", "direct"],
  ["direct", "direct"],
]);

const type: Decoder<"channel" | "direct"> = (text) => requireFound(messageTypes.get(text), "Invalid type");

interface MessageArgs {
  /** A channel or, as a list, people. */
  to: Recipient | readonly Recipient[] | undefined;
  topic: string | undefined;
  content: string;
  widget?: string | undefined;
}

/** The content is as it is stored. */
type CheckedMessage = { content: string } & ({ people: number[] } | MessageLocation);

/** Returns where a message goes. Throws unless the caller may send it. */
export function checkMessage(call: HandlerCall, { to, topic: named, widget, ...args }: MessageArgs): CheckedMessage {
  const { state } = call;
  if (Array.isArray(to)) {
    const people = findPeople(state, to);
    const content = normalizeContent(args.content);
    checkConversation(call, people);
    checkWidget(widget);
    checkMentions(call, mentionsIn(state, content), undefined);
    return { people, content };
  }
  if (to === undefined) throw badRequest("Missing channel");
  if (named === undefined) throw badRequest("Missing topic");
  const normalized = normalizeTopic(named, { sending: true });
  checkTopic(normalized);
  const topic = truncateTopic(normalized);
  const content = normalizeContent(args.content);
  const channel = findTargetChannel(state, to as Recipient);
  checkPosting(call, channel);
  checkTopicAllowed(call, channel, topic, "Topics are required in this organization");
  checkNewTopic(call, channel, topic);
  checkWidget(widget);
  checkMentions(call, mentionsIn(state, content), { channel, topic });
  return { channel, topic, content };
}

export const sendingRoutes = [
  on(
    sendMessage,
    {
      webhooks: true,
      order: ["type", "content", "read_by_sender"],
      decode: { type },
      extra: {
        to: asText,
        topic: asText,
        subject: asText,
        sender: asText,
        forged: asText,
        widget_content: asText,
        time: fromJson((value) => value),
        local_id: asText,
        queue_id: asText,
      },
    },
    (call, args) => {
      const { state, caller, now } = call;
      const topic = resolveAliases({ topic: args.topic, subject: args.subject });
      const defaultChannel = caller.bot_settings?.default_sending_stream ?? undefined;
      const to = args.type === "channel" ? (parseChannel(args.to) ?? defaultChannel) : parsePeople(args.to);
      if (["true", "yes"].includes(args.forged ?? "")) throw badRequest("User not authorized for this query");
      if (args.sender !== undefined) throw badRequest("Invalid mirrored message");
      const isReadBy = (id: number) => args.read_by_sender === true && id === caller.user_id;
      const checked = checkMessage(call, { to, topic, content: args.content, widget: args.widget_content });
      const sent = { sender_id: caller.user_id, now, isReadBy, content: checked.content };
      if ("people" in checked) {
        const message = sendDirectly(state, { ...sent, to: checked.people });
        sendFilesLinked(call, message.id);
        sendNewMessage(call, message);
        return { id: message.id };
      }
      const { channel, topic: stored } = checked;
      const { message, followers } = sendToChannel(state, { ...sent, stream_id: channel.stream_id, topic: stored });
      sendFilesLinked(call, message.id);
      sendTopicPolicy(call, channel.stream_id, stored, 3, followers);
      sendNewMessage(call, message);
      return { id: message.id, ...(followers.has(caller) ? { automatic_new_visibility_policy: 3 } : {}) };
    },
  ),
];
