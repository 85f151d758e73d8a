/** An administrator's day on a server newer than the recorded one: what is changed is seen through every read. */
import { expect, test } from "vitest";
import { ask, named, person, sandboxOf } from "./asking.ts";

const as = "iris";
const form = (values: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
  );

test("archiving a channel is seen in events and in what register tells afterwards", async () => {
  const sandbox = sandboxOf();
  const { stream_id: id } = named(sandbox.state.channels, "general");
  await ask(sandbox, "PATCH", "/realm", { as, form: form({ new_stream_announcements_stream_id: id }) });
  const register = async () =>
    (
      await ask(sandbox, "POST", "/register", {
        as,
        form: form({ fetch_event_types: ["realm", "stream", "default_streams", "subscription"] }),
      })
    ).body;
  const before = await register();
  expect(before.realm_default_streams).toContain(id);
  expect(before.realm_new_stream_announcements_stream_id).toBe(id);
  await ask(sandbox, "DELETE", `/streams/${id}`, { as, form: {} });
  const { queue_id, last_event_id } = before;
  const { body } = await ask(sandbox, "GET", "/events", {
    as,
    query: { queue_id, last_event_id: String(last_event_id), dont_block: "true" },
  });
  expect(body.events).toMatchObject([
    { type: "default_streams", default_streams: [] },
    { type: "realm", op: "update_dict", property: "default", data: { new_stream_announcements_stream_id: -1 } },
    { type: "stream", op: "delete", streams: [{ stream_id: id }] },
  ]);
  const after = await register();
  expect(after.realm_default_streams).toEqual([]);
  expect(after.realm_new_stream_announcements_stream_id).toBe(-1);
  const ids = (list: { stream_id: number }[]) => list.map(({ stream_id }) => stream_id);
  expect(ids(before.streams)).toContain(id);
  expect(ids(after.streams)).not.toContain(id);
});

test("a channel is created with its folder and permissions, once", async () => {
  const sandbox = sandboxOf();
  const { user_id } = person(sandbox, "cora");
  const wish = form({
    name: " Logo ",
    subscribers: [user_id],
    folder_id: 1,
    topics_policy: '"inherit"',
    can_subscribe_group: 9,
  });
  const { body } = await ask(sandbox, "POST", "/channels/create", { as, form: wish });
  const read = await ask(sandbox, "GET", `/streams/${body.id}`, { as });
  expect(read.body.stream).toMatchObject({ name: "Logo", folder_id: 1, subscriber_count: 1, can_subscribe_group: 9 });
  const again = await ask(sandbox, "POST", "/channels/create", { as, form: wish });
  expect([again.status, again.body.code]).toEqual([409, "CHANNEL_ALREADY_EXISTS"]);
});

test("a group comes back from level 386 on", async () => {
  for (const [level, status] of [
    [385, 400],
    [386, 200],
  ]) {
    const sandbox = sandboxOf({ level });
    const { id } = named(sandbox.state.groups, "makers");
    expect((await ask(sandbox, "POST", `/user_groups/${id}/deactivate`, { as, form: {} })).status).toBe(200);
    const back = await ask(sandbox, "PATCH", `/user_groups/${id}`, { as, form: form({ deactivated: false }) });
    expect(back.status).toBe(status);
  }
});

test("a waiting period takes new people out of the full members", async () => {
  const sandbox = sandboxOf();
  const { members } = named(sandbox.state.groups, "role:fullmembers");
  expect(members.size).toBeGreaterThan(0);
  await ask(sandbox, "PATCH", "/realm", { as, form: form({ waiting_period_threshold: 3 }) });
  expect(members.size).toBe(0);
});

test("the proxy lets no other method to the events", async () => {
  const sandbox = sandboxOf();
  expect((await ask(sandbox, "POST", "/events", { as, form: {} })).status).toBe(405);
  expect((await ask(sandbox, "OPTIONS", "/events", { as })).headers.allow).toBe("DELETE, GET, HEAD");
});
