/** Follows the changes of an organization. */

import { deleteQueue, getEvents, register } from "../api/events.ts";
import { getExports } from "../api/exports.ts";
import type { Server } from "../client/server.ts";
import { membersOf } from "../common/object-members.ts";
import { Failure, Unreachable, undefinedOnFailure } from "../errors.ts";
import { administers } from "../model/person.ts";
import { snapshotFrom, snapshotParts, takeSnapshot } from "../organization/fetch-snapshot.ts";
import { programLine } from "../output/line.ts";
import { timeText } from "../output/when.ts";
import { call } from "../wire/call.ts";
import type { ArgsOf } from "../wire/operation.ts";
import { type Clock, NoAnswer, type Signals } from "../world/world.ts";
import { type Event, eventTypes, tableChanges } from "./event-changes.ts";
import { receivedMessage, recordOf, type WatchedChange } from "./watch-records.ts";
import { invitationsIn, WatchedState } from "./watched-state.ts";

/** The changes of one event, or those found after a reconnection. An empty burst ends the events of each answer. */
type Burst = readonly WatchedChange[];

interface FollowOptions {
  readonly server: Server;
  readonly clock: Clock;
  readonly signals: Signals;
  /** Include events of messages that the account receives. */
  readonly messages: boolean;
  readonly notice: (line: string) => Promise<void>;
  /** The end, in milliseconds of the monotonic clock. */
  readonly until: number | undefined;
}

interface Queue {
  readonly id: string;
  /** The id of the last event. */
  last: number;
  /** The state has everything that happened before this queue. */
  isCaughtUp: boolean;
}

/** The time between two attempts, in milliseconds. */
const shortestDelay = 1000;
const longestDelay = 60_000;
/** The longest time to wait for an answer, in milliseconds. Servers answer within a minute even without events. */
const longestAnswer = 90_000;

/** Each attempt with a wrong password counts against its account. */
const isRefusedByProxy = ({ details: { cause } }: Unreachable): boolean =>
  cause instanceof NoAnswer && cause.why === "proxy";

/**
 * How long the server keeps the events of a watch that does not read, in seconds. A laptop that sleeps overnight misses
 * nothing, and a watch that was killed does not burden the server for days. Servers keep them for ten minutes by default,
 * and never over a restart.
 */
const idleTimeout = 12 * 3600;
const idleTimeoutSince = register.params.idle_queue_timeout.since ?? 0;

/** The types of events about lists that `register` does not return. */
const listTypes = new Set(["channel_folder", "realm_export"]);

/** From this level on, an event about an emoji can have only that emoji. */
const singleEmojiSince = 491;

/** Returns the arguments that make the queue. Older servers do not know all of them. */
const queueArgs = (level: number, event_types: readonly string[]): ArgsOf<typeof register> => ({
  ...snapshotParts,
  event_types: [...event_types],
  ...(level >= idleTimeoutSince && { idle_queue_timeout: idleTimeout }),
  client_capabilities: {
    ...snapshotParts.client_capabilities,
    ...(level >= singleEmojiSince && { individual_emoji_changes: true }),
  },
});

const isQueueLost = (error: unknown): boolean =>
  error instanceof Failure && error.details.code === "BAD_EVENT_QUEUE_ID";

/** Continues after network errors. Throws the `Failure` of an account that cannot read the organization. */
export async function* follow({
  server,
  clock,
  signals,
  messages,
  notice,
  until = Number.POSITIVE_INFINITY,
}: FollowOptions): AsyncGenerator<Burst> {
  const { host } = server;
  const types = messages ? [...eventTypes, "message"] : eventTypes;
  let state: WatchedState | undefined;
  let queue: Queue | undefined;
  /** When the server last answered with events. */
  let answered = clock.now();

  const drop = ({ id }: Queue) => undefinedOnFailure(server.deliver(call(deleteQueue, { queue_id: id })));

  /** Registers a queue and reads a snapshot. Returns the changes since the last event. */
  async function reconnect(): Promise<Burst> {
    const { answer } = await server.deliver(call(register, queueArgs(await server.level(), types)));
    // One that is not followed would stay on the server for twelve hours.
    if (queue) await drop(queue);
    const registered = { id: String(answer.queue_id), last: Number(answer.last_event_id), isCaughtUp: false };
    queue = registered;
    const snapshot = await snapshotFrom(server, answer, snapshotOptions());
    const { exports } = await server.call(getExports, {}, { command: "watch" });
    // The lists may already have these changes, and an older event would seem to take back a later change.
    const { events } = await server.call(getEvents, {
      queue_id: registered.id,
      last_event_id: registered.last,
      dont_block: true,
    });
    if (events.some(({ type }) => listTypes.has(type))) return reconnect();
    const known = state;
    state ??= new WatchedState(snapshot, exports);
    registered.isCaughtUp = true;
    return known ? [...known.catchUp(snapshot, exports)].map((change) => recordOf(known, change, momentOf(null))) : [];
  }

  const snapshotOptions = () => ({ command: "watch", now: clock.now() });
  const timeLeft = () => until - clock.monotonic();
  const momentOf = (event: Event | null) => ({ now: clock.now(), event });

  async function recordsOf(known: WatchedState, event: Event): Promise<Burst> {
    if (event.type === "message") return [receivedMessage(event, clock.now())];
    // Servers do not send invitations, nor all that a new or reactivated person has. Nothing else is taken from what
    // is read here: it has the changes of later events already. An account that sees only a part is refused.
    const { user_id, is_active } = membersOf(event.person);
    const hasNewInvites = event.type === "invites_changed";
    const fresh = hasNewInvites || is_active === true ? await takeSnapshot(server, snapshotOptions()) : undefined;
    const changes = [
      ...tableChanges(known, event),
      ...(fresh && hasNewInvites ? known.replace("invitation", invitationsIn(fresh.invites)) : []),
      ...(fresh && is_active === true ? known.addPerson(Number(user_id), fresh) : []),
    ];
    return changes.map((change) => recordOf(known, change, momentOf(event)));
  }

  async function* readEvents(from: Queue, known: WatchedState): AsyncGenerator<Burst> {
    const { answer } = await server.deliver(call(getEvents, { queue_id: from.id, last_event_id: from.last }), {
      timeout: Math.min(longestAnswer, timeLeft()),
    });
    answered = clock.now();
    const events = answer.events as Event[];
    let burst: WatchedChange[] = [];
    for (const [index, event] of events.entries()) {
      // A server repeats events that it believes unread.
      if (event.id <= from.last) continue;
      burst.push(...(await recordsOf(known, event)));
      // A person who leaves several channels at once is an event for each of them.
      const next = events[index + 1];
      if (event.type === "subscription" && next?.type === event.type && next.op === event.op) continue;
      yield burst;
      burst = [];
      from.last = event.id;
      // To an account that is no longer an administrator, the next events remove what it can no longer see.
      from.isCaughtUp = administers(Number(known.get("user", known.ownId)?.role));
      if (!from.isCaughtUp) return;
    }
  }

  /** Lost events cannot be read any more. The organization can. */
  function lossNotice(): string {
    const others = messages ? " Messages received meanwhile are not printed." : "";
    return programLine(
      `${host} no longer has the events since ${timeText(answered)}. zulipctl reads the organization again and marks what changed as missed. What was changed back is not visible.${others}`,
    );
  }

  /** The number of requests in a row that brought no event. */
  let fruitless = 0;
  /** Pauses longer after each request without an event, so that no answer makes this loop fast. */
  async function backOff(began: number): Promise<void> {
    const delay = Math.min(longestDelay, shortestDelay * 2 ** fruitless) - (clock.monotonic() - began);
    fruitless++;
    if (delay > 0) await clock.sleep(Math.min(delay, timeLeft()), signals.stop);
  }

  let isAway = false;
  try {
    while (timeLeft() > 0) {
      const began = clock.monotonic();
      const last = queue?.last;
      try {
        if (queue?.isCaughtUp && state) {
          yield* readEvents(queue, state);
          if (queue.last !== last) fruitless = 0;
        } else yield await reconnect();
        yield [];
        if (isAway) await notice(programLine(`connected to ${host} again`));
        isAway = false;
        if (queue?.last === last) await backOff(began);
      } catch (error) {
        if (isQueueLost(error)) {
          queue = undefined;
          if (!fruitless) await notice(lossNotice());
        } else if (error instanceof Unreachable && state && !isRefusedByProxy(error)) {
          if (timeLeft() <= 0) break;
          if (!isAway) await notice(programLine(`${error.message}. Trying again until it answers.`));
          isAway = true;
        } else throw error;
        await backOff(began);
      }
    }
  } finally {
    if (queue) await drop(queue);
  }
}
