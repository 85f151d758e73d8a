/** The conditions of a narrow's terms for one account, and the history of channels that a narrow includes. */
import { upper } from "../../common/folding.ts";
import { resolvedMark } from "../../model/topic.ts";
import { hasContentAccess } from "../access.ts";
import { ApiError, InternalError } from "../answers.ts";
import { described, type HandlerCall } from "../router.ts";
import { findChannel, isGuest, type MessageFlag, type StoredChannel, type StoredMessage, topicKey } from "../state.ts";
import { accountId } from "../system-bots.ts";
import { renderMarkdown } from "./markdown.ts";
import type { SearchOperand, SearchTerm } from "./terms.ts";

type MessageTest = (message: StoredMessage) => boolean;

export const badNarrow = (desc: string): ApiError =>
  new ApiError(400, "BAD_NARROW", `Invalid narrow operator: ${desc}`, { desc });

/** Formats a value as the server's language does. */
const formatOperand = (operand: SearchOperand): string => {
  if (Array.isArray(operand)) return `[${operand.map(formatOperand).join(", ")}]`;
  return typeof operand === "boolean" ? (operand ? "True" : "False") : String(operand);
};

function person(call: HandlerCall, operand: SearchOperand): number {
  const id = accountId(call.state, operand);
  if (id === undefined) throw badNarrow(`unknown user ${formatOperand(operand)}`);
  return id;
}

const isDirect: MessageTest = ({ stream_id }) => stream_id === null;

const hasFlag =
  ({ caller }: HandlerCall, ...flags: MessageFlag[]): MessageTest =>
  ({ received }) =>
    flags.some((flag) => received.get(caller.user_id)?.has(flag));

const topicPolicy = ({ caller }: HandlerCall, { stream_id, topic }: StoredMessage) =>
  stream_id === null ? undefined : caller.topic_policies.get(topicKey(stream_id, topic));

/** Excludes muted channels and topics. Unmuted and followed topics of a muted channel are included. */
const isUnmuted =
  (call: HandlerCall): MessageTest =>
  (message) => {
    if (message.stream_id === null) return true;
    const kind = topicPolicy(call, message);
    if (kind) return kind !== "muted";
    const isSubscribed = call.state.channels.get(message.stream_id)?.subscribers.has(call.caller.user_id);
    return !(isSubscribed && call.caller.muted_channels.has(message.stream_id));
  };

const not =
  (condition: MessageTest): MessageTest =>
  (message) =>
    !condition(message);

const inChannel =
  ({ state }: HandlerCall, is: (channel: StoredChannel) => boolean): MessageTest =>
  ({ stream_id }) => {
    const channel = state.channels.get(stream_id ?? 0);
    return channel !== undefined && is(channel);
  };

const rendersTo =
  ({ state }: HandlerCall, pattern: RegExp): MessageTest =>
  ({ content }) =>
    pattern.test(renderMarkdown(state, content));

type Words = Record<string, (call: HandlerCall) => MessageTest>;

const isWords: Words = {
  dm: () => isDirect,
  private: () => isDirect,
  starred: (call) => hasFlag(call, "starred"),
  unread: (call) => not(hasFlag(call, "read")),
  mentioned: (call) => hasFlag(call, "mentioned", "wildcard_mentioned"),
  alerted: (call) => hasFlag(call, "has_alert_word"),
  resolved: () => (message) => !isDirect(message) && message.topic.startsWith(resolvedMark),
  followed: (call) => (message) => topicPolicy(call, message) === "followed",
  muted: (call) => not(isUnmuted(call)),
};

const hasWords: Words = {
  attachment:
    ({ state }) =>
    ({ id }) =>
      [...state.attachments.values()].some((each) => each.message_ids.includes(id)),
  image: (call) => rendersTo(call, /href="[^"]*\.(?:png|jpe?g|gif|webp|bmp|tiff?|avif)"/i),
  link: (call) => rendersTo(call, /<a href=/),
  reaction:
    () =>
    ({ reactions }) =>
      reactions.length > 0,
};

const inWords: Words = { home: isUnmuted, all: () => () => true };

const channelsWords: Words = {
  public: (call) => inChannel(call, ({ invite_only }) => !invite_only),
  // An archived channel is not open to the web, whatever its setting says.
  archived: (call) => {
    if (call.level < 489) throw badNarrow("unknown channels operand archived");
    return inChannel(call, ({ is_archived }) => is_archived);
  },
  "web-public": (call) => inChannel(call, ({ is_web_public, is_archived }) => is_web_public && !is_archived),
};

const wordOperator =
  (known: Words, unknown: string) =>
  (call: HandlerCall, operand: SearchOperand): MessageTest => {
    const found = new Map(Object.entries(known)).get(String(operand));
    if (!found) throw badNarrow(`unknown ${unknown} operand ${formatOperand(operand)}`);
    return found(call);
  };

const channelOf = ({ state }: HandlerCall, operand: SearchOperand): StoredChannel | undefined =>
  typeof operand === "string" ? findChannel(state, operand) : state.channels.get(Number(operand));

function channel(call: HandlerCall, operand: SearchOperand): MessageTest {
  const found = channelOf(call, operand);
  if (!found) throw badNarrow(`unknown channel ${formatOperand(operand)}`);
  return ({ stream_id }) => stream_id === found.stream_id;
}

function topic(_: HandlerCall, operand: SearchOperand): MessageTest {
  const name = upper(String(operand));
  return (message) => !isDirect(message) && upper(message.topic) === name;
}

/** The conversation of exactly these people and the caller. */
function conversation(call: HandlerCall, operand: SearchOperand): MessageTest {
  const items = typeof operand === "string" ? operand.split(",") : [operand].flat();
  const everybody = new Set([call.caller.user_id]);
  for (const item of items) {
    const id = accountId(call.state, item);
    if (id === undefined) throw badNarrow(`unknown user in ${formatOperand(operand)}`);
    everybody.add(id);
  }
  if (items.length === 0) return () => false;
  return ({ stream_id, recipients }) =>
    stream_id === null && recipients.length === everybody.size && recipients.every((id) => everybody.has(id));
}

const directIncluding =
  (least: number) =>
  (call: HandlerCall, operand: SearchOperand): MessageTest => {
    const id = person(call, operand);
    return (message) => isDirect(message) && message.recipients.length >= least && message.recipients.includes(id);
  };

function messageId(_: HandlerCall, operand: SearchOperand): MessageTest {
  const text = formatOperand(operand);
  // The server accepts digits of other scripts; then its database breaks.
  if (/^\p{Nd}*[\p{Nd}²³¹]+\p{Nd}*$/u.test(text) && !/^\d+$/.test(text)) throw new InternalError();
  if (!/^\d+$/.test(text) || Number(text) >= 2 ** 31) throw badNarrow("Invalid message ID");
  return ({ id }) => id === Number(text);
}

/**
 * Level 468 looks among the flags of the caller, so it finds mentions of nobody else. When that was mended is not known.
 * By the description of Zulip 12.3, the operator finds mentions of everybody.
 */
function mentions(call: HandlerCall, operand: SearchOperand): MessageTest {
  const id = person(call, operand);
  if (call.level < described) return id === call.caller.user_id ? hasFlag(call, "mentioned") : () => false;
  const sign = `class="user-mention" data-user-id="${id}"`;
  return ({ content }) => renderMarkdown(call.state, content).includes(sign);
}

function sender(call: HandlerCall, operand: SearchOperand): MessageTest {
  const id = person(call, operand);
  return ({ sender_id }) => sender_id === id;
}

/** The operators by name: their conditions, and whether they are only for channel messages or direct messages. */
const operators = new Map<
  string,
  [condition: (call: HandlerCall, operand: SearchOperand) => MessageTest, kind?: "channel" | "direct"]
>([
  ["has", [wordOperator(hasWords, "'has'")]],
  ["in", [wordOperator(inWords, "'in'")]],
  ["is", [wordOperator(isWords, "'is'")]],
  ["channel", [channel, "channel"]],
  ["stream", [channel, "channel"]],
  ["channels", [wordOperator(channelsWords, "channels"), "channel"]],
  ["streams", [wordOperator(channelsWords, "channels"), "channel"]],
  ["topic", [topic, "channel"]],
  ["sender", [sender]],
  ["near", [() => () => true]],
  ["id", [messageId]],
  ["dm", [conversation, "direct"]],
  ["pm-with", [conversation, "direct"]],
  ["pm_with", [conversation, "direct"]],
  ["dm-including", [directIncluding(0), "direct"]],
  ["group-pm-with", [directIncluding(3), "direct"]],
  ["group_pm_with", [directIncluding(3), "direct"]],
  ["mentions", [mentions]],
]);

/** The conditions of all terms but `search`. Throws at the first term that the server refuses. */
export function conditions(call: HandlerCall, terms: readonly SearchTerm[]): MessageTest[] {
  const kinds = new Set<string>();
  return terms.map(({ operator, operand, negated }) => {
    const [find, kindOfOperator] = operators.get(operator) ?? [];
    if (!find || (operator === "mentions" && call.level < 446)) throw badNarrow(`unknown operator ${operator}`);
    // No message is of both kinds. Of negated terms, only `is:dm` decides the kind.
    const isDirectWord = operator === "is" && (operand === "dm" || operand === "private");
    const kind = isDirectWord ? (negated ? "channel" : "direct") : negated ? undefined : kindOfOperator;
    if (kind) kinds.add(kind);
    if (kinds.size > 1) throw badNarrow("No message can be both a channel message and direct message");
    const condition = find(call, operand);
    // The server ignores a negation of these two.
    const isUnsigned = operator === "near" || (operator === "in" && operand === "all");
    return negated && !isUnsigned ? not(condition) : condition;
  });
}

/** Returns whether the account may read messages of the channel that it never received. */
function canReadHistory({ state, caller }: HandlerCall, channel: StoredChannel): boolean {
  const { is_web_public, invite_only, is_archived, history_public_to_subscribers: shared } = channel;
  if (is_web_public || (!invite_only && !isGuest(caller))) return true;
  if (is_archived || !shared) return false;
  return isGuest(caller) ? channel.subscribers.has(caller.user_id) : hasContentAccess(state, caller, channel);
}

/** Matches the messages that the narrow includes although the account never received them. */
export function historyCondition(call: HandlerCall, terms: readonly SearchTerm[]): MessageTest {
  // Most terms with `is` are about the flags of received messages.
  if (terms.some(({ operator, operand }) => operator === "is" && operand !== "resolved")) return () => false;
  let condition: MessageTest = () => false;
  for (const { operator, operand, negated } of terms) {
    if (negated) continue;
    if (operator === "channel" || operator === "stream") {
      const found = channelOf(call, operand);
      if (found && canReadHistory(call, found)) condition = ({ stream_id }) => stream_id === found.stream_id;
    }
    if ((operator === "channels" || operator === "streams") && operand === "public" && !isGuest(call.caller)) {
      condition = inChannel(call, ({ invite_only }) => !invite_only);
    }
  }
  return condition;
}
