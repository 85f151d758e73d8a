/** Where runs moved messages from and to. A message that runs moved twice goes back to its first topic at once. */
import { groupBy } from "../common/group-by.ts";
import type { LogEntry } from "../log/change-log.ts";
import { idsOfRuns, runsOfIds } from "../model/id-runs.ts";
import { foldTopic } from "../model/topic.ts";

/**
 * Messages that a run moved. `overtaken`: another run moved them before the next one of these runs did.
 */
export interface MovePart {
  readonly kind: "moved" | "overtaken";
  readonly position: number;
  readonly entry: LogEntry;
  /** The run that has overtaken it, if the log has one, and the number of messages. */
  readonly by?: string | undefined;
  readonly count?: number;
}

/** A topic of a channel. */
export interface Place {
  readonly topic: unknown;
  readonly stream_id: unknown;
}

export const placeBefore = ({ from = {} }: LogEntry): Place => ({ topic: from.topic, stream_id: from.stream_id });

export const placeAfter = ({ from = {}, to = {} }: LogEntry): Place => ({
  topic: to.topic ?? from.topic,
  stream_id: to.stream_id ?? from.stream_id,
});

/** Topics that differ in case alone are one. */
export const isSameTopic = (one: unknown, other: unknown): boolean =>
  foldTopic(String(one)) === foldTopic(String(other));

const isSamePlace = (one: Place, other: Place): boolean =>
  one.stream_id === other.stream_id && isSameTopic(one.topic, other.topic);

/** Returns whether an entry moved one message. Servers do so if a request does not say more. */
const movedOne = ({ to = {} }: LogEntry): boolean => (to.propagate_mode ?? "change_one") === "change_one";

/** Returns the ids of the messages that an entry moved. Undefined if the log does not have them. */
export function movedIds(entry: LogEntry): readonly number[] | undefined {
  return movedOne(entry) ? [Number(entry.at?.message_id)] : idsOfRuns(entry.from?.message_ids);
}

/** The moves of one message. */
interface Route {
  readonly first: MovePart;
  readonly last: MovePart;
  readonly places: readonly Place[];
}

/** Returns whether a run found a message where earlier ones had it. If not, somebody else has moved it. */
const isOn = ({ last, places }: Route, { entry }: MovePart): boolean =>
  entry.run === last.entry.run || places.some((place) => isSamePlace(place, placeBefore(entry)));

/** Joins a later move of the same messages: they go from where the first one found them. */
function joined({ position, entry }: MovePart, last: MovePart, ids: readonly number[]): MovePart {
  const { from, to } = entry;
  const kept = movedOne(entry) ? {} : { message_ids: runsOfIds(ids) };
  const whole = { ...entry, from: { ...from, ...kept }, to: { ...to, ...placeAfter(last.entry) } };
  return { kind: "moved", position: Math.max(position, last.position), entry: whole };
}

/** Joins the moves of runs, the oldest first, to what goes back. `between`: another run that moved a message between two. */
export function moveParts(
  moves: readonly MovePart[],
  between: (id: number, first: LogEntry, last: LogEntry) => string | undefined = () => undefined,
): MovePart[] {
  const routes = new Map<number, Route>();
  const overtaken: MovePart[] = [];
  for (const part of moves) {
    const { entry } = part;
    // Rows of a run are read before the first one is sent: what it moved into a topic goes on with that topic.
    const isTakenAlong = ({ last }: { last: MovePart }) =>
      !movedOne(entry) && last.entry.run === entry.run && isSamePlace(placeAfter(last.entry), placeBefore(entry));
    const along = [...routes].flatMap(([id, route]) => (isTakenAlong(route) ? [id] : []));
    for (const id of [...(movedIds(entry) ?? []), ...along]) {
      const route = routes.get(id);
      const by = route && between(id, route.last.entry, entry);
      const isOvertaken = route && (by !== undefined || !isOn(route, part));
      const places = [placeBefore(entry), placeAfter(entry)];
      if (route && !isOvertaken) routes.set(id, { ...route, last: part, places: [...route.places, ...places] });
      else routes.set(id, { first: part, last: part, places });
      if (isOvertaken && !isSamePlace(placeBefore(route.first.entry), placeBefore(entry)))
        overtaken.push({ ...route.first, kind: "overtaken", by });
    }
  }
  const alike = groupBy([...routes], ([, { first, last }]) => `${moves.indexOf(first)} ${moves.indexOf(last)}`);
  const known = [...alike.values()].map((all) => {
    const [[, { first, last }]] = all;
    const ids = all.map(([id]) => id);
    return joined(first, last, ids);
  });
  const lost = groupBy(overtaken, ({ position, by }) => `${position} ${by}`);
  const conflicts = [...lost.values()].map((all) => ({ ...all[0], count: all.length }));
  return [...known, ...conflicts];
}
