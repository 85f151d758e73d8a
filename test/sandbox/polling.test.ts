/** Polls that wait for events: GET /events without `dont_block`. */
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { type Listening, listen } from "../../src/sandbox/listen.ts";
import { NoAnswer } from "../../src/world.ts";
import { ask, basic, noon, person, sandboxOf, site, textOf } from "./asking.ts";

/** A clock whose sleepers wake when it is moved past their time. */
function sleepingClock() {
  let now = noon;
  const sleepers = new Set<{ at: number; wake: () => void }>();
  return {
    now: () => now,
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        const sleeper = { at: now + ms, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", () => {
          sleepers.delete(sleeper);
          reject(signal.reason);
        });
      }),
    forward: (ms: number) => {
      now += ms;
      for (const sleeper of sleepers)
        if (sleeper.at <= now) {
          sleepers.delete(sleeper);
          sleeper.wake();
        }
    },
    sleepers,
  };
}

async function withQueue(event_types = ["realm", "user_group", "realm_user"]) {
  const clock = sleepingClock();
  const sandbox = sandboxOf({ clock, rateLimits: false });
  const form = { event_types: JSON.stringify(event_types), fetch_event_types: "[]" };
  const { body } = await ask(sandbox, "POST", "/register", { as: "adam", form });
  return { clock, sandbox, queue_id: body.queue_id as string };
}

const change = (sandbox: Sandbox, form: Record<string, string>) =>
  ask(sandbox, "PATCH", "/realm", { as: "iris", form });

function poll(sandbox: Sandbox, query: Record<string, string>, more: { timeout?: number; signal?: AbortSignal } = {}) {
  const answer = sandbox.handle({
    method: "GET",
    url: `${site}/api/v1/events?${new URLSearchParams(query)}`,
    headers: { authorization: basic(person(sandbox, "adam")) },
    timeout: 60_000,
    ...more,
  });
  return answer.then(async (response) => JSON.parse(await textOf(response)));
}

async function isOpen(answer: Promise<unknown>): Promise<boolean> {
  await turn();
  return Promise.race([answer.then(() => false), turn(true)]);
}

test("a poll waits until something happens, and is told of the first thing alone", async () => {
  const { sandbox, queue_id, clock } = await withQueue();
  const answer = poll(sandbox, { queue_id, last_event_id: "-1" });
  expect(await isOpen(answer)).toBe(true);
  await change(sandbox, { description: "new", digest_weekday: "3" });
  const { result, events } = await answer;
  expect([result, events]).toMatchObject(["success", [{ type: "realm", property: "description", id: 0 }]]);
  expect(clock.sleepers.size).toBe(0);
  const { events: next } = await poll(sandbox, { queue_id, last_event_id: "0" });
  expect(next).toMatchObject([{ property: "digest_weekday", value: 3, id: 1 }]);
});

test("what happened before is told at once, and so is that nothing did where nothing is to be waited for", async () => {
  const { sandbox, queue_id } = await withQueue();
  expect((await poll(sandbox, { queue_id, last_event_id: "-1", dont_block: "true" })).events).toEqual([]);
  await change(sandbox, { description: "new" });
  expect((await poll(sandbox, { queue_id, last_event_id: "-1" })).events).toMatchObject([{ id: 0 }]);
});

test("without an event the queue's heartbeat is told, whatever kinds were asked for, and takes an id", async () => {
  const { sandbox, queue_id, clock } = await withQueue(["realm"]);
  const answer = poll(sandbox, { queue_id, last_event_id: "-1" });
  clock.forward(44_999);
  expect(await isOpen(answer)).toBe(true);
  clock.forward(10_001);
  expect((await answer).events).toEqual([{ type: "heartbeat", id: 0 }]);
  await change(sandbox, { description: "new" });
  expect((await poll(sandbox, { queue_id, last_event_id: "0" })).events).toMatchObject([{ id: 1, type: "realm" }]);
});

test("what is no business of the queue's account or kinds does not end the wait", async () => {
  const { sandbox, queue_id } = await withQueue(["user_group"]);
  const answer = poll(sandbox, { queue_id, last_event_id: "-1" });
  await change(sandbox, { description: "new" });
  expect(await isOpen(answer)).toBe(true);
  await ask(sandbox, "POST", "/user_groups/create", {
    as: "iris",
    form: { name: "waiting", description: "", members: "[]" },
  });
  expect((await answer).events).toMatchObject([{ type: "user_group", op: "add" }]);
});

test("a second poll at a queue ends the first, which is told of nothing", async () => {
  const { sandbox, queue_id } = await withQueue();
  const first = poll(sandbox, { queue_id, last_event_id: "-1" });
  expect(await isOpen(first)).toBe(true);
  const second = poll(sandbox, { queue_id, last_event_id: "-1" });
  expect((await first).events).toEqual([]);
  await change(sandbox, { description: "new" });
  expect((await second).events).toMatchObject([{ id: 0 }]);
});

test("refusals do not wait", async () => {
  const { sandbox } = await withQueue();
  expect((await poll(sandbox, { queue_id: "none", last_event_id: "-1" })).code).toBe("BAD_EVENT_QUEUE_ID");
});

test("a caller who gives up ends the wait, and the event stays for the next poll", async () => {
  const { sandbox, queue_id, clock } = await withQueue();
  const gone = new AbortController();
  const answer = poll(sandbox, { queue_id, last_event_id: "-1" }, { signal: gone.signal });
  expect(await isOpen(answer)).toBe(true);
  gone.abort();
  await expect(answer).rejects.toMatchObject({ why: "stopped" });
  expect(clock.sleepers.size).toBe(0);
  await change(sandbox, { description: "new" });
  expect((await poll(sandbox, { queue_id, last_event_id: "-1" })).events).toMatchObject([{ id: 0 }]);
});

test("a caller in the same process waits no longer than its time limit", async () => {
  const { sandbox, queue_id, clock } = await withQueue();
  const answer = poll(sandbox, { queue_id, last_event_id: "-1" }, { timeout: 15_000 });
  clock.forward(15_000);
  await expect(answer).rejects.toThrow(NoAnswer);
});

let listening: Listening | undefined;
afterEach(async () => {
  await listening?.close();
  listening = undefined;
});

test("over a socket a poll ends with its client, and with the server", async () => {
  const clock = sleepingClock();
  const defects: unknown[] = [];
  listening = await listen(
    0,
    (address) => sandboxOf({ clock, site: address }),
    (error) => defects.push(error),
  );
  const { sandbox, site: address, close } = listening;
  const headers = { authorization: basic(person(sandbox, "adam")) };
  const registered = await fetch(`${address}/api/v1/register`, {
    method: "POST",
    headers,
    body: new URLSearchParams({ event_types: '["realm"]' }),
  });
  const { queue_id } = (await registered.json()) as { queue_id: string };
  const wait = (signal?: AbortSignal) =>
    fetch(`${address}/api/v1/events?queue_id=${queue_id}&last_event_id=-1`, { headers, ...(signal && { signal }) });
  const until = async (size: number) => {
    while (clock.sleepers.size !== size) await turn();
  };
  const gone = new AbortController();
  const first = wait(gone.signal);
  await until(1);
  gone.abort();
  await expect(first).rejects.toThrow();
  await until(0);
  const second = expect(wait()).rejects.toThrow("fetch failed");
  await until(1);
  await close();
  listening = undefined;
  await second;
  await until(0);
  expect(defects).toEqual([]);
});
