import { expect, test } from "vitest";
import { clockAt, sandboxOf, sendRequest } from "./client.ts";
import { createState } from "./recorded.ts";

test("presence is active, then idle, then offline", async () => {
  const clock = clockAt(Date.UTC(2026, 10, 24));
  const seconds = clock.now() / 1000;
  const sandbox = sandboxOf({ clock, state: createState({}), level: 371, rateLimits: false });
  const get = async (as: string, path: string, query = {}) =>
    (await sendRequest(sandbox, "GET", path, { as, query })).body;
  const post = async (as: string, path: string, form: Record<string, string>) =>
    (await sendRequest(sandbox, "POST", path, { as, form })).body;
  const ping = (as: string, form: Record<string, string>) => post(as, "/users/me/presence", form);

  const { queue_id } = await post("memb", "/register", { event_types: '["presence"]' });
  await ping("mema", { status: "active", ping_only: "true" });
  clock.forward(100_000);
  const slim = await ping("mema", { status: "idle", slim_presence: "true" });
  expect(slim.presences).toEqual({ 106: { active_timestamp: seconds, idle_timestamp: seconds + 100 } });
  expect((await get("memb", "/users/106/presence")).presence.aggregated).toEqual({
    status: "idle",
    timestamp: seconds + 100,
  });
  clock.forward(300_000);
  expect((await get("memb", "/users/106/presence")).presence).toEqual({
    aggregated: { status: "offline", timestamp: seconds + 100 },
    website: { status: "idle", timestamp: seconds + 100 },
  });
  await ping("mema", { status: "active" });
  const since = { status: "active", last_update_id: String(slim.presence_last_update_id) };
  const now = { active_timestamp: seconds + 400, idle_timestamp: seconds + 400 };
  expect((await ping("memb", since)).presences).toEqual({ 106: now, 107: now });
  const { events } = await get("memb", "/events", { queue_id, last_event_id: "-1", dont_block: "true" });
  expect(events.map(({ user_id, presence }: Record<string, never>) => [user_id, presence])).toEqual(
    [
      [106, "active", seconds],
      [106, "active", seconds + 400],
      [107, "active", seconds + 400],
    ].map(([id, status, timestamp]) => [id, { website: { client: "website", status, timestamp, pushable: false } }]),
  );
  clock.forward(20 * 86_400_000);
  expect((await get("memb", "/realm/presence")).presences).toEqual({});
  expect(Object.keys((await ping("memc", { status: "idle", history_limit_days: "30" })).presences)).toHaveLength(3);
});
