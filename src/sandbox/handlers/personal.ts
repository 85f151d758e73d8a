/** Drafts, and tokens of devices for push notifications. */
import { createDrafts, type Draft as DraftArgs, getDrafts, removeDraft, updateDraft } from "../../api/drafts.ts";
import { addApnsToken, removeApnsToken } from "../../api/push.ts";
import { strip, stripRight } from "../../common/folding.ts";
import { readableChannel } from "../access.ts";
import { badRequest, InternalError } from "../answers.ts";
import * as decode from "../decode.ts";
import { sendEvent } from "../events/queue.ts";
import { lastSecond, truncateWith } from "../message-text.ts";
import { ownedBy, ownThing } from "../personal.ts";
import { type HandlerCall, on } from "../router.ts";
import { nextId, visibleEmail } from "../state.ts";
import type { StoredDraft } from "../stored-personal.ts";
import { checkStorable, lengthOf } from "../text.ts";

export const draftRecord = ({ user_id: _, timestamp, ...draft }: StoredDraft): object => ({
  ...draft,
  timestamp: Math.floor(timestamp),
});

const aType = decode.anyOf(["", "stream", "private"] as const);

const aContent: decode.Check<string> = (value, path) => {
  const text = strip(decode.aString(value, path));
  if (text === "") throw badRequest(`${path} cannot be blank`);
  return text;
};

/** An integer or a float. The server reports a failure of the integer. */
const aTimestamp: decode.Check<number | null> = (value, path) =>
  value === null
    ? null
    : value instanceof decode.Float
      ? value.value
      : Number(decode.anInteger(value, `${path}["int"]`));

const aDraft: decode.Check<DraftArgs> = (value, path) => {
  const data = decode.instanceOf("DraftData")(value, path);
  const draft = {
    type: decode.requiredMember(data, "type", path, aType),
    to: decode.requiredMember(data, "to", path, decode.aList(decode.anInteger)),
    topic: decode.requiredMember(data, "topic", path, decode.aString),
    content: decode.requiredMember(data, "content", path, aContent),
    timestamp: aTimestamp(data.timestamp ?? null, `${path}["timestamp"]`),
  };
  const unexpected = Object.keys(data).find((name) => !Object.hasOwn(draft, name));
  if (unexpected !== undefined) throw badRequest(`Argument "${unexpected}" at ${path}["${unexpected}"] is unexpected`);
  return draft;
};

/** Fractions are stored for the order of the list, and not shown. */
function seconds({ now }: HandlerCall, timestamp: number | null | undefined): number {
  if (timestamp === null || timestamp === undefined) return now / 1000;
  // The server rounds to microseconds first, so that a tiny negative fraction passes.
  if (Math.round(timestamp * 1e6) < 0) throw badRequest("Timestamp must not be negative.");
  if (!(timestamp <= lastSecond)) throw new InternalError();
  return Math.max(0, timestamp);
}

/** The recipients without the caller, unless nobody else is left. */
export function othersOrCaller({ caller }: HandlerCall, ids: readonly number[]): number[] {
  const others = [...new Set(ids)].filter((id) => id !== caller.user_id).sort((a, b) => a - b);
  return others.length === 0 && ids.length > 0 ? [caller.user_id] : others;
}

function checkRecipients({ state }: HandlerCall, ids: readonly number[]): void {
  // The server names one in the order of its set. The lowest is likely.
  const unknown = [...ids].sort((a, b) => Number(a) - Number(b)).find((id) => !state.users.has(id));
  if (unknown !== undefined) throw badRequest(`Invalid user ID ${unknown}`);
  const deactivated = ids.flatMap((id) => state.users.get(id) ?? []).find(({ is_active }) => !is_active);
  if (deactivated) throw badRequest(`'${visibleEmail(state, deactivated)}' is no longer using Zulip.`);
}

function checkDraft(
  call: HandlerCall,
  { type, to, topic, content, timestamp }: DraftArgs,
): Omit<StoredDraft, "id" | "user_id"> {
  if (content.includes("\0")) throw badRequest("Message must not contain null bytes");
  const common = {
    content: truncateWith(stripRight(content), 10_000, "\n[message truncated]"),
    timestamp: seconds(call, timestamp),
  };
  if (type === "stream") {
    const cutTopic = truncateWith(topic, 60, "...");
    if (cutTopic.includes("\0")) throw badRequest("Topic must not contain null bytes");
    const [channel, ...others] = to;
    if (channel === undefined || others.length > 0) {
      throw badRequest("Must specify exactly 1 channel ID for channel messages");
    }
    readableChannel(call, call.state.channels.get(channel));
    return { type, to: [...to], topic: cutTopic, ...common };
  }
  if (type === "private") checkRecipients(call, to);
  const people = type === "private" ? othersOrCaller(call, to) : [];
  return { type: people.length > 0 ? "private" : "", to: people, topic: "", ...common };
}

const synchronized = {
  precheck: ({ caller }: HandlerCall) => {
    if (!caller.enable_drafts_synchronization) throw badRequest("User has disabled synchronizing drafts.");
  },
};

const draftOfCaller = ({ state, caller }: HandlerCall, id: number): StoredDraft =>
  ownThing(state.drafts, caller, id, "Draft");

const appid: decode.Decoder<string> = (text, name) => {
  if (!/^[a-zA-Z0-9.-]+$/.test(text)) throw badRequest(`${name} has invalid format`);
  return text;
};

/** Python's lenient base64. It skips other ASCII characters and early padding, and ends at complete padding. */
const isBase64 = (token: string): boolean =>
  !/[^\x00-\x7f]/.test(token) &&
  /^(?:(?:=*[^=]){4})*=*(?:$|[^=]=*[^=](?:==|=?[^=]=))/.test(token.replace(/[^A-Za-z0-9+/=]/g, ""));
const isHexadecimal = (token: string): boolean => token.length % 2 === 0 && /^[0-9a-fA-F]*$/.test(token);

function checkApns(token: string, level: number): void {
  if (token === "" || lengthOf(token) > 4096) throw badRequest("Empty or invalid length token");
  // The level at which hexadecimal became the rule is not known; 371 wants base64.
  if (!(level > 371 ? isHexadecimal(token) : isBase64(token))) throw badRequest("Invalid APNS token");
}

export const personalRoutes = [
  on(
    createDrafts,
    { ...synchronized, decode: { drafts: decode.fromJson(decode.aList(aDraft)) } },
    (call, { drafts }) => {
      const { state, caller } = call;
      // All or none: every draft is checked before any is stored.
      const checked = drafts.map((draft) => checkDraft(call, draft));
      const created = checked.map((draft) => ({ id: nextId(state, "draft"), user_id: caller.user_id, ...draft }));
      for (const draft of created) state.drafts.set(draft.id, draft);
      sendEvent(call, { type: "drafts", op: "add", drafts: created.map(draftRecord) }, [caller]);
      return { ids: created.map(({ id }) => id) };
    },
  ),

  on(getDrafts, { ...synchronized, silent: true }, ({ state, caller }) => {
    const drafts = ownedBy(state.drafts, caller).map(draftRecord);
    return { count: drafts.length, drafts };
  }),

  on(updateDraft, { ...synchronized, decode: { draft: decode.fromJson(aDraft) } }, (call, { draft_id, draft }) => {
    const updated = { ...draftOfCaller(call, draft_id), ...checkDraft(call, draft) };
    call.state.drafts.set(draft_id, updated);
    sendEvent(call, { type: "drafts", op: "update", draft: draftRecord(updated) }, [call.caller]);
  }),

  on(removeDraft, { ...synchronized, silent: true }, (call, { draft_id }) => {
    draftOfCaller(call, draft_id);
    call.state.drafts.delete(draft_id);
    sendEvent(call, { type: "drafts", op: "remove", draft_id }, [call.caller]);
  }),

  on(addApnsToken, { who: "human", decode: { appid } }, ({ caller, level }, { token }) => {
    checkApns(token, level);
    checkStorable(token);
    caller.push_tokens.add(token);
  }),

  on(removeApnsToken, { who: "human" }, ({ caller, level }, { token }) => {
    checkApns(token, level);
    // Tokens of other accounts do not count.
    if (!caller.push_tokens.delete(token)) throw badRequest("Token does not exist");
  }),
];
