/** Scheduled messages. They are stored and never sent. */
import * as api from "../../api/scheduled.ts";
import { badRequest, InternalError, requireFound } from "../answers.ts";
import { fromJson, impossibleValue } from "../decode.ts";
import { sendEvent } from "../events/queue.ts";
import { lastSecond } from "../message-text.ts";
import { renderMarkdown } from "../narrow/markdown.ts";
import { ownedBy, ownThing } from "../personal.ts";
import { type HandlerCall, on } from "../router.ts";
import { nextId, type SandboxState } from "../state.ts";
import type { ScheduledMessage } from "../stored-personal.ts";
import { othersOrCaller } from "./personal.ts";
import { checkMessage, messageTypes } from "./sending.ts";

/** A channel or people. The server reports a failure of the channel. */
const to = fromJson((value): number | number[] => {
  if (typeof value === "number") return value;
  if (Array.isArray(value) && value.every((each) => typeof each === "number")) return value;
  throw badRequest('to["int"] is not an integer');
});

const rules = {
  order: ["type", "to", "content", "scheduled_delivery_timestamp", "topic"],
  decode: { type: (text: string) => requireFound(messageTypes.get(text), impossibleValue("type")), to },
} as const;

const scheduledRecord = (state: SandboxState, message: ScheduledMessage): object => {
  const { id, channel, people, topic, content, timestamp } = message;
  return {
    scheduled_message_id: id,
    to: channel ?? people,
    type: channel === null ? "private" : "stream",
    content,
    rendered_content: renderMarkdown(state, content),
    ...(channel !== null && { topic }),
    scheduled_delivery_timestamp: timestamp,
    failed: false,
  };
};

const messageOfCaller = ({ state, caller }: HandlerCall, id: number): ScheduledMessage =>
  ownThing(state.scheduled, caller, id, "Scheduled message");

function checkTime({ now }: HandlerCall, timestamp: number): void {
  if (timestamp > lastSecond) throw new InternalError();
  if (timestamp * 1000 <= now) throw badRequest("Scheduled delivery time must be in the future.");
}

interface MessageValues {
  type: "channel" | "direct";
  to: number | readonly number[];
  topic: string | undefined;
  content: string;
}

/** Checks that the caller may send the message now. */
function checkScheduled(call: HandlerCall, { type, to, topic, content }: MessageValues) {
  if (type === "channel" && Array.isArray(to)) throw badRequest("Invalid data type for channel ID");
  if (type === "direct" && !Array.isArray(to)) throw badRequest("Invalid data type for recipients");
  const message = checkMessage(call, { to, topic, content });
  return "channel" in message
    ? { channel: message.channel.stream_id, people: [], topic: message.topic, content: message.content }
    : { channel: null, people: othersOrCaller(call, message.people), topic: "", content: message.content };
}

export const scheduledRoutes = [
  on(api.getScheduledMessages, { silent: true }, ({ state, caller }) => ({
    scheduled_messages: ownedBy(state.scheduled, caller).map((message) => scheduledRecord(state, message)),
  })),

  on(api.scheduleMessage, rules, (call, { scheduled_delivery_timestamp: timestamp, type, to, topic, content }) => {
    const { state, caller } = call;
    checkTime(call, timestamp);
    const message = checkScheduled(call, { type, to, topic, content });
    const id = nextId(state, "scheduled");
    const scheduled = { id, user_id: caller.user_id, ...message, timestamp };
    state.scheduled.set(id, scheduled);
    const records = [scheduledRecord(state, scheduled)];
    sendEvent(call, { type: "scheduled_messages", op: "add", scheduled_messages: records }, [caller]);
    return { scheduled_message_id: id };
  }),

  on(
    api.updateScheduledMessage,
    rules,
    (call, { scheduled_message_id: id, scheduled_delivery_timestamp: timestamp, type, to, topic, content }) => {
      const { state, caller } = call;
      if ([type, to, topic, content, timestamp].every((each) => each === undefined))
        throw badRequest("Nothing to change");
      if (type !== undefined && to === undefined)
        throw badRequest("Recipient required when updating type of scheduled message.");
      if (type === "channel" && topic === undefined)
        throw badRequest("Topic required when updating scheduled message type to channel.");
      if (timestamp !== undefined) checkTime(call, timestamp);
      const before = messageOfCaller(call, id);
      const message = checkScheduled(call, {
        type: type ?? (before.channel === null ? "direct" : "channel"),
        to: to ?? before.channel ?? before.people,
        topic: topic ?? before.topic,
        content: content ?? before.content,
      });
      const after = { ...before, ...message, timestamp: timestamp ?? before.timestamp };
      state.scheduled.set(id, after);
      const updated = scheduledRecord(state, after);
      sendEvent(call, { type: "scheduled_messages", op: "update", scheduled_message: updated }, [caller]);
    },
  ),

  on(api.removeScheduledMessage, { silent: true }, (call, { scheduled_message_id }) => {
    messageOfCaller(call, scheduled_message_id);
    call.state.scheduled.delete(scheduled_message_id);
    sendEvent(call, { type: "scheduled_messages", op: "remove", scheduled_message_id }, [call.caller]);
  }),
];
