import { deleteQueue, getEvents } from "../../api/events.ts";
import { ApiError, refused } from "../api-error.ts";
import { nextEvents, ownQueue } from "../events/queue.ts";
import { Later, on } from "../router.ts";

export const eventRoutes = [
  on(
    getEvents,
    {
      bucket: "events",
      // The part of the server that keeps the queues says less than the others about what is missing.
      missing: (name) => new ApiError(400, "BAD_REQUEST", `Missing '${name}' argument`),
    },
    (call, { queue_id, last_event_id = -1, dont_block = false }) => {
      const queue = ownQueue(call, queue_id);
      if (last_event_id < queue.pruned) throw refused(`An event newer than ${last_event_id} has already been pruned!`);
      if (last_event_id >= queue.next) throw refused(`Event ${last_event_id} was not in this queue`);
      queue.pruned = last_event_id;
      queue.events = queue.events.filter(({ id }) => id > last_event_id);
      // A poll that waits at the same queue makes way for this one.
      queue.wake?.();
      const { events } = queue;
      if (dont_block || events.length > 0) return { events };
      return new Later({ events }, async (wait) => ({ events: await nextEvents(queue, wait, call.random) }));
    },
  ),

  on(deleteQueue, {}, (call, { queue_id }) => {
    call.state.queues.delete(ownQueue(call, queue_id).id);
    return {};
  }),
];
