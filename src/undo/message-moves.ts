/** Moves messages back to their old topics: exactly those that the run moved, as far as the log has their ids. */
import { type Message, updateMessage } from "../api/messages.ts";
import { counted } from "../common/counted.ts";
import type { Change } from "../engine/change.ts";
import type { LogEntry } from "../log/change-log.ts";
import { resolvedMark, topicText } from "../model/topic.ts";
import { moveNeeds } from "../permissions/needs.ts";
import { type BackValue, changeOf, type Item, left } from "./item.ts";
import { messageKey } from "./later-changes.ts";
import { isNotice } from "./later-content.ts";
import { isSameTopic, movedIds, type Place, placeAfter, placeBefore } from "./move-parts.ts";
import { moveRefusal } from "./move-refusals.ts";
import { gone } from "./reasons.ts";
import type { State } from "./state.ts";
import type { Thing } from "./thing.ts";

/** The largest number of messages of a topic that are compared. */
const mostCompared = 5000;

/** The largest number of messages that are looked for one by one. */
const mostSought = 100;

const messagesIn = (state: State, { stream_id, topic }: Place) =>
  state.messagesWith(
    [
      { operator: "channel", operand: Number(stream_id) },
      { operator: "topic", operand: String(topic) },
    ],
    mostCompared,
  );

type Found = Pick<Message, "subject" | "stream_id">;

/** The run changed the spelling of the topic alone. */
const isRespelled = (entry: LogEntry): boolean => {
  const [before, after] = [placeBefore(entry), placeAfter(entry)];
  return before.stream_id === after.stream_id && isSameTopic(before.topic, after.topic);
};

/** Returns whether messages are in a place. Topics that differ in case alone are one, unless the run respelled it. */
const placesOf = (entry: LogEntry) => {
  const isExact = isRespelled(entry);
  const isAt = (place: Place) => (message: Place) =>
    message.stream_id === place.stream_id &&
    (isExact ? message.topic === place.topic : isSameTopic(message.topic, place.topic));
  return { isBack: isAt(placeBefore(entry)), isThere: isAt(placeAfter(entry)) };
};

const placeOf = ({ subject, stream_id }: Found): Place => ({ topic: subject, stream_id });

/** Whether a message was written since a moment, in milliseconds. Servers count seconds. */
const isSince = (timestamp: number, moment: number): boolean => timestamp >= Math.floor(moment / 1000);

/** Returns whether a topic of the old name is there. */
async function isTaken(state: State, entry: LogEntry): Promise<boolean> {
  const { topic, stream_id } = placeBefore(entry);
  const hasName = (name: string) => isSameTopic(name, topic);
  return !isRespelled(entry) && (await state.topics(Number(stream_id))).some(hasName);
}

/** Returns what the move takes, and why servers refuse it. */
async function rulesOf(state: State, entry: LogEntry, messages: readonly Pick<Message, "timestamp">[]) {
  const [before, after] = [placeBefore(entry), placeAfter(entry)];
  const [from, to] = [Number(after.stream_id), Number(before.stream_id)];
  const isNewTopic = !isRespelled(entry) && !(await isTaken(state, entry));
  const topic = before.topic === after.topic ? undefined : isMark(after.topic, before.topic) ? "mark" : "renamed";
  const place = { from, to, topic, isNewTopic } as const;
  const needs = moveNeeds(place, { level: await state.level() });
  if (from !== to && !(await state.channels()).has(to))
    return { needs, refusal: { kind: "conflict", says: "its old channel is gone, or not visible" } as const };
  const says = await moveRefusal(state, { ...place, name: String(before.topic), messages });
  return { needs, refusal: says === undefined ? undefined : ({ kind: "impossible", says } as const) };
}

/** Returns whether two topics differ in the mark of resolved topics alone. */
const isMark = (one: unknown, other: unknown): boolean =>
  one === `${resolvedMark}${other}` || other === `${resolvedMark}${one}`;

/** Returns the changes that move messages back, and how the plan shows them. */
function movedBack(thing: Thing, entry: LogEntry, ids: readonly number[], isWhole: boolean): Item {
  const { from = {} } = entry;
  const after = placeAfter(entry);
  const values: BackValue[] = [
    { name: "topic", now: topicText(String(after.topic)), back: topicText(String(from.topic)) },
    { name: "channel", of: "channel", now: after.stream_id, back: from.stream_id },
  ];
  const place = {
    ...(after.topic !== from.topic && { topic: from.topic }),
    ...(after.stream_id !== from.stream_id && { stream_id: from.stream_id }),
  };
  const quiet = { send_notification_to_old_thread: false, send_notification_to_new_thread: false };
  const says = "moved back";
  const anchor = Number(entry.at?.message_id);
  const changes = (isWhole ? [ids.includes(anchor) ? anchor : (ids[0] ?? anchor)] : ids).map((id): Change => {
    const args = { message_id: id, ...place, propagate_mode: isWhole ? "change_all" : "change_one", ...quiet };
    const kept = isWhole && from.message_ids !== undefined ? { message_ids: from.message_ids } : {};
    const before = { topic: after.topic, stream_id: after.stream_id, ...kept };
    const channel = Number(after.stream_id);
    const moved = { channel, topic: String(after.topic), count: isWhole ? ids.length : 1 };
    return changeOf(thing, { operation: updateMessage, args, says }, { before, moved });
  });
  return { ...thing, sign: "~", says, values: values.filter(({ now, back }) => now !== back), changes };
}

/** Looks for messages that are not in the topic. Returns those that are there all the same, and why the others stay. */
async function seek(state: State, entry: LogEntry, ids: readonly number[]) {
  const { isBack, isThere } = placesOf(entry);
  const there: number[] = [];
  const reasons: string[] = [];
  const back = ids.length > 1 ? await messagesIn(state, placeBefore(entry)) : undefined;
  const known = new Set(back?.filter((message) => isBack(placeOf(message))).map(({ id }) => id));
  const sought = ids.filter((id) => !known.has(id));
  for (const id of sought.slice(0, mostSought)) {
    const message = await state.message(id);
    if (!message) reasons.push(gone);
    else if (isThere(placeOf(message))) there.push(id);
    else if (!isBack(placeOf(message))) reasons.push(`it is in topic "${topicText(message.subject)}" now`);
  }
  return { there, reasons: [...reasons, ...sought.slice(mostSought).map(() => gone)] };
}

/** Returns what to say of messages that are neither where the run put them nor where they were. */
function notThere(thing: Thing, entry: LogEntry, ids: readonly number[], reasons: readonly string[]): Item[] {
  const [why] = reasons;
  const several = `${counted(reasons.length, "message")} of it: gone, or in another topic now`;
  return why === undefined ? [] : [left(thing, entry, "conflict", ids.length === 1 ? why : several)];
}

/** Returns the messages that are where the run put them, and why others do not go back. */
async function locate(state: State, entry: LogEntry, ids: readonly number[], here: readonly Message[]) {
  const inTopic = new Set(here.map(({ id }) => id));
  const { there, reasons } = await seek(
    state,
    entry,
    ids.filter((id) => !inTopic.has(id)),
  );
  const sought = new Set(there);
  return { present: ids.filter((id) => inTopic.has(id) || sought.has(id)).sort((one, other) => one - other), reasons };
}

/** Returns whether only notices are left, which the server wrote about moves of these runs: they would be a topic of their own. */
function areOwnNotices({ logged }: State, present: readonly number[], here: readonly Message[]): boolean {
  const began = Date.parse(logged.entries[0]?.time ?? "");
  const notices = here.filter((message) => isNotice(message) && isSince(message.timestamp, began));
  const ids = new Set(notices.map(({ id }) => id));
  return present.every((id) => ids.has(id));
}

/** Divides messages into those that go back, and those that a later run moved, with what to say of them. */
function withoutLater({ logged }: State, present: readonly number[]) {
  const since = (id: number) => logged.later.of(messageKey(id));
  const isLater = (id: number) => since(id).run !== undefined || since(id).isBack;
  const moving = present.filter((id) => !isLater(id));
  const later = present.find(isLater);
  if (later === undefined) return { moving };
  const { run } = since(later);
  const by = run === undefined ? "moved back already, and moved again since" : `moved by run ${run} since`;
  return { moving, movedLater: `${counted(present.length - moving.length, "message")} of it: ${by}` };
}

/** Returns what to say of messages of others that stay in the topic. Nothing if there are none. */
function stayingNote({ logged }: State, entry: LogEntry, others: readonly Message[]): string[] {
  const own = new Set(logged.entries.flatMap((each) => movedIds(each) ?? []));
  const staying = others.filter(({ id }) => !own.has(id));
  const { length } = staying;
  if (!length) return [];
  // A topic that was there before has messages of its own.
  const which = staying.every(({ timestamp }) => isSince(timestamp, Date.parse(entry.time)))
    ? `${counted(length, "message")} that came since`
    : `${counted(length, "other message")} of the topic`;
  return [`${which} ${length === 1 ? "stays" : "stay"}`];
}

export async function moveBack(state: State, thing: Thing, entry: LogEntry): Promise<Item[]> {
  const ids = movedIds(entry) ?? [];
  const [before, after] = [placeBefore(entry), placeAfter(entry)];
  const isRestored = before.stream_id === after.stream_id && before.topic === after.topic;
  if (isRestored) return notThere(thing, entry, ids, (await seek(state, entry, ids)).reasons);
  const read = await messagesIn(state, after);
  const here = read?.filter((message) => placesOf(entry).isThere(placeOf(message)));
  if (!here) return [left(thing, entry, "impossible", "the messages of the topic cannot be read")];
  const { present, reasons } = await locate(state, entry, ids, here);
  const alone = notThere(thing, entry, ids, reasons);
  if (areOwnNotices(state, present, here)) return alone;
  const { moving, movedLater } = withoutLater(state, present);
  if (movedLater !== undefined) alone.push(left(thing, entry, "conflict", movedLater));
  if (!moving.length) return alone;
  const sent = new Set(moving);
  const { needs, refusal } = await rulesOf(
    state,
    entry,
    here.filter(({ id }) => sent.has(id)),
  );
  if (refusal) return [left(thing, entry, refusal.kind, refusal.says), ...alone];
  const known = new Set(ids);
  const others = here.filter((message) => !known.has(message.id) && !isNotice(message));
  const isOnly = !others.length && movedLater === undefined && (moving.length > 1 || here.length === moving.length);
  const isWhole = isOnly && !(await isTaken(state, entry));
  const notes = [
    ...(ids.length > 1 ? [`${counted(moving.length, "message")} of ${ids.length}`] : []),
    ...stayingNote(state, entry, others),
  ];
  return [{ ...movedBack(thing, entry, moving, isWhole), notes, needs }, ...alone];
}
