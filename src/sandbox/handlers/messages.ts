import { getMessages, matchNarrow } from "../../api/messages.ts";
import { strip } from "../../folding.ts";
import type { ArgsOf } from "../../wire/operation.ts";
import { ApiError, refused } from "../answers.ts";
import { aList, type Decoder, fromJson, natural, orNull } from "../decode.ts";
import { flagsOf, messageRecord } from "../events/messages.ts";
import { badNarrow, conditions, historyOpened } from "../narrow/conditions.ts";
import { render } from "../narrow/markdown.ts";
import { narrow, Search, type Term } from "../narrow/terms.ts";
import { type Call, on } from "../router.ts";
import type { Message } from "../state.ts";

const escapeTopic = (topic: string): string =>
  topic
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");

/** The name that people see of the empty topic means it, in the first term about topics alone. */
function emptyTopic(terms: readonly Term[]): Term[] {
  const first = terms.find(({ operator }) => operator === "topic");
  return terms.map((term) => (term === first && term.operand === "general chat" ? { ...term, operand: "" } : term));
}

interface Marked {
  match_content: string;
  match_subject: string;
}

/** The condition of a narrow, and what it shows of a match. */
function narrowing(call: Call, given: readonly Term[]) {
  const terms = emptyTopic(given);
  const all = conditions(
    call,
    terms.filter(({ operator }) => operator !== "search"),
  );
  const asked = terms.filter(({ operator }) => operator === "search").map(({ operand }) => operand);
  // Several searches are one, and none of them is negated.
  const search = asked.length ? new Search(asked.join(" ")) : undefined;
  return {
    searches: search !== undefined,
    // Only a search looks at the text as HTML, which takes the most time of all.
    fits: (message: Message): boolean => {
      if (!all.every((condition) => condition(message))) return false;
      const { topic, content } = message;
      return !search || search.matches({ topic, content, html: render(call.state, content) });
    },
    marked: ({ topic, content }: Message): Marked => {
      const html = render(call.state, content);
      const shown = escapeTopic(topic);
      return { match_content: search?.highlight(html) ?? html, match_subject: search?.highlight(shown) ?? shown };
    },
  };
}

/** Larger than any message's id. */
const newest = 1e16;
export const most = 5000;
const combination = "num_before, num_after, anchor, message_ids, include_anchor, use_first_unread_anchor";

type Args = Omit<ArgsOf<typeof getMessages>, "narrow"> & { narrow?: Term[] | null | undefined };

/** The id to look around; undefined is the first unread. */
export function anchorOf(text: string): number | undefined {
  if (text === "newest") return newest;
  if (text === "oldest") return 0;
  if (text === "first_unread") return undefined;
  const number = strip(text);
  if (!/^[+-]?\d+$/.test(number)) throw refused("Invalid anchor");
  return Math.min(Math.max(Number(number), 0), newest);
}

/** Replaces `with` by the conditions of its message's conversation. */
function resolveWith(call: Call, terms: readonly Term[]): Term[] {
  const [first, ...more] = terms.filter(({ operator }) => operator === "with");
  if (!first) return [...terms];
  if (more.length > 0) {
    const desc = "Duplicate 'with' operators.";
    throw new ApiError(400, "BAD_NARROW", `Invalid narrow operator combination: ${desc}`, { desc });
  }
  const { state, caller } = call;
  const others = terms.filter(({ operator }) => operator !== "with");
  const message = state.messages.get(Number(first.operand));
  if (!message?.received.has(caller.user_id)) {
    // If the conversation is given too, the message is only a hint.
    if (others.some(({ operator }) => ["channel", "stream", "topic", "dm"].includes(operator))) return others;
    throw badNarrow("Invalid 'with' operator");
  }
  const rest = others.filter(({ operator }) => !["channel", "stream", "topic", "dm"].includes(operator));
  const term = (operator: string, operand: Term["operand"]): Term => ({ operator, operand, negated: false });
  if (message.stream_id === null) return [...rest, term("dm", message.recipients)];
  return [...rest, term("channel", message.stream_id), term("topic", message.topic)];
}

/** A range around the anchor, as the server cuts it. */
export function around(
  found: readonly Message[],
  anchor: number,
  args: Pick<Args, "num_before" | "num_after" | "include_anchor">,
) {
  const { num_before: before = 0, num_after: after = 0, include_anchor: include = true } = args;
  const [left, right] = [anchor === 0, anchor >= newest];
  const wantsBefore = !left && before > 0;
  const wantsAfter = !right && after > 0;
  const older = found.filter(({ id }) => id < anchor);
  const newer = found.filter(({ id }) => id > anchor);
  const at = found.filter(({ id }) => id === anchor);
  const shownAt = include || !(wantsBefore || wantsAfter) ? at : [];
  const shownBefore = wantsBefore ? older.slice(-before) : [];
  const shownAfter = wantsAfter ? newer.slice(0, after) : [];
  return {
    messages: [...shownBefore, ...shownAt, ...shownAfter],
    found_anchor: !right && shownAt.length === 1,
    found_oldest: left || shownBefore.length < before,
    found_newest: right || shownAfter.length < after,
    history_limited: false,
    anchor,
  };
}

/** The messages that an account finds by a narrow, the oldest first; of these ids alone, where there are any. */
export function search(call: Call, given: readonly Term[], ids?: readonly number[] | null) {
  const { state, caller } = call;
  const terms = resolveWith(call, given);
  const { searches, fits, marked } = narrowing(call, terms);
  const shared = historyOpened(call, terms);
  const chosen = ids && new Set(ids);
  const messages: Message[] = [];
  for (const message of state.messages.values()) {
    if (chosen && !chosen.has(message.id)) continue;
    if (!message.received.has(caller.user_id) && !shared(message)) continue;
    if (fits(message)) messages.push(message);
  }
  return {
    messages,
    firstUnread: () =>
      messages.find(({ received }) => received.get(caller.user_id)?.has("read") === false)?.id ?? newest,
    /** Additional members for a search. */
    shown: (message: Message): object => (searches ? marked(message) : {}),
  };
}

function list(call: Call, args: Args): object {
  const { caller } = call;
  const { num_before = 0, num_after = 0, include_anchor = true, message_ids, apply_markdown = true } = args;
  const around_ = args.anchor !== undefined || num_before > 0 || num_after > 0 || !include_anchor;
  if (message_ids && around_) {
    throw refused(`Unsupported parameter combination: ${combination}`, { parameters: combination });
  }
  const { anchor = "" } = args;
  if (!message_ids && args.anchor === undefined) throw refused("Missing 'anchor' argument.");
  if (!include_anchor && num_before > 0 && num_after > 0) {
    throw refused("The anchor can only be excluded at an end of the range");
  }
  const asked = message_ids ? undefined : anchorOf(anchor);
  if (num_before + num_after > most) throw refused(`Too many messages requested (maximum ${most}).`);
  const { messages: found, firstUnread, shown } = search(call, args.narrow ?? [], message_ids);
  const range = message_ids
    ? { messages: found, found_anchor: false, found_oldest: false, found_newest: false, history_limited: false }
    : around(found, asked ?? firstUnread(), args);
  const wanted = {
    markdown: apply_markdown,
    clientGravatar: args.client_gravatar ?? true,
    emptyTopic: args.allow_empty_topic_name ?? false,
  };
  return {
    ...range,
    messages: range.messages.map((message) => ({
      ...messageRecord(call, message, { ...wanted, flags: flagsOf(message, caller) }),
      ...shown(message),
    })),
  };
}

export const narrowOrNull: Decoder<Term[] | null> = (text, name, level) =>
  text.trim() === "null" ? null : narrow(text, name, level);

const decode = {
  num_before: fromJson(natural),
  num_after: fromJson(natural),
  narrow: narrowOrNull,
  message_ids: fromJson(orNull(aList(natural))),
};

export const messageRoutes = [
  on(matchNarrow, { decode: { narrow } }, (call, args) => {
    const { state, caller } = call;
    const { fits, marked } = narrowing(call, args.narrow);
    const messages: Record<string, Marked> = {};
    for (const id of args.msg_ids) {
      const message = state.messages.get(id);
      // Only what the account received counts, not what it could read.
      if (message?.received.has(caller.user_id) && fits(message)) messages[id] = marked(message);
    }
    return { messages };
  }),

  on(
    getMessages,
    {
      decode,
    },
    list,
  ),
];
