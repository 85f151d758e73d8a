/** What each term of a narrow asks of a message, for one account. */

import { upper } from "../../folding.ts";
import { Broken } from "../answers.ts";
import { channelNamed } from "../new-channel.ts";
import { type Message, topicKey } from "../state.ts";
import { render } from "./markdown.ts";
import { type Asking, badNarrow, person, shown, userId } from "./people.ts";
import type { Operand, Term } from "./terms.ts";

export type Condition = (message: Message) => boolean;

const isDirect: Condition = ({ stream_id }) => stream_id === null;
const isGroup: Condition = ({ stream_id, recipients }) => stream_id === null && recipients.length > 2;

const flagged =
  (
    { caller }: Asking,
    ...flags: ("starred" | "mentioned" | "wildcard_mentioned" | "has_alert_word" | "read")[]
  ): Condition =>
  ({ received }) =>
    flags.some((flag) => received.get(caller.user_id)!.has(flag));

const policy =
  ({ caller }: Asking) =>
  ({ stream_id, topic }: Message) =>
    stream_id === null ? undefined : caller.topic_policies.get(topicKey(stream_id, topic));

/** Not in a muted channel or topic; an unmuted or followed topic of a muted channel is not muted. */
function unmuted(asking: Asking): Condition {
  const { state, caller } = asking;
  return (message) => {
    if (message.stream_id === null) return true;
    const kind = policy(asking)(message);
    if (kind) return kind !== "muted";
    const here = state.channels.get(message.stream_id)!.subscribers.has(caller.user_id);
    return !(here && caller.muted_channels.has(message.stream_id));
  };
}

interface Known {
  since?: number;
  condition(asking: Asking): Condition;
}

const isWords: Record<string, Known> = {
  dm: { since: 177, condition: () => isDirect },
  private: { condition: () => isDirect },
  starred: { condition: (asking) => flagged(asking, "starred") },
  unread: { condition: (asking) => (message) => !flagged(asking, "read")(message) },
  mentioned: { condition: (asking) => flagged(asking, "mentioned", "wildcard_mentioned") },
  alerted: { condition: (asking) => flagged(asking, "has_alert_word") },
  resolved: {
    condition:
      () =>
      ({ stream_id, topic }) =>
        stream_id !== null && topic.startsWith("✔ "),
  },
  followed: { since: 265, condition: (asking) => (message) => policy(asking)(message) === "followed" },
  muted: { since: 366, condition: (asking) => (message) => !unmuted(asking)(message) },
};

const images = /href="[^"]*\.(?:png|jpe?g|gif|webp|bmp|tiff?|avif)"/i;

const hasWords: Record<string, Known> = {
  attachment: {
    condition:
      ({ state }) =>
      ({ id }) =>
        [...state.attachments.values()].some((each) => each.message_ids.includes(id)),
  },
  image: {
    condition:
      ({ state }) =>
      ({ content }) =>
        images.test(render(state, content)),
  },
  link: {
    condition:
      ({ state }) =>
      ({ content }) =>
        /<a href=/.test(render(state, content)),
  },
  reaction: {
    since: 249,
    condition:
      () =>
      ({ reactions }) =>
        reactions.length > 0,
  },
};

const inWords: Record<string, Known> = {
  home: { condition: unmuted },
  all: { condition: () => () => true },
};

const channelsWords: Record<string, Known> = {
  public: {
    condition:
      ({ state }) =>
      ({ stream_id }) =>
        stream_id !== null && !state.channels.get(stream_id)!.invite_only,
  },
  "web-public": {
    condition:
      ({ state }) =>
      ({ stream_id }) => {
        if (stream_id === null) return false;
        const { is_web_public, is_archived } = state.channels.get(stream_id)!;
        // What is archived is open to the web no longer, whatever its setting says.
        return is_web_public && !is_archived;
      },
  },
};

const word =
  (known: Record<string, Known>, unknown: string) =>
  (asking: Asking, operand: Operand): Condition => {
    const found = Object.hasOwn(known, String(operand)) ? known[String(operand)]! : undefined;
    if (!found || asking.level < (found.since ?? 0)) throw badNarrow(`unknown ${unknown} operand ${shown(operand)}`);
    return found.condition(asking);
  };

function channel({ state, level }: Asking, operand: Operand): Condition {
  const found = typeof operand === "string" ? channelNamed(state, operand) : state.channels.get(Number(operand));
  if (!found) throw badNarrow(`unknown ${level < 255 ? "stream" : "channel"} ${shown(operand)}`);
  return ({ stream_id }) => stream_id === found.stream_id;
}

function topic({ level }: Asking, operand: Operand): Condition {
  const wanted = upper(String(operand));
  return (message) => message.stream_id !== null && upper(message.topic) === wanted && (level >= 334 || wanted !== "");
}

/** The conversation of exactly these people and the caller. */
function conversation(asking: Asking, operand: Operand): Condition {
  const items = typeof operand === "string" ? operand.split(",") : (operand as (number | bigint | boolean)[]);
  const ids = items.map((item) => userId(asking, item));
  if (ids.some((id) => id === undefined)) throw badNarrow(`unknown user in ${shown(operand)}`);
  if (!ids.length) return () => false;
  const everybody = new Set([...(ids as number[]), asking.caller.user_id]);
  return ({ stream_id, recipients }) =>
    stream_id === null && recipients.length === everybody.size && recipients.every((id) => everybody.has(id));
}

function including(asking: Asking, operand: Operand): Condition {
  const id = person(asking, operand);
  return (message) => isDirect(message) && message.recipients.includes(id);
}

function groupIncluding(asking: Asking, operand: Operand): Condition {
  const id = person(asking, operand);
  return (message) => isGroup(message) && message.recipients.includes(id);
}

const largestId = 2 ** 31 - 1;

function messageId(operand: Operand): Condition {
  const text = shown(operand);
  // Digits of other scripts pass for digits, and then the database breaks.
  if (/^\p{Nd}*[\p{Nd}²³¹]+\p{Nd}*$/u.test(text) && !/^\d+$/.test(text)) throw new Broken();
  if (!/^\d+$/.test(text) || Number(text) > largestId) throw badNarrow("Invalid message ID");
  return ({ id }) => id === Number(text);
}

/** Mentioned by name; who did not receive the message has no flag that says so. */
function mentions(asking: Asking, operand: Operand): Condition {
  const id = person(asking, operand);
  const sign = `class="user-mention" data-user-id="${id}"`;
  return ({ content }) => render(asking.state, content).includes(sign);
}

interface Operator {
  since?: number;
  /** Whether such terms can only hold for channel messages, or only for direct ones. */
  kind?: "channel" | "direct";
  /** The server takes no notice of a negation. */
  unsigned?: true;
  condition(asking: Asking, operand: Operand): Condition;
}

const sender = (asking: Asking, operand: Operand): Condition => {
  const id = person(asking, operand);
  return ({ sender_id }) => sender_id === id;
};
const channelsOf: Operator = {
  kind: "channel",
  condition: (asking, operand) => word(channelsWords, asking.level < 255 ? "streams" : "channels")(asking, operand),
};

const operators: Record<string, Operator> = {
  has: { condition: word(hasWords, "'has'") },
  in: { condition: word(inWords, "'in'") },
  is: { condition: word(isWords, "'is'") },
  channel: { since: 250, kind: "channel", condition: channel },
  stream: { kind: "channel", condition: channel },
  channels: { ...channelsOf, since: 250 },
  streams: channelsOf,
  topic: { kind: "channel", condition: topic },
  sender: { condition: sender },
  near: { unsigned: true, condition: () => () => true },
  id: { condition: (_, operand) => messageId(operand) },
  dm: { since: 177, kind: "direct", condition: conversation },
  "pm-with": { kind: "direct", condition: conversation },
  pm_with: { kind: "direct", condition: conversation },
  "dm-including": { since: 177, kind: "direct", condition: including },
  "group-pm-with": { kind: "direct", condition: groupIncluding },
  group_pm_with: { kind: "direct", condition: groupIncluding },
  mentions: { since: 446, condition: mentions },
};

/** Channel messages have a channel and direct ones have none: a term that can hold for one kind alone says which. */
function kindOf({ operator, operand, negated }: Term): "channel" | "direct" | undefined {
  // Of negated terms only this one counts.
  if (operator === "is" && (operand === "dm" || operand === "private")) return negated ? "channel" : "direct";
  return negated ? undefined : operators[operator]!.kind;
}

/** All terms but those of a search; throws at the first that the server refuses. */
export function conditions(asking: Asking, terms: readonly Term[]): Condition[] {
  const kinds = new Set<string>();
  return terms.map((term) => {
    const { operator, operand, negated } = term;
    const found = Object.hasOwn(operators, operator) ? operators[operator]! : undefined;
    if (!found || asking.level < (found.since ?? 0)) throw badNarrow(`unknown operator ${operator}`);
    const kind = kindOf(term);
    if (kind) kinds.add(kind);
    if (kinds.size > 1) throw badNarrow("No message can be both a channel message and direct message");
    const condition = found.condition(asking, operand);
    const turned = negated && !found.unsigned && !(operator === "in" && operand === "all");
    return turned ? (message) => !condition(message) : condition;
  });
}
