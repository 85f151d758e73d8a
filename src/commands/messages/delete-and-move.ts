/** What `messages delete` and `messages move` change. */

import { deleteMessage, updateMessage } from "../../api/messages.ts";
import type { FlagValues } from "../../cli/parameter.ts";
import { counted } from "../../common/counted.ts";
import { type Allowed, change } from "../../engine/change.ts";
import { topicText } from "../../model/topic.ts";
import { parseTopic } from "../../notation/message.ts";
import { programLine } from "../../output/line.ts";
import type { ArgsOf } from "../../wire/operation.ts";
import { type Bulk, type BulkOptions, bulkActions, type MessagePermission } from "./bulk.ts";
import type { moveFlags } from "./flags.ts";
import { conversationOf } from "./messages-summary.ts";

const words = (message_id: number, done: string) => ({
  target: String(message_id),
  done,
  verifyWith: `zulipctl messages show ${message_id}`,
});

export const deleteActions = bulkActions(
  (_: BulkOptions): Bulk<ArgsOf<typeof deleteMessage>> => ({
    kind: "messages delete",
    deletes: true,
    argsOf: (messages) => messages.map(({ id: message_id }) => ({ message_id })),
    rowArgs: (message_id) => ({ message_id }),
    changeOf: (args) => change(deleteMessage, args, words(args.message_id, "Deleted message {target}.")),
    question: (count) => ({ question: `Delete ${counted(count, "message")}` }),
    permissions: [
      {
        channel: "can_delete_any_message_group",
        organization: "can_delete_any_message_group",
        action: "delete messages of others",
        includesOwn: false,
      },
    ],
  }),
);

const topicPermission: MessagePermission = {
  channel: "can_move_messages_within_channel_group",
  organization: "can_move_messages_between_topics_group",
  action: "move messages to other topics",
  includesOwn: true,
};

const channelPermission: MessagePermission = {
  channel: "can_move_messages_out_of_channel_group",
  organization: "can_move_messages_between_channels_group",
  action: "move messages to other channels",
  includesOwn: true,
};

type MoveOptions = FlagValues<typeof moveFlags> & Allowed;

function moveOf({ toTopic, toChannel: channel, notify }: MoveOptions): Bulk<ArgsOf<typeof updateMessage>> {
  const topic = toTopic === undefined ? undefined : parseTopic(toTopic, "--to-topic");
  const to = [channel && `channel ${channel.typed}`, topic !== undefined && `topic "${topicText(topic)}"`].filter(
    Boolean,
  );
  const rowArgs = (message_id: number) => ({
    message_id,
    topic,
    stream_id: channel?.id,
    propagate_mode: "change_one" as const,
    send_notification_to_old_thread: false,
    send_notification_to_new_thread: notify === true,
  });
  return {
    kind: "messages move",
    rowArgs,
    async argsOf(messages, { warn }) {
      const direct = messages.filter(({ stream_id }) => stream_id === undefined).length;
      if (direct) await warn(programLine(`${counted(direct, "direct message")} skipped: they cannot be moved`));
      const notified = new Set<string>();
      return messages.flatMap((message) => {
        // Servers move a message even into its own channel, so the channel is left out.
        const stream_id = channel?.id === message.stream_id ? undefined : channel?.id;
        const newTopic = topic === message.subject ? undefined : topic;
        if (message.stream_id === undefined || (stream_id === undefined && newTopic === undefined)) return [];
        // One notice for each topic, not for each message.
        const isFirst = !notified.has(conversationOf(message));
        notified.add(conversationOf(message));
        const args = rowArgs(message.id);
        return [{ ...args, topic: newTopic, stream_id, send_notification_to_new_thread: notify === true && isFirst }];
      });
    },
    changeOf: (args, message) => ({
      ...change(updateMessage, args, words(args.message_id, "Moved message {target}.")),
      ...(message && { before: { topic: message.subject, stream_id: message.stream_id } }),
    }),
    question: (count) => ({
      question: [`Move ${counted(count, "message")}`, to.join(", ")].filter(Boolean).join(" to "),
    }),
    permissions: [
      ...(topic === undefined ? [] : [topicPermission]),
      ...(channel === undefined ? [] : [channelPermission]),
    ],
  };
}

export const moveActions = bulkActions(moveOf);
