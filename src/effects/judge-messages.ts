/** Judges what happens to messages: deleted, shown to more people, joined with another topic. */
import { counted } from "../common/counted.ts";
import { groupBy } from "../common/group-by.ts";
import { isActivePerson, roles } from "../model/person.ts";
import { foldTopic, topicText } from "../model/topic.ts";
import type { Judging, Occurrence } from "./judging.ts";
import type { AccountNow, MessageCount } from "./present.ts";

/** The largest number of topics and messages that are read for counts. */
const mostReads = 100;

const countText = ({ count, isMore }: MessageCount): string =>
  isMore ? `more than ${counted(count, "message")}` : counted(count, "message");

const sentence = "This cannot be undone.";

function judgeDeletions(judging: Judging): void {
  for (const { n } of judging.of("delete message")) {
    judging.deletions.push({ n, count: 1, isMore: false });
    judging.add(n, {
      kind: "messages_deleted",
      text: "deletes it",
      sentence,
      messages: 1,
      irreversible: true,
      asks: true,
    });
  }
}

async function judgeDeletedTopics(judging: Judging): Promise<void> {
  for (const [at, { n, impact }] of judging.of("delete topic").entries()) {
    const { deleted } = judging.subjects[n] ?? {};
    const { shows, counts } = judging.depth;
    const reads = (shows || (counts && deleted === undefined)) && at < mostReads;
    const found = reads
      ? await judging.read(() => judging.present.messagesIn(impact.channel, impact.topic), {
          what: `how many messages topic "${topicText(impact.topic)}" has`,
          changes: [n],
        })
      : undefined;
    const { count, isMore } = found ?? { count: deleted ?? 0, isMore: false };
    judging.deletions.push({ n, count, isMore });
    judging.add(n, {
      kind: "messages_deleted",
      text: found ? `deletes ${countText(found)}` : "deletes all its messages",
      sentence,
      ...(found && { messages: found.count }),
      irreversible: true,
      asks: true,
    });
  }
}

interface Topic {
  readonly channel: number;
  readonly topic: string;
}

/** Messages that move from one topic to another. */
interface TopicMove {
  readonly n: number;
  readonly from: Topic;
  readonly to: Topic;
  readonly isWhole: boolean;
  /** Undefined if it is not known yet. */
  readonly count: number | undefined;
}

/** Returns where the messages are, and where they go. Direct messages cannot move. */
async function movesOf(judging: Judging, all: readonly Occurrence<"move">[]): Promise<TopicMove[]> {
  const moves: TopicMove[] = [];
  let reads = 0;
  for (const { n, impact } of all) {
    const { moved } = judging.subjects[n] ?? {};
    if (!moved && reads === mostReads)
      judging.unread.push({ what: "where all these messages are", reason: "they are too many", changes: [n] });
    if (!moved && ++reads > mostReads) continue;
    const found = moved
      ? { stream_id: moved.channel, subject: moved.topic }
      : await judging.read(() => judging.present.message(impact.message), {
          what: `where message ${impact.message} is`,
          changes: [n],
        });
    if (found?.stream_id === undefined) continue;
    const from = { channel: found.stream_id, topic: found.subject };
    const to = { channel: impact.channel ?? from.channel, topic: impact.topic ?? from.topic };
    const isWhole = impact.mode === "change_all";
    moves.push({ n, from, to, isWhole, count: moved?.count ?? (impact.mode === "change_one" ? 1 : undefined) });
  }
  return moves;
}

interface Readers {
  readonly isPublic: boolean;
  readonly isOnline: boolean;
  readonly people: ReadonlySet<number>;
}

/** Returns who can read a channel. Guests read only what they are subscribed to. */
async function readersOf({ present }: Judging, id: number, accounts: readonly AccountNow[]): Promise<Readers> {
  const channel = (await present.channels()).get(id);
  const isPublic = channel !== undefined && !channel.invite_only;
  const isOnline = channel?.is_web_public === true;
  const inside = new Set(isOnline ? [] : await present.members("channel subscribers", id));
  const can = ({ user_id, role }: AccountNow) => isOnline || inside.has(user_id) || (isPublic && role !== roles.guest);
  return { isPublic, isOnline, people: new Set(accounts.filter(can).map(({ user_id }) => user_id)) };
}

async function judgeReaders(judging: Judging, moves: readonly TopicMove[], counts: Counter): Promise<void> {
  const between = groupBy(
    moves.filter(({ from, to }) => from.channel !== to.channel),
    ({ from, to }) => `${from.channel} ${to.channel}`,
  );
  for (const some of between.values()) {
    const [{ n, from, to }] = some;
    const changes = some.map((move) => move.n);
    const found = await judging.read(
      async () => {
        const accounts = [...(await judging.present.accounts()).values()].filter(isActivePerson);
        const [before, after] = [
          await readersOf(judging, from.channel, accounts),
          await readersOf(judging, to.channel, accounts),
        ];
        const name = (await judging.present.channels()).get(to.channel)?.name ?? String(to.channel);
        const more = accounts.filter(({ user_id }) => after.people.has(user_id) && !before.people.has(user_id));
        return { before, after, name, more };
      },
      { what: "who can read the messages then", changes },
    );
    const isHarmless = found && !found.more.length && (!found.after.isOnline || found.before.isOnline);
    if (isHarmless) continue;
    const messages = await counts.ofMoves(some);
    const { count } = messages;
    const text = countText(messages);
    if (!found) {
      judging.add(n, {
        kind: "messages_opened",
        text: `may let more people read ${text}`,
        messages: count,
        asks: true,
      });
      continue;
    }
    const { before, after, name, more } = found;
    const isOnline = after.isOnline && !before.isOnline;
    const guests = more.filter(({ role }) => role === roles.guest).length;
    const whom = [
      `${counted(more.length, "person", "people")} more`,
      guests && `${counted(guests, "guest")} among them`,
      isOnline && "and everyone on the internet",
    ].filter(Boolean);
    judging.add(n, {
      kind: "messages_opened",
      text: more.length
        ? `lets everyone who reads #${name} read ${text}: ${whom.join(", ")}`
        : `lets everyone on the internet read ${text} in #${name}`,
      people: more.length,
      who: more.map(({ user_id }) => user_id),
      messages: count,
      asks: true,
    });
  }
}

/** A topic that is there. `moved`: the messages of a topic that only this run makes, if they were counted. */
interface Known {
  readonly name: string;
  readonly moved?: MessageCount | undefined;
}

async function judgeJoined(judging: Judging, moves: readonly TopicMove[], counts: Counter): Promise<void> {
  /** By channel, its topics while the run goes on, by their folded names. */
  const topics = new Map<number, Map<string, Known>>();
  const topicsOf = async (channel: number, n: number) => {
    const known = topics.get(channel);
    if (known) return known;
    const names = await judging.read(() => judging.present.topics(channel), {
      what: "which topics the channel has",
      changes: [n],
    });
    const found = new Map<string, Known>((names ?? []).map((name) => [foldTopic(name), { name }]));
    topics.set(channel, found);
    return found;
  };
  for (const some of groupBy(moves, ({ from, to }) => JSON.stringify([from, to])).values()) {
    const [{ n, from, to, isWhole }] = some;
    const [source, target] = [foldTopic(from.topic), foldTopic(to.topic)];
    if (from.channel === to.channel && source === target) continue;
    const there = await topicsOf(to.channel, n);
    const existing = there.get(target);
    if (existing) {
      const moved = await counts.ofMoves(some);
      const others = existing.moved ?? (await counts.ofTopic(to.channel, existing.name, n));
      const other = others ? `${others.isMore ? "more than " : ""}${others.count} of` : "those of";
      const names = [from.topic, existing.name].map((name) => `"${topicText(name)}"`);
      judging.add(n, {
        kind: "topics_joined",
        text: `joins ${countText(moved)} of ${names[0]} with ${other} ${names[1]}; only undo of this run takes them apart`,
        messages: moved.count,
        asks: true,
      });
    } else there.set(target, { name: to.topic, moved: counts.known(some) });
    if (isWhole) topics.get(from.channel)?.delete(source);
  }
}

/** Returns a function that counts the messages of moves. Each topic is counted once, and only if an effect needs it. */
function counter(judging: Judging) {
  const counts = new Map<string, MessageCount | undefined>();
  const ofTopic = async (channel: number, topic: string, n: number): Promise<MessageCount | undefined> => {
    const key = JSON.stringify([channel, foldTopic(topic)]);
    if (!counts.has(key) && counts.size < mostReads)
      counts.set(
        key,
        await judging.read(() => judging.present.messagesIn(channel, topic), {
          what: `how many messages topic "${topicText(topic)}" has`,
          changes: [n],
        }),
      );
    return counts.get(key);
  };
  const ofMoves = async (moves: readonly TopicMove[]): Promise<MessageCount> => {
    let count = 0;
    let isMore = false;
    for (const { n, from, count: known } of moves) {
      const found = known === undefined ? await ofTopic(from.channel, from.topic, n) : { count: known, isMore: false };
      count += found?.count ?? 1;
      isMore ||= found?.isMore ?? true;
    }
    return { count, isMore };
  };
  /** Returns the number of messages without a read. */
  const known = (moves: readonly TopicMove[]): MessageCount | undefined =>
    moves.every(({ count }) => count !== undefined)
      ? { count: moves.reduce((sum, { count = 0 }) => sum + count, 0), isMore: false }
      : undefined;
  return { ofTopic, ofMoves, known };
}

type Counter = ReturnType<typeof counter>;

export async function judgeMessages(judging: Judging): Promise<void> {
  judgeDeletions(judging);
  await judgeDeletedTopics(judging);
  const all = judging.of("move");
  if (!all.length || !judging.asks) return;
  const moves = await movesOf(judging, all);
  const counts = counter(judging);
  await judgeReaders(judging, moves, counts);
  await judgeJoined(judging, moves, counts);
}
