import { updateMessage } from "../api/messages.ts";
import { deleteTopic, getTopics } from "../api/topics.ts";
import { noun } from "../cli/noun.ts";
import { optionalOperand, requiredFlag } from "../cli/parameter.ts";
import { channelParameter, orNone, things } from "../cli/thing-parameters.ts";
import { ago, negatedOnly, path, text, toggle } from "../cli/value-parameters.ts";
import { changingVerb, readingVerb } from "../cli/verbs-with-code.ts";
import { nfc } from "../common/folding.ts";
import { trimmed } from "../notation/blanks.ts";

/** `topic list`, also called `channel topics`. */
export const topics = readingVerb({
  doc: "List the topics of channels, newest first, with the time of their newest messages",
  operation: getTopics,
  operations: ["channel.list", "messages.list"],
  operands: { channels: optionalOperand(things("channel")) },
  flags: {
    allChannels: toggle("of all channels that this account can read"),
    inactiveFor: ago("only topics without a message for this long: 180d, 12h"),
    resolved: toggle("only resolved topics"),
    unresolved: toggle("only topics that are not resolved"),
  },
  conflicts: [["resolved", "unresolved"]],
  note:
    "It costs one request for each channel, and one for each 300 topics; up to two more for a channel that the account " +
    "is not subscribed to. With -o csv, batch reads the result: " +
    "zulipctl batch old.csv -- topic resolve {channel} {topic}",
  examples: [
    "zulipctl topic list design",
    "zulipctl topic list --all-channels --unresolved --inactive-for 180d -o csv",
  ],
  run: async () => (await import("./topic/list.ts")).listTopics,
});

const topicName = (doc: string, metavar: string) => ({
  ...text(doc, metavar),
  parse: (typed: string) => nfc(trimmed(typed)),
  ifEmpty: { hint: 'The topic without a name is "general chat".' },
});

const topicOperands = { channel: channelParameter(), topic: topicName("its name", "topic") };

const notifyFlag = { notify: negatedOnly("post no notice in the topic") };

const note = "The whole topic changes at once. zulipctl first shows how many messages there are, and from whom.";

export const topicNoun = noun("Topics: rename, move, resolve and delete them", {
  list: topics,

  rename: changingVerb({
    operation: updateMessage,
    doc: "Rename a topic; if another topic has the new name, the two are merged",
    operations: ["channel.topics", "messages.list"],
    asks: "always",
    operands: { ...topicOperands, name: topicName("the new name", "new") },
    flags: notifyFlag,
    note,
    examples: ["zulipctl topic rename general 'release plan' 'release 2.0' --yes"],
    run: async () => (await import("./topic/change-topic.ts")).planTopicMove,
  }),

  move: changingVerb({
    operation: updateMessage,
    doc: "Move a topic to another channel",
    operations: ["channel.topics", "messages.list"],
    asks: "always",
    operands: topicOperands,
    flags: { toChannel: requiredFlag(channelParameter("the new channel")), ...notifyFlag },
    binds: { toChannel: "stream_id" },
    note,
    examples: ["zulipctl topic move general 'release plan' --to-channel design --yes"],
    run: async () => (await import("./topic/change-topic.ts")).planTopicMove,
  }),

  resolve: changingVerb({
    operation: updateMessage,
    doc: "Mark a topic as resolved",
    operations: ["channel.topics", "messages.list"],
    operands: topicOperands,
    examples: ["zulipctl topic resolve general 'release plan'"],
    run: async () => (await import("./topic/change-topic.ts")).planResolution(true),
  }),

  unresolve: changingVerb({
    operation: updateMessage,
    doc: "Mark a topic as unresolved",
    operations: ["channel.topics", "messages.list"],
    operands: topicOperands,
    examples: ["zulipctl topic unresolve design colours"],
    run: async () => (await import("./topic/change-topic.ts")).planResolution(false),
  }),

  delete: changingVerb({
    operation: deleteTopic,
    doc: "Delete a topic with all its messages; only administrators may",
    operations: ["channel.topics"],
    asks: "always",
    operands: topicOperands,
    flags: { keep: orNone(path("copy the messages to this new file first, a JSON object a line"), "keep no copy") },
    note,
    examples: ["zulipctl topic delete design logo --keep logo.ndjson --yes"],
    run: async () => (await import("./topic/change-topic.ts")).planTopicDeletion,
  }),
});
