/** Event queues: events wait here until clients have read them. */
import { organizationSettings } from "../../model/organization.ts";
import { settingAt } from "../../model/setting.ts";
import { canSeePerson, hasMetadataAccess } from "../access.ts";
import { ApiError } from "../answers.ts";
import { renderMarkdown } from "../narrow/markdown.ts";
import { type HandlerCall, type HandlerContext, since } from "../router.ts";
import { isAdministrator, isGuest, type SandboxState, type StoredChannel, type StoredUser } from "../state.ts";
import { randomText } from "../text.ts";
import type { Queue, QueuedEvent } from "./stored-queue.ts";

export function openQueue(
  { state, caller, now, random }: HandlerCall,
  event_types: readonly string[] | undefined,
  options: Pick<Queue, "capabilities" | "rendered" | "allPublic" | "narrow" | "idle_seconds">,
): Queue {
  const digits = (length: number) => randomText(random, length, "0123456789abcdef");
  const queue: Queue = {
    id: [8, 4, 4, 4, 12].map(digits).join("-"),
    user_id: caller.user_id,
    event_types: event_types ? new Set(event_types) : null,
    ...options,
    events: [],
    next: 0,
    pruned: -1,
    last_used: now,
  };
  state.queues.set(queue.id, queue);
  return queue;
}

function deleteIdleQueues(state: SandboxState, now: number): void {
  for (const [id, { last_used, idle_seconds }] of state.queues)
    if (now - last_used > idle_seconds * 1000) state.queues.delete(id);
}

/** The caller's queue with that id. Queues of others count as missing. */
export function queueOfCaller({ state, caller, now }: HandlerCall, id: string): Queue {
  deleteIdleQueues(state, now);
  const queue = state.queues.get(id);
  if (queue?.user_id !== caller.user_id) {
    throw new ApiError(400, "BAD_EVENT_QUEUE_ID", `Bad event queue ID: ${id}`, { queue_id: id });
  }
  queue.last_used = now;
  return queue;
}

/** An event, or a function that returns the event for each queue, or none. */
type EventSource = QueuedEvent | ((to: StoredUser, queue: Queue) => QueuedEvent | undefined);

/** Puts an event into the queues of these users that have its type. */
export function sendEvent({ state, now }: HandlerContext, event: EventSource, to: Iterable<StoredUser>): void {
  if (state.queues.size === 0) return;
  deleteIdleQueues(state, now);
  const people = new Map<number, StoredUser>();
  for (const user of to) people.set(user.user_id, user);
  for (const queue of state.queues.values()) {
    const user = people.get(queue.user_id);
    if (!user) continue;
    const message = typeof event === "function" ? event(user, queue) : event;
    if (!message || (queue.event_types && !queue.event_types.has(message.type))) continue;
    queue.events.push({ ...structuredClone(message), id: queue.next });
    queue.next += 1;
    for (const finish of waiters.get(queue) ?? []) finish();
  }
}

/** Waiting clients by queue. They are not part of the state, which is data. */
const waiters = new WeakMap<Queue, Set<() => void>>();

/** Resolves after a new event, after `timeout` milliseconds, or when `signal` is aborted. */
export async function waitForEvent(
  queue: Queue,
  lastEventId: number,
  timeout: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (queue.events.some(({ id }) => id > lastEventId) || signal?.aborted) return;
  const all = waiters.get(queue) ?? new Set();
  waiters.set(queue, all);
  await new Promise<void>((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", finish);
      all.delete(finish);
      resolve();
    };
    const timer = setTimeout(finish, timeout);
    signal?.addEventListener("abort", finish);
    all.add(finish);
  });
}

const activeUsers = (state: SandboxState, isIncluded: (user: StoredUser) => boolean): StoredUser[] =>
  [...state.users.values()].filter((user) => user.is_active && isIncluded(user));

export const everybody = (state: SandboxState): StoredUser[] => activeUsers(state, () => true);
export const nonGuests = (state: SandboxState): StoredUser[] => activeUsers(state, (user) => !isGuest(user));
export const administrators = (state: SandboxState): StoredUser[] => activeUsers(state, isAdministrator);
export const channelViewers = (state: SandboxState, channel: StoredChannel): StoredUser[] =>
  activeUsers(state, (user) => hasMetadataAccess(state, user, channel));
export const personViewers = (state: SandboxState, person: StoredUser): StoredUser[] =>
  activeUsers(state, (user) => canSeePerson(state, user, person));

export const sendToAll = (context: HandlerContext, event: EventSource): void =>
  sendEvent(context, event, everybody(context.state));

const renderedDescription = (state: SandboxState): string =>
  renderMarkdown(state, state.organization.settings.description);

/** Settings whose events have a dictionary, as those of all permissions do. */
const inDictionary = new Set(["allow_message_editing", "message_content_edit_limit_seconds", "authentication_methods"]);

export function sendSettingChanged(context: HandlerContext, name: string, value: unknown): void {
  const { level, state } = context;
  const [property] = settingAt(level, organizationSettings, name, value);
  const rendered = name === "description" ? { rendered_description: renderedDescription(state) } : {};
  if (name === "description" && level >= 464) sendSettingsChanged(context, { description: value, ...rendered });
  else if (property === "topics_policy") {
    sendSettingsChanged(context, { topics_policy: value, mandatory_topics: value === "disable_empty_topic" });
  } else if (inDictionary.has(property)) sendSettingsChanged(context, { [property]: value });
  else sendToAll(context, { type: "realm", op: "update", property, value, ...since(level, 462, rendered) });
}

export const sendSettingsChanged = (context: HandlerContext, data: object): void =>
  sendToAll(context, { type: "realm", op: "update_dict", property: "default", data });
