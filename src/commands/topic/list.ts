/** `topic list`: the topics of channels, with the time of the newest message of each. */
import { getChannels } from "../../api/channels.ts";
import { getMessages, type NarrowTerm } from "../../api/messages.ts";
import { getTopics } from "../../api/topics.ts";
import { counted } from "../../common/counted.ts";
import { groupBy } from "../../common/group-by.ts";
import { Refused, Usage } from "../../errors.ts";
import { resolvedMark, topicText } from "../../model/topic.ts";
import { unambiguousName } from "../../notation/name.ts";
import type { Listing } from "../../output/form.ts";
import { isoOrNull, timeCell } from "../../output/when.ts";
import type { Context } from "../../run/context.ts";
import type { NamedThing } from "../../run/named-thing.ts";
import { call } from "../../wire/call.ts";

interface TopicRecord {
  /** Both as a command takes them: the topic without a name is "general chat". */
  channel: string;
  topic: string;
  /** ISO 8601. Null if the message cannot be read. */
  last_message: string | null;
  /** As the server has it. */
  name: string;
  max_id: number;
}

interface Options {
  channels?: NamedThing[] | undefined;
  allChannels?: true | undefined;
  /** Milliseconds since the epoch. */
  inactiveFor?: number | undefined;
  resolved?: true | undefined;
  unresolved?: true | undefined;
}

/** The largest number of messages in one read. */
const pageSize = 300;

const topicsOf = (stream_id: number) => ({ stream_id, allow_empty_topic_name: true });

/** Returns the channels with their names. Those that this account cannot read are left out of all channels. */
async function channelsOf(
  context: Context,
  { channels = [], allChannels }: Options,
): Promise<{ id: number; name: string }[]> {
  if (allChannels) {
    if (channels.length) throw new Usage("<channel> cannot be combined with --all-channels");
    const { streams } = await context.ask(getChannels, { include_all: true });
    return streams.map(({ stream_id, name }) => ({ id: stream_id, name }));
  }
  if (!channels.length) throw new Usage("missing argument: <channel>, or --all-channels");
  if (context.flags.dryRun) return channels.map(({ id, typed }) => ({ id, name: typed }));
  const nameOf = await context.names.nameLookup("channel");
  return channels.map(({ id, typed }) => ({ id, name: nameOf(id) ?? typed }));
}

interface Newest {
  readonly channelId: number;
  readonly max_id: number;
}

/**
 * Reads the times of messages. Without a search, servers return only what the account received; in public channels
 * and in one channel, all that it may read.
 */
async function timesOf(context: Context, all: readonly Newest[]): Promise<ReadonlyMap<number, number>> {
  const times = new Map<number, number>();
  const server = await context.server();
  const unread = () => all.filter(({ max_id }) => !times.has(max_id));
  const read = async (some: readonly Newest[], narrow?: NarrowTerm[]) => {
    const ids = some.map(({ max_id }) => max_id);
    for (let from = 0; from < ids.length; from += pageSize) {
      const message_ids = ids.slice(from, from + pageSize);
      const args = { message_ids, narrow, apply_markdown: false, allow_empty_topic_name: true };
      const { messages } = await server.call(getMessages, args, { command: context.command });
      for (const { id, timestamp } of messages) times.set(id, timestamp);
    }
  };
  await read(all);
  await read(unread(), [{ operator: "channels", operand: "public" }]);
  for (const [channel, some] of groupBy(unread(), ({ channelId }) => channelId))
    await read(some, [{ operator: "channel", operand: channel }]);
  return times;
}

export async function listTopics(context: Context, options: Options): Promise<Listing<TopicRecord>> {
  const { inactiveFor, resolved, unresolved, allChannels } = options;
  const channels = await channelsOf(context, options);
  await context.showInstead(channels.map(({ id }) => ({ ...call(getTopics, topicsOf(id)), command: context.command })));
  const server = await context.server();
  const found: (Omit<TopicRecord, "last_message"> & Newest)[] = [];
  let unreadable = 0;
  for (const { id, name: channel } of channels) {
    try {
      const { topics } = await server.call(getTopics, topicsOf(id), { command: context.command });
      for (const { name, max_id } of topics)
        if ((!resolved || name.startsWith(resolvedMark)) && !(unresolved && name.startsWith(resolvedMark)))
          found.push({ channel: unambiguousName(channel), topic: topicText(name), name, max_id, channelId: id });
    } catch (error) {
      if (!(allChannels && error instanceof Refused)) throw error;
      unreadable++;
    }
  }
  const times = await timesOf(context, found);
  const records = found.flatMap(({ channel, topic, name, max_id }): TopicRecord[] => {
    const seconds = times.get(max_id);
    // Nobody knows how old it is, so it is not shown as inactive.
    if (inactiveFor !== undefined && (seconds === undefined || seconds * 1000 >= inactiveFor)) return [];
    const last_message = isoOrNull(seconds);
    return [{ channel, topic, last_message, name, max_id }];
  });
  return {
    kind: "listing",
    records,
    id: "max_id",
    allFields: ["channel", "topic", "last_message", "name", "max_id"],
    columns: [
      ...(channels.length > 1 ? [{ head: "CHANNEL", value: ({ channel }: TopicRecord) => channel }] : []),
      { head: "TOPIC", value: ({ topic }) => topic, importance: "high" },
      { head: "LAST MESSAGE", value: ({ last_message }) => timeCell(last_message), whole: true },
      { head: "NEWEST", value: ({ max_id }) => max_id, align: "right" },
    ],
    note: unreadable ? `${counted(unreadable, "channel")} that this account cannot read left out` : undefined,
  };
}
