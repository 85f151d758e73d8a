/** Events that levels between 443 and 512 changed. */
import { expect, test } from "vitest";
import { clockAt, findByName, noon, openQueue, person, sandboxOf, sendRequest } from "./client.ts";

test.each([
  [461, [{ op: "update", property: "description", value: "*new*" }]],
  [462, [{ op: "update", property: "description", value: "*new*", rendered_description: "<p><em>new</em></p>" }]],
  [
    464,
    [
      {
        op: "update_dict",
        property: "default",
        data: { description: "*new*", rendered_description: "<p><em>new</em></p>" },
      },
    ],
  ],
])("sends a new description as level %i does", async (level, events) => {
  const sandbox = sandboxOf({ level });
  const read = await openQueue(sandbox, "iris", ["realm"]);
  await sendRequest(sandbox, "PATCH", "/realm", { as: "iris", form: { description: "*new*" } });
  expect(await read()).toEqual(events.map((event, id) => ({ type: "realm", ...event, id })));
});

test.each([
  [452, "giphy_rating"],
  [453, "gif_rating_policy"],
])("names the rating of GIFs as level %i does", async (level, property) => {
  const sandbox = sandboxOf({ level });
  const read = await openQueue(sandbox, "iris", ["realm"]);
  await sendRequest(sandbox, "PATCH", "/realm", { as: "iris", form: { [property]: "3" } });
  expect(await read()).toEqual([{ type: "realm", op: "update", property, value: 3, id: 0 }]);
});

test.each([
  [453, "recent_topics"],
  [454, "recent"],
])("sends the word of level %i for a view", async (level, web_home_view) => {
  const sandbox = sandboxOf({ level });
  const read = await openQueue(sandbox, "iris", ["realm_user_settings_defaults", "user_settings"]);
  await sendRequest(sandbox, "PATCH", "/realm/user_settings_defaults", { as: "iris", form: { web_home_view } });
  await sendRequest(sandbox, "PATCH", "/settings", { as: "iris", form: { web_home_view } });
  const change = { op: "update", property: "web_home_view", value: web_home_view };
  expect(await read()).toEqual([
    { type: "realm_user_settings_defaults", ...change, id: 0 },
    { type: "user_settings", ...change, id: 1 },
  ]);
});

test.each([
  [460, ["full_name", "avatar_url", "api_key", "default_all_public_streams", "is_active"]],
  [461, ["full_name", "email", "avatar_url", "api_key", "default_all_public_streams", "is_active"]],
  [474, ["default_all_public_streams"]],
])("tells owners of bots at level %i about %j", async (level, members) => {
  const sandbox = sandboxOf({ level });
  const { user_id } = person(sandbox, "beep-bot");
  const read = await openQueue(sandbox, "iris", ["realm_bot"]);
  const change = (form: Record<string, string>) =>
    sendRequest(sandbox, "PATCH", `/bots/${user_id}`, { as: "iris", form });
  await change({ full_name: "Boop" });
  await change({ short_name: "boop" });
  await sendRequest(sandbox, "POST", `/bots/${user_id}/api_key/regenerate`, { as: "iris" });
  await change({ default_all_public_streams: "true" });
  await sendRequest(sandbox, "DELETE", `/bots/${user_id}`, { as: "iris" });
  const events = await read();
  expect(events.map(({ bot }) => Object.keys(Object(bot)).filter((name) => name !== "user_id"))).toEqual(
    members.map((name) => [name]),
  );
});

test("sends a changed emoji alone to clients that can read it, from level 491 on", async () => {
  const eventsAt = async (level: number, capability: boolean) => {
    const sandbox = sandboxOf({ level });
    const emoji = { name: "party", source_url: "/p.png", still_url: null, deactivated: false, author_id: 8 };
    sandbox.state.emoji.set(1, emoji);
    const capabilities = { notification_settings_null: false, individual_emoji_changes: capability };
    const more = { client_capabilities: JSON.stringify(capabilities) };
    const read = await openQueue(sandbox, "iris", ["realm_emoji"], more);
    await sendRequest(sandbox, "DELETE", "/realm/emoji/party", { as: "iris" });
    return read();
  };
  const all = { realm_emoji: { 1: expect.objectContaining({ deactivated: true }) } };
  expect(await eventsAt(490, true)).toEqual([{ type: "realm_emoji", op: "update", ...all, id: 0 }]);
  expect(await eventsAt(491, false)).toEqual([{ type: "realm_emoji", op: "update", ...all, id: 0 }]);
  expect(await eventsAt(491, true)).toEqual([
    { type: "realm_emoji", op: "update_one", emoji_id: "1", data: { deactivated: true }, id: 0 },
  ]);
});

test.each([
  [489, () => "Deleted user"],
  [490, (id: number) => `Deleted user ${id}`],
])("tells others what is deleted with an account at level %i", async (level, nameOf) => {
  const sandbox = sandboxOf({ level });
  const { user_id } = person(sandbox, "otis");
  const own = [...sandbox.state.messages.values()].filter(({ sender_id }) => sender_id === user_id);
  const design = findByName(sandbox.state.channels, "design").stream_id;
  const read = await openQueue(sandbox, "cora", ["realm_user", "delete_message"]);
  const actions = JSON.stringify({ delete_public_channel_messages: true, delete_profile: true });
  await sendRequest(sandbox, "DELETE", `/users/${user_id}`, { as: "iris", query: { actions } });
  const events = (await read()).map(({ id: _, ...event }) => event);
  const persons = events.flatMap(({ type, person }) => (type === "realm_user" ? [person] : []));
  expect(persons).toEqual([
    { user_id, full_name: nameOf(user_id) },
    { user_id, is_active: false },
  ]);
  expect(events.filter(({ type }) => type === "delete_message")).toEqual([
    expect.objectContaining({
      message_ids: own.filter(({ stream_id }) => stream_id === design).map(({ id }) => id),
      message_type: "stream",
      stream_id: design,
    }),
  ]);
  expect([...sandbox.state.messages.values()].filter(({ sender_id }) => sender_id === user_id)).toEqual(
    own.filter(({ stream_id }) => stream_id !== design),
  );
});

test("does not tell the caller about deleted messages that the caller cannot read", async () => {
  const sandbox = sandboxOf({ level: 500 });
  const { user_id } = person(sandbox, "cora");
  const { stream_id } = findByName(sandbox.state.channels, "council");
  const form = { type: "channel", to: String(stream_id), topic: "t", content: "c" };
  await sendRequest(sandbox, "POST", "/messages", { as: "cora", form });
  const queues = [
    await openQueue(sandbox, "adam", ["delete_message"]),
    await openQueue(sandbox, "mona", ["delete_message"]),
  ];
  const actions = JSON.stringify({ delete_private_channel_messages: true });
  await sendRequest(sandbox, "DELETE", `/users/${user_id}`, { as: "adam", query: { actions } });
  const counts = await Promise.all(queues.map(async (read) => (await read()).length));
  expect(counts).toEqual([0, 1]);
});

test.each([
  [471, "messages"],
  [472, "message_ids"],
])("lists the messages of a file at level %i as %s", async (level, member) => {
  const { body } = await sendRequest(sandboxOf({ level }), "GET", "/attachments", { as: "iris" });
  for (const attachment of body.attachments) expect(attachment).toHaveProperty(member);
});

test("an idle queue lives as long as the client asked", async () => {
  const clock = clockAt(noon);
  const sandbox = sandboxOf({ level: 481, clock });
  const register = async (more: Record<string, string>) =>
    (await sendRequest(sandbox, "POST", "/register", { as: "iris", form: { event_types: "[]", ...more } })).body;
  const [short, long] = [await register({}), await register({ idle_queue_timeout: "3600" })];
  expect([short.idle_queue_timeout_secs, long.idle_queue_timeout_secs]).toEqual([600, 3600]);
  clock.forward(1_800_000);
  const statusOf = async (queue_id: string) =>
    (await sendRequest(sandbox, "GET", "/events", { as: "iris", query: { queue_id, dont_block: "true" } })).status;
  expect([await statusOf(short.queue_id), await statusOf(long.queue_id)]).toEqual([400, 200]);
});
