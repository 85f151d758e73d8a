/** An administrator's day on a server newer than the recorded one: what is changed is seen through every read. */
import { describe, expect, test } from "vitest";
import { ask, named, person, sandboxOf } from "./asking.ts";

const as = "iris";
const form = (values: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
  );

describe("a person who leaves", () => {
  test("goes with their bots, vanishes from channels, groups and permissions, and comes back to them", async () => {
    const sandbox = sandboxOf();
    const { state } = sandbox;
    const [iris, cora, beep] = [person(sandbox, "iris"), person(sandbox, "cora"), person(sandbox, "beep-bot")];
    beep.bot_owner_id = cora.user_id;
    const design = named(state.channels, "design");
    const designers = named(state.groups, "designers");
    const value = { direct_members: [cora.user_id, iris.user_id].sort((a, b) => a - b), direct_subgroups: [] };
    await ask(sandbox, "PATCH", "/realm", { as, form: form({ can_create_groups: { new: value } }) });
    const seen = async () => {
      const fetch = form({ fetch_event_types: ["realm"] });
      return {
        subscribers: (await ask(sandbox, "GET", `/streams/${design.stream_id}/members`, { as })).body.subscribers,
        members: (await ask(sandbox, "GET", `/user_groups/${designers.id}/members`, { as })).body.members,
        setting: (await ask(sandbox, "POST", "/register", { as, form: fetch })).body.realm_can_create_groups,
        bot: state.users.get(beep.user_id)!.is_active,
      };
    };
    const before = await seen();
    expect(before.subscribers).toContain(cora.user_id);
    await ask(sandbox, "DELETE", `/users/${cora.user_id}`, { as, form: {} });
    const gone = await seen();
    expect(gone.subscribers).not.toContain(cora.user_id);
    expect(gone.members).not.toContain(cora.user_id);
    expect(gone.setting).toEqual({ direct_members: [iris.user_id], direct_subgroups: [] });
    expect(gone.bot).toBe(false);
    await ask(sandbox, "POST", `/users/${cora.user_id}/reactivate`, { as, form: {} });
    expect(await seen()).toEqual({ ...before, bot: false });
  });
});

test("an archived channel is no default channel any more, and no setting names it", async () => {
  const sandbox = sandboxOf();
  const { organization, channels } = sandbox.state;
  const { stream_id: id } = named(channels, "general");
  await ask(sandbox, "PATCH", "/realm", { as, form: form({ signup_announcements_stream_id: id }) });
  expect(organization.settings.signup_announcements_stream_id).toBe(id);
  await ask(sandbox, "DELETE", `/streams/${id}`, { as, form: {} });
  expect(organization.settings.signup_announcements_stream_id).toBe(-1);
  const { body } = await ask(sandbox, "GET", "/streams", {
    as,
    query: { include_all: "true", exclude_archived: "false", include_default: "true" },
  });
  const general = () => body.streams.find((each: { stream_id: number }) => each.stream_id === id);
  expect(general()).toMatchObject({ is_archived: true, is_default: false });
  const back = await ask(sandbox, "PATCH", `/streams/${id}`, { as, form: form({ is_archived: false }) });
  expect(back.status).toBe(200);
  expect(channels.get(id)!.is_archived).toBe(false);
});

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

test("folders are renamed, put in order and archived when they are empty", async () => {
  const sandbox = sandboxOf();
  const change = (path: string, values: Record<string, unknown>, who = "adam") =>
    ask(sandbox, "PATCH", path, { as: who, form: form(values) });
  expect((await change("/channel_folders/1", { is_archived: true })).body.msg).toBe(
    "You need to remove all the channels from this folder to archive it.",
  );
  expect((await change("/channel_folders", { order: [2] })).body.msg).toBe("Invalid order mapping.");
  expect((await change("/channel_folders", { order: [2, 1] })).status).toBe(200);
  expect((await change("/channel_folders/1", { name: "Work" }, "cora")).body.msg).toBe(
    "Must be an organization administrator",
  );
  await change("/channel_folders/1", { name: "Work" });
  const { body } = await ask(sandbox, "GET", "/channel_folders", { as, query: { include_archived: "true" } });
  expect(body.channel_folders.map(({ id, name, order }: Record<string, unknown>) => [id, name, order])).toEqual([
    [2, "Past", 0],
    [1, "Work", 1],
  ]);
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

test("a group in use says where", async () => {
  const sandbox = sandboxOf();
  const { id } = named(sandbox.state.groups, "designers");
  const { body } = await ask(sandbox, "POST", `/user_groups/${id}/deactivate`, { as, form: {} });
  expect(body).toMatchObject({
    code: "CANNOT_DEACTIVATE_GROUP_IN_USE",
    objections: [{ type: "subgroup", supergroup_ids: [named(sandbox.state.groups, "makers").id] }],
  });
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
