/** Changes whole topics: finds the messages first, then sends one request. */
import { type Message, updateMessage } from "../../api/messages.ts";
import { deletedTopic, deleteTopic, getTopics } from "../../api/topics.ts";
import { counted } from "../../common/counted.ts";
import { nfc } from "../../common/folding.ts";
import { commandLine } from "../../common/shell-words.ts";
import { type Change, change } from "../../engine/change.ts";
import { Usage, undefinedOnFailure } from "../../errors.ts";
import { runsOfIds } from "../../model/id-runs.ts";
import { foldTopic, resolvedMark, topicText } from "../../model/topic.ts";
import { parseTopic } from "../../notation/message.ts";
import { currentValuesOf } from "../../resolve/current-values.ts";
import type { Context, Plan } from "../../run/context.ts";
import type { NamedThing } from "../../run/named-thing.ts";
import { checkCopy, messagesSummary, saveCopy } from "../messages/messages-summary.ts";
import { searchAll } from "../messages/search.ts";

interface Topic {
  channel: NamedThing;
  topic: string;
}

export const topicMessages = (context: Context, channel: number, topic: string, limit?: number): Promise<Message[]> =>
  searchAll(context, {
    narrow: [
      { operator: "channel", operand: channel },
      { operator: "topic", operand: topic },
    ],
    limit,
  });

interface TopicPlace {
  readonly topic: string;
  readonly stream_id: number;
}

/** Returns where a topic is when earlier rows of the run are done. */
export function placeOf(context: Context, { id, subject, stream_id }: Message): TopicPlace {
  const set = currentValuesOf(context).setEarlier(`message ${id}`);
  return { topic: String(set.get("topic") ?? subject), stream_id: Number(set.get("stream_id") ?? stream_id) };
}

async function topicNames({ server }: Context, stream_id: number): Promise<string[] | undefined> {
  const to = await server();
  const answer = await undefinedOnFailure(to.lookUp(getTopics, { stream_id, allow_empty_topic_name: true }));
  return answer?.topics.map(({ name }) => name);
}

async function notFound(context: Context, { channel, topic }: Topic, known?: readonly string[]): Promise<Usage> {
  const [part] = topic.toLowerCase().match(/[\p{L}\p{N}]{3,}/u) ?? [];
  const similar = (known ?? (await topicNames(context, channel.id)) ?? []).filter(
    (name) => part && name.toLowerCase().includes(part),
  );
  return new Usage(`<topic>: topic "${topic}" not found in channel "${channel.typed}", or not visible`, {
    hint: similar.length
      ? `Did you mean: ${similar.slice(0, 5).join(", ")}?`
      : `List topics with: ${commandLine(["topic", "list", channel.typed])}`,
  });
}

/** Returns the server's spelling of a topic. Throws `Usage` if the channel has none of this name. */
async function spellingOf(context: Context, typed: Topic): Promise<string> {
  const names = (await topicNames(context, typed.channel.id)) ?? [];
  const found = names.find((name) => nfc(name) !== name && isSameName(name, typed.topic));
  if (found === undefined) throw await notFound(context, typed, names);
  return found;
}

/** Finds and shows all messages of a topic. Throws `Usage` if there are none. */
async function findTopic(context: Context, typed: Topic): Promise<{ messages: Message[]; newest: Message }> {
  let messages = await topicMessages(context, typed.channel.id, typed.topic);
  if (!messages.length) messages = await topicMessages(context, typed.channel.id, await spellingOf(context, typed));
  const newest = messages.at(-1);
  if (!newest) throw await notFound(context, typed);
  const { quiet, yes } = context.flags;
  if (context.line === undefined && !(quiet && yes))
    for (const line of messagesSummary(messages)) await context.warn(line);
  return { messages, newest };
}

/** The largest number of messages of a topic whose ids the log keeps. */
export const mostKept = 5000;

const verifyCommand = (channel: NamedThing) => `zulipctl topic list ${channel.id}`;

const isSameName = (one: string, other: string): boolean => foldTopic(one) === foldTopic(other);

/** Moves the whole topic of a message. */
const moveChange = (
  newest: Message,
  to: { channel: NamedThing; topic?: string | undefined; notify?: boolean | undefined },
  done: string,
  { from, moved, stream_id }: { from: TopicPlace; moved: readonly Message[]; stream_id: number },
): Change => {
  const isKept = moved.length > 0 && moved.length <= mostKept;
  return change(
    updateMessage,
    {
      message_id: newest.id,
      topic: to.topic,
      stream_id: stream_id === from.stream_id ? undefined : stream_id,
      propagate_mode: "change_all",
      send_notification_to_old_thread: false,
      send_notification_to_new_thread: to.notify !== false,
    },
    {
      target: topicText(newest.subject),
      done,
      words: { to: topicText(to.topic ?? ""), channel: to.channel.typed },
      verifyWith: verifyCommand(to.channel),
      ...(isKept && { before: { ...from, message_ids: runsOfIds(moved.map(({ id }) => id)) } }),
      moved: { channel: from.stream_id, topic: from.topic, count: moved.length || undefined },
    },
  );
};

const describe = (messages: readonly Message[], { channel, topic }: Topic): string =>
  `topic "${topicText(topic)}" (${counted(messages.length, "message")}) of channel "${channel.typed}"`;

/** Returns whether earlier rows of the run move the newest message of a topic. */
const isMovedEarlier = (newest: Message, { topic, stream_id }: TopicPlace): boolean =>
  topic !== newest.subject || stream_id !== newest.stream_id;

/** The result of an unchanged topic. If only an earlier row made it so, and fails, the change is sent. */
const unchanged = (change: Change, reliesOnEarlier: boolean): Plan => ({
  changes: [{ ...change, unchanged: true, ...(reliesOnEarlier && { reliesOnEarlier }) }],
});

/** Renames a topic, or moves it to another channel. */
export async function planTopicMove(
  context: Context,
  values: Topic & { name?: string; toChannel?: NamedThing; notify: boolean | undefined },
): Promise<Plan> {
  const { channel, toChannel = channel, name, notify } = values;
  const topic = name === undefined ? undefined : parseTopic(name, "<new>");
  const { messages, newest } = await findTopic(context, values);
  const from = placeOf(context, newest);
  const [done, question] =
    topic === undefined
      ? [
          'Moved topic {target} to channel "{channel}".',
          `Move ${describe(messages, values)} to channel "${toChannel.typed}"`,
        ]
      : ['Renamed topic {target} to "{to}".', `Rename ${describe(messages, values)} to "${topicText(topic)}"`];
  const place = { topic: topic ?? from.topic, stream_id: values.toChannel?.id ?? from.stream_id };
  const to = { channel: toChannel, topic, notify };
  const move = moveChange(newest, to, done, { from, moved: messages, stream_id: place.stream_id });
  if (place.stream_id === from.stream_id && place.topic === from.topic)
    return unchanged(move, isMovedEarlier(newest, from));
  return { changes: [{ ...move, confirm: { question } }] };
}

/** Returns the newest message of the first existing topic. */
async function newestOf(context: Context, typed: Topic, names: readonly string[]): Promise<Message> {
  for (const name of names) {
    const [newest] = await topicMessages(context, typed.channel.id, name, 1);
    if (newest) return newest;
  }
  throw await notFound(context, typed);
}

export const planResolution =
  (resolved: boolean) =>
  async (context: Context, typed: Topic): Promise<Plan> => {
    const plain = typed.topic.startsWith(resolvedMark) ? typed.topic.slice(resolvedMark.length) : typed.topic;
    const names = [plain, resolvedMark + plain];
    const newest = await newestOf(context, typed, resolved ? names : names.toReversed());
    const done = resolved ? "Resolved topic {target}." : "Unresolved topic {target}.";
    const from = placeOf(context, newest);
    const isUnchanged = from.topic.startsWith(resolvedMark) === resolved;
    const topic = isUnchanged
      ? from.topic
      : resolved
        ? resolvedMark + from.topic
        : from.topic.slice(resolvedMark.length);
    // A server would cut the name and lose the old one.
    const isKept = !isUnchanged && !context.flags.dryRun && (await (await context.server()).keepsPrevious());
    // Earlier rows have not been sent yet.
    const moved = isKept ? await topicMessages(context, typed.channel.id, newest.subject, mostKept + 1) : [];
    const to = { channel: typed.channel, topic: parseTopic(topic, "<topic>") };
    const move = moveChange(newest, to, done, { from, moved, stream_id: from.stream_id });
    return isUnchanged ? unchanged(move, isMovedEarlier(newest, from)) : { changes: [move] };
  };

export async function planTopicDeletion(
  context: Context,
  { keep, ...typed }: Topic & { keep: string | false | undefined },
): Promise<Plan> {
  const { channel, topic } = typed;
  if (typeof keep === "string" && context.line !== undefined) throw new Usage("--keep is not allowed in a batch");
  const { messages, newest } = await findTopic(context, typed);
  if (context.line === undefined) checkCopy(context, keep, messages.length);
  // A server answers that the deletion of a topic without messages was successful.
  if (isMovedEarlier(newest, placeOf(context, newest)))
    throw new Usage(`<topic>: an earlier row moves topic "${topicText(newest.subject)}"`);
  const confirm = { question: `Delete ${describe(messages, typed)}` };
  const args = { stream_id: channel.id, topic_name: newest.subject };
  const isDeleted = currentValuesOf(context).setEarlier(deletedTopic(args)).size > 0;
  const deletion = change(deleteTopic, args, {
    target: topicText(topic),
    done: "Deleted topic {target}.",
    verifyWith: verifyCommand(channel),
    deleted: messages.length,
  });
  if (isDeleted) return unchanged({ ...deletion, already: "Topic {target} is deleted already." }, true);
  return {
    changes: [{ ...deletion, confirm }],
    ...(typeof keep === "string" && { prepare: () => saveCopy(context.world, keep, messages) }),
  };
}
