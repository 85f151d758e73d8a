/** Reads the events of an organization from a queue on the server, and keeps what is known of the organization current. */

import { deleteQueue, getEvents, register } from "../api/events.ts";
import { getExports } from "../api/exports.ts";
import type { Server } from "../client/server.ts";
import { membersOf } from "../common/object-members.ts";
import { undefinedOnFailure } from "../errors.ts";
import { administers } from "../model/person.ts";
import { snapshotFrom, snapshotParts, takeSnapshot } from "../organization/fetch-snapshot.ts";
import { call } from "../wire/call.ts";
import type { ArgsOf } from "../wire/operation.ts";
import type { Clock } from "../world/world.ts";
import { type Event, eventTypes, tableChanges } from "./event-changes.ts";
import { receivedMessage, recordOf, type WatchedChange } from "./watch-records.ts";
import type { TableChange } from "./watched-fields.ts";
import { invitationsIn, WatchedState } from "./watched-state.ts";

/** The changes of one event, or those found after a reconnection. An empty burst ends the events of each answer. */
export type Burst = readonly WatchedChange[];

interface EventQueue {
  readonly id: string;
  /** The id of the last event. */
  last: number;
  /** The state has everything that happened before this queue. */
  isCaughtUp: boolean;
}

/** The longest time to wait for an answer, in milliseconds. Servers answer within a minute even without events. */
const longestAnswer = 90_000;

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

/** A person who leaves several channels at once is an event for each of them. */
const isSameBurst = (event: Event, next: Event | undefined): boolean =>
  event.type === "subscription" && next?.type === event.type && next.op === event.op;

export class EventReader {
  readonly #server: Server;
  readonly #clock: Clock;
  readonly #types: readonly string[];
  #state: WatchedState | undefined;
  #queue: EventQueue | undefined;
  #answered: number;

  /** `messages`: include events of messages that the account receives. */
  constructor(server: Server, clock: Clock, { messages }: { messages: boolean }) {
    this.#server = server;
    this.#clock = clock;
    this.#types = messages ? [...eventTypes, "message"] : eventTypes;
    this.#answered = clock.now();
  }

  /** When the server last answered with events, in milliseconds since 1970. */
  get answered(): number {
    return this.#answered;
  }

  /** The organization was read at least once. */
  get hasState(): boolean {
    return this.#state !== undefined;
  }

  /** The next read is one of events. Otherwise it is one of the whole organization. */
  get isCaughtUp(): boolean {
    return this.#queue?.isCaughtUp === true;
  }

  /** The id of the last event that was read. */
  get lastEvent(): number | undefined {
    return this.#queue?.last;
  }

  /** Yields the changes since the last read. `timeLeft`: the longest time to wait for events, in milliseconds. */
  async *read(timeLeft: number): AsyncGenerator<Burst> {
    if (this.#queue?.isCaughtUp && this.#state) yield* this.#readEvents(this.#queue, this.#state, timeLeft);
    else yield await this.#readOrganization();
  }

  /** The server does not have the queue any more. Lost events cannot be read. The organization can. */
  forgetQueue(): void {
    this.#queue = undefined;
  }

  /** Deletes the queue on the server. */
  async close(): Promise<void> {
    if (this.#queue) await undefinedOnFailure(this.#server.deliver(call(deleteQueue, { queue_id: this.#queue.id })));
  }

  /** Registers a queue and reads a snapshot. Returns the changes since the last event. */
  async #readOrganization(): Promise<Burst> {
    const { answer } = await this.#server.deliver(call(register, queueArgs(await this.#server.level(), this.#types)));
    // One that is not followed would stay on the server for twelve hours.
    await this.close();
    const queue = { id: String(answer.queue_id), last: Number(answer.last_event_id), isCaughtUp: false };
    this.#queue = queue;
    const snapshot = await snapshotFrom(this.#server, answer, this.#snapshotOptions());
    const { exports } = await this.#server.call(getExports, {}, { command: "watch" });
    // The lists may already have these changes, and an older event would seem to take back a later change.
    const { events } = await this.#server.call(getEvents, {
      queue_id: queue.id,
      last_event_id: queue.last,
      dont_block: true,
    });
    if (events.some(({ type }) => listTypes.has(type))) return this.#readOrganization();
    const known = this.#state;
    this.#state ??= new WatchedState(snapshot, exports);
    queue.isCaughtUp = true;
    return known ? this.#recordsOf(known, known.catchUp(snapshot, exports), null) : [];
  }

  async *#readEvents(queue: EventQueue, known: WatchedState, timeLeft: number): AsyncGenerator<Burst> {
    const { answer } = await this.#server.deliver(call(getEvents, { queue_id: queue.id, last_event_id: queue.last }), {
      timeout: Math.min(longestAnswer, timeLeft),
    });
    this.#answered = this.#clock.now();
    const events = answer.events as Event[];
    let burst: WatchedChange[] = [];
    for (const [index, event] of events.entries()) {
      // A server repeats events that it believes unread.
      if (event.id <= queue.last) continue;
      burst.push(...(await this.#changesOf(known, event)));
      if (isSameBurst(event, events[index + 1])) continue;
      yield burst;
      burst = [];
      queue.last = event.id;
      // To an account that is no longer an administrator, the next events remove what it can no longer see.
      queue.isCaughtUp = administers(Number(known.get("user", known.ownId)?.role));
      if (!queue.isCaughtUp) return;
    }
  }

  async #changesOf(known: WatchedState, event: Event): Promise<Burst> {
    if (event.type === "message") return [receivedMessage(event, this.#clock.now())];
    // Servers do not send invitations, nor all that a new or reactivated person has. Nothing else is taken from what
    // is read here: it has the changes of later events already. An account that sees only a part is refused.
    const { user_id, is_active } = membersOf(event.person);
    const hasNewInvites = event.type === "invites_changed";
    const fresh =
      hasNewInvites || is_active === true ? await takeSnapshot(this.#server, this.#snapshotOptions()) : undefined;
    const changes = [
      ...tableChanges(known, event),
      ...(fresh && hasNewInvites ? known.replace("invitation", invitationsIn(fresh.invites)) : []),
      ...(fresh && is_active === true ? known.addPerson(Number(user_id), fresh) : []),
    ];
    return this.#recordsOf(known, changes, event);
  }

  #recordsOf(known: WatchedState, changes: Iterable<TableChange>, event: Event | null): Burst {
    return [...changes].map((change) => recordOf(known, change, { now: this.#clock.now(), event }));
  }

  #snapshotOptions() {
    return { command: "watch", now: this.#clock.now() };
  }
}
