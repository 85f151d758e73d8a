import { getMessages, matchNarrow } from "../../api/messages.ts";
import { strip } from "../../common/folding.ts";
import type { ArgsOf } from "../../wire/operation.ts";
import { ApiError, badRequest } from "../answers.ts";
import { aList, type Decoder, fromJson, nonNegative, orNull } from "../decode.ts";
import { messageFlags, messageRecord } from "../events/messages.ts";
import { badNarrow, conditions, historyCondition } from "../narrow/conditions.ts";
import { renderMarkdown } from "../narrow/markdown.ts";
import { narrowDecoder, Search, type SearchTerm } from "../narrow/terms.ts";
import { type HandlerCall, on } from "../router.ts";
import type { StoredMessage } from "../state.ts";
import { escapeHtml } from "../text.ts";

/** The condition of a narrow, and what it shows of a match. */
function compileNarrow(call: HandlerCall, terms: readonly SearchTerm[]) {
  // "general chat" means the empty topic, but only in the first term about topics.
  const first = terms.find(({ operator }) => operator === "topic");
  const others = terms
    .filter(({ operator }) => operator !== "search")
    .map((term) => (term === first && term.operand === "general chat" ? { ...term, operand: "" } : term));
  const allConditions = conditions(call, others);
  // Several searches are one, and none of them is negated.
  const searches = terms.filter(({ operator }) => operator === "search").map(({ operand }) => operand);
  const search = searches.length ? new Search(searches.join(" ")) : undefined;
  return {
    searches: search !== undefined,
    // Only a search looks at the text as HTML, which takes the most time.
    matches: (message: StoredMessage): boolean => {
      if (!allConditions.every((condition) => condition(message))) return false;
      const { topic, content } = message;
      return !search || search.matches({ topic, content, html: renderMarkdown(call.state, content) });
    },
    highlighted: ({ topic, content }: StoredMessage): { match_content: string; match_subject: string } => {
      const html = renderMarkdown(call.state, content);
      const shown = escapeHtml(topic);
      return { match_content: search?.highlight(html) ?? html, match_subject: search?.highlight(shown) ?? shown };
    },
  };
}

/** Larger than any message's id. */
const newestAnchor = 1e16;
export const maxMessages = 5000;
const combination = "num_before, num_after, anchor, message_ids, include_anchor, use_first_unread_anchor";

/** Only one side of an excluded anchor may be requested. */
export function checkAnchor({ num_before = 0, num_after = 0, include_anchor = true }: Range): void {
  if (!include_anchor && num_before > 0 && num_after > 0) {
    throw badRequest("The anchor can only be excluded at an end of the range");
  }
}

type Range = Pick<ArgsOf<typeof getMessages>, "num_before" | "num_after" | "include_anchor">;

/** The id to look around; undefined is the first unread. */
export function anchorOf(text: string): number | undefined {
  if (text === "newest") return newestAnchor;
  if (text === "oldest") return 0;
  if (text === "first_unread") return undefined;
  const number = strip(text);
  if (!/^[+-]?\d+$/.test(number)) throw badRequest("Invalid anchor");
  return Math.min(Math.max(Number(number), 0), newestAnchor);
}

export const isDateAnchor = (anchor: string | undefined, level: number): boolean => level >= 445 && anchor === "date";

/** Dates without a time zone are in UTC. */
const isoDate = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?<zone>Z|[+-]\d\d:?\d\d)?)?$/;

function parseDate(text: string | undefined): number {
  if (text === undefined) throw badRequest("Missing 'anchor_date' argument.");
  const { zone } = isoDate.exec(text)?.groups ?? {};
  const time = isoDate.test(text) ? Date.parse(zone || text.length <= 10 ? text : `${text}Z`) : Number.NaN;
  if (Number.isNaN(time)) throw badRequest("anchor_date is not an ISO 8601 datetime string");
  return time;
}

/** The first message from the time on, or the newest one. Without messages, neither end was found. */
function rangeAt(found: readonly StoredMessage[], time: number, args: Range) {
  const anchor = (found.find(({ date_sent }) => date_sent >= time) ?? found.at(-1))?.id;
  const range = rangeAround(found, anchor ?? newestAnchor, args);
  return anchor === undefined ? { ...range, found_oldest: false, found_newest: false } : range;
}

/** The first unread message. Newer servers found the oldest one if they find none. */
function rangeAtUnread(found: readonly StoredMessage[], anchor: number, args: Range, level: number) {
  const range = rangeAround(found, anchor, args);
  return found.length === 0 && level > 442 ? { ...range, found_oldest: true } : range;
}

/** Replaces `with` by the conditions of its message's conversation. */
function resolveWith(call: HandlerCall, terms: readonly SearchTerm[]): SearchTerm[] {
  const [first, ...more] = terms.filter(({ operator }) => operator === "with");
  if (!first) return [...terms];
  if (more.length > 0) {
    const desc = "Duplicate 'with' operators.";
    throw new ApiError(400, "BAD_NARROW", `Invalid narrow operator combination: ${desc}`, { desc });
  }
  const { state, caller } = call;
  const others = terms.filter(({ operator }) => operator !== "with");
  const rest = others.filter(({ operator }) => !["channel", "stream", "topic", "dm"].includes(operator));
  const message = state.messages.get(Number(first.operand));
  if (!message?.received.has(caller.user_id)) {
    // If other terms name the conversation, the message is only a hint.
    if (rest.length < others.length) return others;
    throw badNarrow("Invalid 'with' operator");
  }
  const term = (operator: string, operand: SearchTerm["operand"]): SearchTerm => ({
    operator,
    operand,
    negated: false,
  });
  if (message.stream_id === null) return [...rest, term("dm", message.recipients)];
  return [...rest, term("channel", message.stream_id), term("topic", message.topic)];
}

/** A range around the anchor, as the server cuts it. */
export function rangeAround(found: readonly StoredMessage[], anchor: number, args: Range) {
  const { num_before = 0, num_after = 0, include_anchor = true } = args;
  const [fromOldest, fromNewest] = [anchor === 0, anchor >= newestAnchor];
  const before = fromOldest || num_before === 0 ? [] : found.filter(({ id }) => id < anchor).slice(-num_before);
  const after = fromNewest ? [] : found.filter(({ id }) => id > anchor).slice(0, num_after);
  const hasNeighbors = (!fromOldest && num_before > 0) || (!fromNewest && num_after > 0);
  const atAnchor = include_anchor || !hasNeighbors ? found.filter(({ id }) => id === anchor) : [];
  return {
    messages: [...before, ...atAnchor, ...after],
    found_anchor: !fromNewest && atAnchor.length === 1,
    found_oldest: fromOldest || before.length < num_before,
    found_newest: fromNewest || after.length < num_after,
    history_limited: false,
    anchor,
  };
}

/** The messages that an account finds by a narrow, the oldest first. With ids, only these. */
export function search(call: HandlerCall, narrow: readonly SearchTerm[], ids?: readonly number[] | null) {
  const { state, caller } = call;
  const terms = resolveWith(call, narrow);
  const { searches, matches, highlighted } = compileNarrow(call, terms);
  const isInHistory = historyCondition(call, terms);
  const selectedIds = ids && new Set(ids);
  const messages: StoredMessage[] = [];
  for (const message of state.messages.values()) {
    if (selectedIds && !selectedIds.has(message.id)) continue;
    if (!message.received.has(caller.user_id) && !isInHistory(message)) continue;
    if (matches(message)) messages.push(message);
  }
  return {
    messages,
    firstUnread: () =>
      messages.find(({ received }) => received.get(caller.user_id)?.has("read") === false)?.id ?? newestAnchor,
    /** Additional members for a search. */
    shown: (message: StoredMessage): object => (searches ? highlighted(message) : {}),
  };
}

export const narrowOrNull: Decoder<SearchTerm[] | null> = (text, name, level) =>
  text.trim() === "null" ? null : narrowDecoder(text, name, level);

export const messageRoutes = [
  on(matchNarrow, { decode: { narrow: narrowDecoder } }, (call, args) => {
    const { state, caller } = call;
    const { matches, highlighted } = compileNarrow(call, args.narrow);
    const messages: Record<string, object> = {};
    for (const id of args.msg_ids) {
      const message = state.messages.get(id);
      // Only received messages count, not all that the account can read.
      if (message?.received.has(caller.user_id) && matches(message)) messages[id] = highlighted(message);
    }
    return { messages };
  }),

  on(
    getMessages,
    {
      decode: {
        num_before: fromJson(nonNegative),
        num_after: fromJson(nonNegative),
        narrow: narrowOrNull,
        message_ids: fromJson(orNull(aList(nonNegative))),
      },
    },
    (call, args) => {
      const { num_before = 0, num_after = 0, include_anchor = true, message_ids, anchor } = args;
      const hasRange = anchor !== undefined || num_before > 0 || num_after > 0 || !include_anchor;
      if (message_ids && hasRange) {
        throw badRequest(`Unsupported parameter combination: ${combination}`, { parameters: combination });
      }
      if (!message_ids && anchor === undefined) throw badRequest("Missing 'anchor' argument.");
      checkAnchor(args);
      const time = isDateAnchor(anchor, call.level) ? parseDate(args.anchor_date) : undefined;
      const id = anchor === undefined || time !== undefined ? undefined : anchorOf(anchor);
      if (num_before + num_after > maxMessages)
        throw badRequest(`Too many messages requested (maximum ${maxMessages}).`);
      const { messages: found, firstUnread, shown } = search(call, args.narrow ?? [], message_ids);
      const nothing = { found_anchor: false, found_oldest: false, found_newest: false, history_limited: false };
      const rangeOf = () => {
        if (message_ids) return { messages: found, ...nothing };
        if (time !== undefined) return rangeAt(found, time, args);
        if (id !== undefined) return rangeAround(found, id, args);
        return rangeAtUnread(found, firstUnread(), args, call.level);
      };
      const range = rangeOf();
      const options = {
        markdown: args.apply_markdown ?? true,
        clientGravatar: args.client_gravatar ?? true,
        emptyTopic: args.allow_empty_topic_name ?? false,
      };
      return {
        ...range,
        messages: range.messages.map((message) => ({
          ...messageRecord(call, message, { ...options, flags: messageFlags(message, call.caller) }),
          ...shown(message),
        })),
      };
    },
  ),
];
