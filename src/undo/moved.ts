/** Moves messages back to their old topics: exactly those that the run moved, as far as the log has their ids. */
import { updateMessage } from "../api/messages.ts";
import { counted } from "../common/counted.ts";
import type { LogEntry } from "../log/change-log.ts";
import { idsOfRuns } from "../model/id-runs.ts";
import { type BackValue, changeOf, type Item, left, type Thing } from "./item.ts";
import { placeAfter } from "./parts.ts";
import { gone } from "./reasons.ts";
import type { State } from "./state.ts";

/** The largest number of messages of a topic that are compared. */
const mostCompared = 5000;

/** Returns the ids of the messages that were moved. Undefined if the log does not have them. */
function movedIds({ at, to = {}, from = {} }: LogEntry): ReadonlySet<number> | undefined {
  if (to.propagate_mode === "change_one") return new Set([Number(at?.message_id)]);
  const ids = idsOfRuns(from.message_ids);
  return ids && new Set(ids);
}

const messagesIn = (state: State, stream_id: unknown, topic: unknown) =>
  state.messagesWith(
    [
      { operator: "channel", operand: Number(stream_id) },
      { operator: "topic", operand: String(topic) },
    ],
    mostCompared,
  );

export async function moved(state: State, thing: Thing, entry: LogEntry): Promise<Item[]> {
  const { from = {} } = entry;
  const message_id = Number(entry.at?.message_id);
  const message = await state.message(message_id);
  if (!message) return [left(thing, entry, "conflict", gone)];
  const { subject: topic, stream_id } = message;
  const after = placeAfter(entry);
  const known = movedIds(entry);
  const isBack = topic === from.topic && stream_id === from.stream_id;
  const rest = known && known.size > 1 ? await messagesIn(state, after.stream_id, after.topic) : undefined;
  const remaining = rest?.filter(({ id }) => known?.has(id)) ?? [];
  if (isBack && !remaining.length) return [];
  if (!isBack && (topic !== after.topic || stream_id !== after.stream_id))
    return [left(thing, entry, "conflict", `it is in topic "${topic}" now`)];
  const isOld = (name: string) => name.toLowerCase() === String(from.topic).toLowerCase();
  const isRenamed = after.stream_id === from.stream_id && isOld(String(after.topic));
  const isTaken = !isRenamed && (await state.topics(Number(from.stream_id))).some(isOld);
  // Without ids, messages that came since cannot be told from those that were moved.
  if (isTaken && !known) return [left(thing, entry, "conflict", `there is another topic "${from.topic}" now`)];
  const here = known ? (rest ?? (await messagesIn(state, after.stream_id, after.topic))) : undefined;
  if (known && !here) return [left(thing, entry, "impossible", "the messages of the topic cannot be read")];
  const others = here?.filter(({ id, sender_email }) => !known?.has(id) && !isNotice(sender_email)) ?? [];
  const moving = here?.filter(({ id }) => known?.has(id)).map(({ id }) => id) ?? [message_id];
  const isWhole = !others.length && !isTaken && (moving.length > 1 || !known || here?.length === moving.length);
  const values: BackValue[] = [
    { name: "topic", now: after.topic, back: from.topic },
    { name: "channel", of: "channel", now: after.stream_id, back: from.stream_id },
  ];
  const place = {
    ...(after.topic !== from.topic && { topic: from.topic }),
    ...(after.stream_id !== from.stream_id && { stream_id: from.stream_id }),
  };
  const quiet = { send_notification_to_old_thread: false, send_notification_to_new_thread: false };
  const says = "moved back";
  const changes = (isWhole ? [moving.includes(message_id) ? message_id : (moving[0] ?? message_id)] : moving).map(
    (id) => {
      const args = { message_id: id, ...place, propagate_mode: isWhole ? "change_all" : "change_one", ...quiet };
      const before = {
        topic: after.topic,
        stream_id: after.stream_id,
        ...(isWhole && known && { message_ids: from.message_ids }),
      };
      const channel = Number(after.stream_id);
      const moved = { channel, topic: String(after.topic), count: isWhole ? moving.length : 1 };
      return changeOf(thing, { operation: updateMessage, args, says }, { before, moved });
    },
  );
  const notes = [
    ...(known && moving.length ? [`${counted(moving.length, "message")} of ${known.size}`] : []),
    ...(others.length
      ? [`${counted(others.length, "message")} that came since ${others.length === 1 ? "stays" : "stay"}`]
      : []),
  ];
  return [{ ...thing, sign: "~", says, values: values.filter(({ now, back }) => now !== back), notes, changes }];
}

const isNotice = (email: unknown): boolean => String(email).startsWith("notification-bot@");
