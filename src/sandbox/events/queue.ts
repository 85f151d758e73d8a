/** Event queues: what clients wait for, kept until they have read it. */
import { ApiError } from "../api-error.ts";
import { randomText } from "../random-text.ts";
import type { Call, Visit } from "../router.ts";
import { nextId, type State, type User } from "../state.ts";

export interface Event {
  type: string;
  [member: string]: unknown;
}

export interface Queue {
  id: string;
  user_id: number;
  /** Null is every kind. */
  event_types: ReadonlySet<string> | null;
  capabilities: ReadonlySet<string>;
  events: (Event & { id: number })[];
  /** The id of the next event. */
  next: number;
  /** Events up to this one were seen and are gone. */
  pruned: number;
  last_used: number;
  lifespan: number;
}

const idle = 10 * 60 * 1000;
const longestIdle = 7 * 24 * 3600 * 1000;

export function openQueue(
  { state, caller, now, random }: Call,
  event_types: readonly string[] | undefined,
  capabilities: ReadonlySet<string>,
  seconds = 0,
): Queue {
  const digits = (length: number) => randomText(random, length, "0123456789abcdef");
  const queue: Queue = {
    id: [8, 4, 4, 4, 12].map(digits).join("-"),
    user_id: caller.user_id,
    event_types: event_types ? new Set(event_types) : null,
    capabilities,
    events: [],
    next: 0,
    pruned: -1,
    last_used: now,
    lifespan: Math.min(Math.max(idle, Number(seconds) * 1000), longestIdle),
  };
  nextId(state, "queue");
  state.queues.set(queue.id, queue);
  return queue;
}

function dropIdle(state: State, now: number): void {
  for (const [id, { last_used, lifespan }] of state.queues) if (now - last_used > lifespan) state.queues.delete(id);
}

/** The caller's queue of that id; somebody else's is none. */
export function ownQueue({ state, caller, now }: Call, id: string): Queue {
  dropIdle(state, now);
  const queue = state.queues.get(id);
  if (queue?.user_id !== caller.user_id) {
    throw new ApiError(400, "BAD_EVENT_QUEUE_ID", `Bad event queue ID: ${id}`, { queue_id: id });
  }
  queue.last_used = now;
  return queue;
}

/** An event that says something else to each of those who get it; undefined says nothing. */
export type Told = (to: User, queue: Queue) => Event | undefined;

/** Puts an event into the queues of these people that asked for its kind. */
export function send({ state, now }: Visit, event: Event | Told, to: Iterable<User>): void {
  if (state.queues.size === 0) return;
  dropIdle(state, now);
  const ids = new Set<number>();
  for (const { user_id } of to) ids.add(user_id);
  for (const queue of state.queues.values()) {
    if (!ids.has(queue.user_id)) continue;
    const told = typeof event === "function" ? event(state.users.get(queue.user_id)!, queue) : event;
    if (!told || (queue.event_types && !queue.event_types.has(told.type))) continue;
    queue.events.push({ ...structuredClone(told), id: queue.next });
    queue.next += 1;
  }
}
