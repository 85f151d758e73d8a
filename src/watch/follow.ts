/** The changes of an organization as they happen, for as long as somebody wants them. */
import { deleteQueue, getEvents, register } from "../api/events.ts";
import { getExports } from "../api/exports.ts";
import type { Server } from "../client/server.ts";
import { Failure, orUndefined, Unreachable } from "../errors.ts";
import { snapshotFrom, snapshotParts, takeSnapshot } from "../organization/fetch-snapshot.ts";
import { call } from "../wire/call.ts";
import type { Clock, Signals } from "../world.ts";
import { changesOf, type Event, eventTypes } from "./events.ts";
import { type Noticed, recordOf } from "./records.ts";
import { WatchedState } from "./state.ts";

/** What one event changed, or what changed while no events came; after the events of one answer an empty one. */
export type Burst = readonly Noticed[];

interface Following {
  readonly server: Server;
  readonly clock: Clock;
  readonly signals: Signals;
  /** Events of messages that the account receives too. */
  readonly messages: boolean;
  readonly notice: (line: string) => Promise<void>;
  /** When it ends, in milliseconds of the clock that never jumps. */
  readonly until: number | undefined;
}

interface Queue {
  readonly id: string;
  /** The id of the last event that was read. */
  last: number;
}

/** Milliseconds between two tries to reach the server. */
const shortest = 1000;
const longest = 60_000;
/** Milliseconds without an answer after which the server is gone: it answers within a minute also if nothing happens. */
const patience = 90_000;

/** A server forgets a queue that nobody reads for ten minutes, and when it starts anew. */
const isLost = (error: unknown): boolean => error instanceof Failure && error.details.code === "BAD_EVENT_QUEUE_ID";

/** Never ends because of the network. Throws the `Failure` of an account that may not read the organization (any more). */
export async function* follow({
  server,
  clock,
  signals,
  messages,
  notice,
  until = Number.POSITIVE_INFINITY,
}: Following): AsyncGenerator<Burst> {
  const { host } = server;
  const wanted = messages ? [...eventTypes, "message"] : eventTypes;
  let state: WatchedState | undefined;
  let queue: Queue | undefined;

  /** What changed meanwhile. */
  async function begin(): Promise<Burst> {
    const { answer } = await server.deliver(call(register, { ...snapshotParts, event_types: [...wanted] }));
    queue = { id: String(answer.queue_id), last: Number(answer.last_event_id) };
    const snapshot = await snapshotFrom(server, answer, taking());
    const { exports } = await server.call(getExports, {}, { command: "watch" });
    const known = state;
    state ??= new WatchedState(snapshot, exports);
    return known ? [...known.catchUp(snapshot, exports)].map((change) => recordOf(known, change, at(null))) : [];
  }

  const taking = () => ({ command: "watch", now: clock.now() });
  const left = () => until - clock.monotonic();
  const at = (event: Event | null) => ({ now: clock.now(), event });

  async function recordsOf(known: WatchedState, event: Event): Promise<Burst> {
    if (event.type === "message") return [receivedMessage(event, clock.now())];
    // Of invitations an event says only that they changed. With a person, memberships and invitations come and go unsaid.
    const isPartial = event.type === "invites_changed" || Object.hasOwn(Object(event.person), "is_active");
    const fresh = isPartial ? await takeSnapshot(server, taking()) : undefined;
    const changes = [...changesOf(known, event), ...(fresh ? known.catchUp(fresh) : [])];
    return changes.map((change) => recordOf(known, change, at(event)));
  }

  async function* next(from: Queue, known: WatchedState): AsyncGenerator<Burst> {
    const { answer } = await server.deliver(call(getEvents, { queue_id: from.id, last_event_id: from.last }), {
      timeout: Math.min(patience, left()),
    });
    for (const event of answer.events as Event[]) {
      yield await recordsOf(known, event);
      from.last = event.id;
    }
  }

  try {
    for (let failures = 0; left() > 0; ) {
      try {
        if (queue && state) yield* next(queue, state);
        else yield await begin();
        yield [];
        if (failures) await notice(`zulipctl: connected to ${host} again`);
        failures = 0;
      } catch (error) {
        if (isLost(error)) queue = undefined;
        else if (error instanceof Unreachable && state) {
          if (left() <= 0) break;
          if (!failures) await notice(`zulipctl: ${error.message}. Trying again until it answers.`);
          failures++;
          await clock.sleep(Math.min(longest, left(), shortest * 2 ** (failures - 1)), signals.stop);
        } else throw error;
      }
    }
  } finally {
    if (queue) await orUndefined(server.deliver(call(deleteQueue, { queue_id: queue.id })));
  }
}

function receivedMessage(event: Event, now: number): Noticed {
  const message = Object(event.message);
  const record = {
    time: new Date(now).toISOString(),
    kind: "message",
    action: "message.received",
    target: {
      kind: "message",
      id: Number(message.id),
      name: typeof message.subject === "string" ? message.subject : null,
    },
    property: null,
    from: null,
    to: null,
    destructive: false,
    missed: false,
    event,
  };
  return { record, sentence: `message from ${message.sender_full_name}`, change: undefined };
}
