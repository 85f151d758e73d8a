/** Sends messages. */
import { sendMessage } from "../../api/messages.ts";
import { strip } from "../../folding.ts";
import { entersToSend, may, maySend, seesPerson } from "../access.ts";
import { ApiError, orRefused, refused } from "../answers.ts";
import { type Decoder, fromJson, isObject, type Json, oneName, parseJson } from "../decode.ts";
import { messageSent, policyChanged } from "../events/messages.ts";
import { holds, systemGroup } from "../groups.ts";
import { checkTopic, checkTopicRequired, contentOf, cutTopic, topicOf } from "../message-text.ts";
import { inTopic, type Mentions, mentionsIn, participants, sendDirectly, sendToChannel } from "../messages.ts";
import { type Call, on } from "../router.ts";
import { type Channel, channelNamed, isBot, type State, shownEmail, userByAddress } from "../state.ts";
import { systemBot, systemBots } from "../system-bots.ts";
import { checkChannelName, escapeHtml } from "../text.ts";

/** Reads JSON, or else the text itself. */
function jsonOrText(text: string): Json {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** Integers of 64 bits. The server reads longer ones as floats, and true and false as 1 and 0. */
const isInteger = (value: Json): value is number | bigint | boolean =>
  typeof value === "boolean" ||
  ((typeof value === "number" || typeof value === "bigint") && value < 2n ** 64n && value >= -(2n ** 63n));

type Named = string | number | bigint | boolean;

function channelIn(to: string | undefined): Named | undefined {
  if (to === undefined) return undefined;
  const value = jsonOrText(to);
  const [only, ...others] = Array.isArray(value) ? value : [value];
  if (only === undefined || others.length > 0) throw refused("Expected exactly one channel");
  if (typeof only !== "string" && !isInteger(only)) throw refused("Invalid data type for channel");
  return only;
}

/** Addresses, or ids. */
function peopleIn(to = ""): Named[] {
  const value = jsonOrText(to);
  const items = typeof value === "string" ? value.split(",") : value;
  if (!Array.isArray(items)) throw refused("Invalid data type for recipients");
  const [first] = items;
  if (first === undefined) return [];
  const isText = (item: Json): item is string => typeof item === "string";
  if (!isText(first) && !isInteger(first)) throw refused("Invalid data type for recipients");
  if (items.every(isText)) return [...new Set(items.map(strip))].filter(Boolean);
  if (!items.every(isInteger)) throw refused("Recipient lists may contain emails or user IDs, but not both.");
  return items;
}

/** The ids of recipients. */
function peopleFound(state: State, names: readonly Named[]): number[] {
  if (names.length === 0) throw refused("Message must have recipients");
  return names.map((each) => {
    if (typeof each === "string") {
      const user = userByAddress(state, each) ?? systemBots.find(({ email }) => email === each.toLowerCase());
      return orRefused(user?.user_id, `Invalid email '${each}'`);
    }
    const id = Number(each);
    if (!state.users.has(id) && !systemBot(id)) throw refused(`Invalid user ID ${each}`);
    return id;
  });
}

function channelFound(state: State, name: Named): Channel {
  const missing = (msg: string, fields: Record<string, unknown>) =>
    new ApiError(400, "STREAM_DOES_NOT_EXIST", msg, fields);
  if (typeof name !== "string") {
    const channel = state.channels.get(Number(name));
    const shown = typeof name === "boolean" ? (name ? "True" : "False") : name;
    if (!channel) throw missing(`Channel with ID '${shown}' does not exist`, { stream_id: name });
    return channel;
  }
  checkChannelName(strip(name));
  const channel = channelNamed(state, strip(name));
  const stream = escapeHtml(strip(name), "&#x27;");
  if (!channel) throw missing(`Channel '${stream}' does not exist`, { stream });
  return channel;
}

function checkPosting({ state, caller }: Call, channel: Channel): void {
  if (!maySend(state, caller, channel)) throw refused("You do not have permission to post in this channel.");
  if (!entersToSend(state, caller, channel)) throw refused(`Not authorized to send to channel '${channel.name}'`);
}

/** Channels may restrict who starts topics. */
export function checkNewTopic({ state, caller, level }: Call, { stream_id, settings }: Channel, topic: string): void {
  if (level < 441 || holds(state, caller, settings.can_create_topic_group)) return;
  if (inTopic(state, stream_id, topic).next().done) {
    throw refused("You do not have permission to create new topics in this channel.");
  }
}

/** Checks that the caller may write to these people. */
function checkConversation({ state, caller }: Call, ids: readonly number[]): void {
  const people = ids.flatMap((id) => state.users.get(id) ?? []);
  const gone = people.find(({ is_active }) => !is_active);
  if (gone) throw refused(`'${shownEmail(state, gone)}' is no longer using Zulip.`);
  if (!people.every((each) => seesPerson(state, caller, each))) {
    throw refused("You do not have permission to access some of the recipients.");
  }
  const others = people.filter((each) => each !== caller && !isBot(each));
  if (isBot(caller) || others.length === 0) return;
  const { direct_message_permission_group: group } = state.organization.permissions;
  if (![...people, caller].some((each) => holds(state, each, group))) {
    throw refused(
      group === systemGroup(state, "role:nobody")
        ? "Direct messages are disabled in this organization."
        : "This conversation does not include any users who can authorize it.",
    );
  }
  if (may(state, caller, "direct_message_initiator_group")) return;
  const everybody = new Set([caller.user_id, ...ids]);
  const begun = [...state.messages.values()].some(
    ({ recipients }) => recipients.length === everybody.size && recipients.every((id) => everybody.has(id)),
  );
  if (!begun) throw refused("You do not have permission to initiate direct message conversations.");
}

/** The largest number of people that can be mentioned without the permission. */
const fewPeople = 15;

/** Checks that the caller may mention everybody in the text. */
export function checkMentions(
  { state, caller }: Call,
  mentions: Mentions,
  place: { channel: Channel; topic: string } | undefined,
): void {
  if (place && !may(state, caller, "can_mention_many_users_group")) {
    const { channel, topic } = place;
    const denied = (kind: "channel" | "topic", code: string) =>
      new ApiError(400, code, `You do not have permission to use ${kind} wildcard mentions in this ${kind}.`);
    if (mentions.everybody && channel.subscribers.size > fewPeople)
      throw denied("channel", "STREAM_WILDCARD_MENTION_NOT_ALLOWED");
    if (mentions.topic && participants(state, channel.stream_id, topic).size > fewPeople)
      throw denied("topic", "TOPIC_WILDCARD_MENTION_NOT_ALLOWED");
  }
  for (const id of mentions.groups) {
    const group = state.groups.get(id);
    if (group && !holds(state, caller, group.settings.can_mention_group)) {
      throw refused(`You are not allowed to mention user group '${group.name}'.`);
    }
  }
}

/** The sandbox finds polls and the like in the text. Of `widget_content` it only checks the form. */
function checkWidget(content: string | undefined): void {
  if (content === undefined) return;
  let widget: Json;
  try {
    widget = parseJson(content);
  } catch {
    throw refused("Widgets: API programmer sent invalid JSON content");
  }
  if (!isObject(widget)) throw refused("Widgets: widget_content is not a dict");
  if (widget.widget_type === undefined) throw refused("Widgets: widget_type is not in widget_content");
}

export const asText: Decoder<string> = (text) => text;

/** Message types, by their names in requests. */
export const messageTypes: ReadonlyMap<string, "channel" | "direct"> = new Map([
  ["stream", "channel"],
  ["channel", "channel"],
  ["private", "direct"],
  ["direct", "direct"],
]);

const type: Decoder<"channel" | "direct"> = (text) => orRefused(messageTypes.get(text), "Invalid type");

interface MessageArgs {
  /** A channel or, as a list, people. */
  to: Named | readonly Named[] | undefined;
  topic: string | undefined;
  content: string;
  widget?: string | undefined;
}

/** The content is as it is stored. */
type CheckedMessage = { content: string } & ({ people: number[] } | { channel: Channel; topic: string });

/** Returns where a message goes. Throws unless the caller may send it. */
export function checkMessage(call: Call, { to, topic: named, widget, ...args }: MessageArgs): CheckedMessage {
  const { state } = call;
  if (Array.isArray(to)) {
    const people = peopleFound(state, to);
    const content = contentOf(args.content);
    checkConversation(call, people);
    checkWidget(widget);
    checkMentions(call, mentionsIn(state, content), undefined);
    return { people, content };
  }
  if (to === undefined) throw refused("Missing channel");
  if (named === undefined) throw refused("Missing topic");
  const whole = topicOf(named, { sending: true });
  checkTopic(whole);
  const topic = cutTopic(whole);
  const content = contentOf(args.content);
  const channel = channelFound(state, to as Named);
  checkPosting(call, channel);
  checkTopicRequired(call, channel, topic, "Topics are required in this organization");
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
      also: {
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
      const topic = oneName({ topic: args.topic, subject: args.subject });
      const usual = caller.bot_settings?.default_sending_stream ?? undefined;
      const to = args.type === "channel" ? (channelIn(args.to) ?? usual) : peopleIn(args.to);
      if (["true", "yes"].includes(args.forged ?? "")) throw refused("User not authorized for this query");
      if (args.sender !== undefined) throw refused("Invalid mirrored message");
      const readBy = (id: number) => args.read_by_sender === true && id === caller.user_id;
      const checked = checkMessage(call, { to, topic, content: args.content, widget: args.widget_content });
      const sent = { sender_id: caller.user_id, now, readBy, content: checked.content };
      if ("people" in checked) {
        const message = sendDirectly(state, { ...sent, to: checked.people });
        messageSent(call, message);
        return { id: message.id };
      }
      const place = { stream_id: checked.channel.stream_id, topic: checked.topic };
      const { message, followers } = sendToChannel(state, { ...sent, ...place });
      policyChanged(call, place, 3, followers);
      messageSent(call, message);
      return { id: message.id, ...(followers.has(caller) ? { automatic_new_visibility_policy: 3 } : {}) };
    },
  ),
];
