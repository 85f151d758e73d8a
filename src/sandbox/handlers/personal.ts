/** Drafts, and the tokens of devices. */
import { createDrafts, type Draft as Given, getDrafts, removeDraft, updateDraft } from "../../api/drafts.ts";
import { addApnsToken, removeApnsToken } from "../../api/push.ts";
import { strip, stripRight } from "../../folding.ts";
import { hasContentAccess } from "../access.ts";
import { ApiError, Broken, refused } from "../answers.ts";
import { aList, anInteger, aString, type Check, type Decoder, Float, fromJson, isObject, member } from "../decode.ts";
import { send } from "../events/queue.ts";
import { cut, lastSecond } from "../message-text.ts";
import type { Draft } from "../personal.ts";
import { type Call, on } from "../router.ts";
import { nextId, type User } from "../state.ts";
import { lengthOf } from "../text.ts";

export const draftRecord = ({ user_id: _, timestamp, ...draft }: Draft): object => ({
  ...draft,
  timestamp: Math.floor(timestamp),
});

const members = ["type", "to", "topic", "content", "timestamp"];

const aType: Check<Given["type"]> = (value, path) => {
  if (value !== "" && value !== "stream" && value !== "private") throw refused(`Invalid ${path}`);
  return value;
};

const aContent: Check<string> = (value, path) => {
  const text = strip(aString(value, path));
  if (text === "") throw refused(`${path} cannot be blank`);
  return text;
};

/** Whole or not; of the two types the server reports the failure of the whole number. */
const aTimestamp: Check<number | null> = (value, path) =>
  value === null ? null : value instanceof Float ? value.value : Number(anInteger(value, `${path}["int"]`));

const aDraft: Check<Given> = (value, path) => {
  if (!isObject(value)) throw refused(`Invalid ${path}: Input should be a valid dictionary or instance of DraftData`);
  const draft = {
    type: member(value, "type", path, aType),
    to: member(value, "to", path, aList(anInteger)),
    topic: member(value, "topic", path, aString),
    content: member(value, "content", path, aContent),
    timestamp: value.timestamp === undefined ? null : aTimestamp(value.timestamp, `${path}["timestamp"]`),
  };
  const stray = Object.keys(value).find((name) => !members.includes(name));
  if (stray !== undefined) throw refused(`Argument "${stray}" at ${path}["${stray}"] is unexpected`);
  return draft;
};

/** Fractions are kept for the order of the list, and cut where they are shown. */
function seconds({ now }: Call, timestamp: number | null | undefined): number {
  if (timestamp === null || timestamp === undefined) return now / 1000;
  // The server rounds to microseconds first, so that a tiny negative fraction passes.
  if (Math.round(timestamp * 1e6) < 0) throw refused("Timestamp must not be negative.");
  if (!(timestamp <= lastSecond)) throw new Broken();
  return Math.max(0, timestamp);
}

function checkChannel({ state, caller }: Call, id: number): void {
  const channel = state.channels.get(id);
  if (!channel || channel.is_archived || !hasContentAccess(state, caller, channel)) throw refused("Invalid channel ID");
}

/** The other participants, as the server keeps them: without the caller, except alone. */
function participants({ state, caller }: Call, ids: readonly number[]): number[] {
  // The server names one in the order of its set. The lowest is likely.
  const unknown = [...ids].sort((a, b) => Number(a) - Number(b)).find((id) => !state.users.has(id));
  if (unknown !== undefined) throw refused(`Invalid user ID ${unknown}`);
  const gone = ids.flatMap((id) => state.users.get(id) ?? []).find(({ is_active }) => !is_active);
  if (gone) throw refused(`'${gone.delivery_email}' is no longer using Zulip.`);
  const others = [...new Set(ids)].filter((id) => id !== caller.user_id).sort((a, b) => a - b);
  return others.length === 0 && ids.length > 0 ? [caller.user_id] : others;
}

function further(call: Call, { type, to, topic, content, timestamp }: Given): Omit<Draft, "id" | "user_id"> {
  if (content.includes("\0")) throw refused("Message must not contain null bytes");
  const common = {
    content: cut(stripRight(content), 10_000, "\n[message truncated]"),
    timestamp: seconds(call, timestamp),
  };
  if (type === "stream") {
    const kept = cut(topic, 60, "...");
    if (kept.includes("\0")) throw refused("Topic must not contain null bytes");
    const [channel, ...others] = to;
    if (channel === undefined || others.length > 0) {
      throw refused("Must specify exactly 1 channel ID for channel messages");
    }
    checkChannel(call, channel);
    return { type, to: [...to], topic: kept, ...common };
  }
  const people = type === "private" ? participants(call, to) : [];
  return { type: people.length > 0 ? "private" : "", to: people, topic: "", ...common };
}

const unsynchronized = ({ enable_drafts_synchronization }: User) => {
  if (!enable_drafts_synchronization) throw refused("User has disabled synchronizing drafts.");
};

function own({ state, caller }: Call, id: number): Draft {
  const draft = state.drafts.get(id);
  if (draft?.user_id !== caller.user_id) throw new ApiError(404, "BAD_REQUEST", "Draft does not exist");
  return draft;
}

const appid: Decoder<string> = (text, name) => {
  if (!/^[a-zA-Z0-9.-]+$/.test(text)) throw refused(`${name} has invalid format`);
  return text;
};

/** Python's lenient base64: other characters of ASCII are skipped, and what follows whole padding is not read. */
function isBase64(token: string): boolean {
  if (/[^\x00-\x7f]/.test(token)) return false;
  let digits = 0;
  let padding = 0;
  for (const character of token) {
    if (character === "=") {
      padding += 1;
      if (digits % 4 >= 2 && (digits % 4) + padding >= 4) return true;
    } else if (/[A-Za-z0-9+/]/.test(character)) {
      digits += 1;
      padding = 0;
    }
  }
  return digits % 4 === 0;
}
const isHexadecimal = (token: string): boolean => token.length % 2 === 0 && /^[0-9a-fA-F]*$/.test(token);

function checkApns(token: string, level: number): void {
  if (token === "" || lengthOf(token) > 4096) throw refused("Empty or invalid length token");
  // The level at which hexadecimal became the rule is not known; 371 wants base64.
  if (!(level > 371 ? isHexadecimal(token) : isBase64(token))) throw refused("Invalid APNS token");
}

export const personalRoutes = [
  on(createDrafts, { unless: unsynchronized, decode: { drafts: fromJson(aList(aDraft)) } }, (call, { drafts }) => {
    // All or none: every draft is judged before any is made.
    const ready = drafts.map((draft) => further(call, draft));
    const { state, caller } = call;
    const made = ready.map((draft) => ({ id: nextId(state, "draft"), user_id: caller.user_id, ...draft }));
    for (const draft of made) state.drafts.set(draft.id, draft);
    send(call, { type: "drafts", op: "add", drafts: made.map(draftRecord) }, [caller]);
    return { ids: made.map(({ id }) => id) };
  }),

  on(getDrafts, { unless: unsynchronized, silent: true }, ({ state, caller }) => {
    const drafts = [...state.drafts.values()]
      .filter(({ user_id }) => user_id === caller.user_id)
      .sort((a, b) => a.timestamp - b.timestamp || a.id - b.id)
      .map(draftRecord);
    return { count: drafts.length, drafts };
  }),

  on(updateDraft, { unless: unsynchronized, decode: { draft: fromJson(aDraft) } }, (call, { draft_id, draft }) => {
    const { state, caller } = call;
    const kept = own(call, draft_id);
    const changed = { ...kept, ...further(call, draft) };
    state.drafts.set(draft_id, changed);
    send(call, { type: "drafts", op: "update", draft: draftRecord(changed) }, [caller]);
  }),

  on(removeDraft, { unless: unsynchronized, silent: true }, (call, { draft_id }) => {
    own(call, draft_id);
    call.state.drafts.delete(draft_id);
    send(call, { type: "drafts", op: "remove", draft_id }, [call.caller]);
  }),

  on(
    addApnsToken,
    {
      who: "human",
      order: (level) => (level > 371 ? ["appid", "token"] : ["token", "appid"]),
      decode: { appid },
    },
    ({ caller, level }, { token }) => {
      checkApns(token, level);
      // The database refuses NUL, which nothing catches.
      if (token.includes("\0")) throw new Broken();
      caller.push_tokens.add(token);
    },
  ),

  on(removeApnsToken, { who: "human" }, ({ caller, level }, { token }) => {
    checkApns(token, level);
    // A token that is not the caller's is none.
    if (!caller.push_tokens.delete(token)) throw refused("Token does not exist");
  }),
];
