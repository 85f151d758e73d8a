/** Sends, edits, moves, resolves and deletes messages: the state, the notices and the events. */
import { expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { clockAt, findByName, noon, openQueue, person, sandboxOf, sendRequest } from "./client.ts";

const createSandbox = () => {
  const clock = clockAt(noon);
  const sandbox = sandboxOf({ clock, level: 371 });
  const { stream_id } = findByName(sandbox.state.channels, "design");
  return { clock, sandbox, channel: stream_id };
};

async function sendMessage(sandbox: Sandbox, as: string, form: Record<string, string>): Promise<number> {
  const { status, body } = await sendRequest(sandbox, "POST", "/messages", { as, form: { type: "channel", ...form } });
  expect([status, body.msg]).toEqual([200, ""]);
  return body.id;
}

/** The senders and texts of a topic. 6 is Notification Bot. */
const messagesOf = ({ state }: Sandbox, wanted: string) =>
  [...state.messages.values()]
    .filter(({ stream_id, topic }) => stream_id === findByName(state.channels, "design").stream_id && topic === wanted)
    .map(({ sender_id, content }) => [sender_id, content]);

const edit = (sandbox: Sandbox, as: string, id: number, form: Record<string, string>) =>
  sendRequest(sandbox, "PATCH", `/messages/${id}`, { as, form });

test("keeps both texts of an edited message in its history", async () => {
  const { sandbox, channel, clock } = createSandbox();
  const id = await sendMessage(sandbox, "cora", { to: String(channel), topic: "fonts", content: "first" });
  clock.forward(5000);
  expect((await edit(sandbox, "cora", id, { content: "second" })).body).toEqual({
    result: "success",
    msg: "",
    detached_uploads: [],
  });
  const { message } = (await sendRequest(sandbox, "GET", `/messages/${id}`, { as: "cora" })).body;
  const timestamp = noon / 1000 + 5;
  expect(message).toMatchObject({
    content: "<p>second</p>",
    last_edit_timestamp: timestamp,
    edit_history: [
      {
        user_id: person(sandbox, "cora").user_id,
        timestamp,
        prev_content: "first",
        prev_rendered_content: "<p>first</p>",
      },
    ],
  });
  expect(message).not.toHaveProperty("last_moved_timestamp");
});

test("moves one message, later messages or the whole topic, with notices in both topics", async () => {
  const { sandbox, channel } = createSandbox();
  const to = String(channel);
  const ids: number[] = [];
  for (const content of ["a", "b", "c", "d"])
    ids.push(await sendMessage(sandbox, "cora", { to, topic: "fonts", content }));
  const { user_id } = person(sandbox, "otis");
  const by = `by @_**Otis Member|${user_id}**.`;
  await edit(sandbox, "otis", ids[0]!, { topic: "one" });
  expect(messagesOf(sandbox, "one").at(-1)).toEqual([
    6,
    `[A message](https://chat.example/#narrow/channel/${to}-design/topic/one/near/${ids[0]}) was moved here from #**design>fonts** ${by}`,
  ]);
  const both = { send_notification_to_old_thread: "true" };
  await edit(sandbox, "otis", ids[2]!, { topic: "later", propagate_mode: "change_later", ...both });
  expect(messagesOf(sandbox, "later").at(-1)).toEqual([6, `2 messages were moved here from #**design>fonts** ${by}`]);
  expect(messagesOf(sandbox, "fonts").at(-1)).toEqual([
    6,
    `2 messages were moved from this topic to #**design>later** ${by}`,
  ]);
  await edit(sandbox, "otis", ids[3]!, { topic: "all", propagate_mode: "change_all", ...both });
  expect(messagesOf(sandbox, "all").map(([, content]) => content)).toEqual([
    "c",
    "d",
    `2 messages were moved here from #**design>fonts** ${by}`,
    `This topic was moved here from #**design>later** ${by}`,
  ]);
  expect(messagesOf(sandbox, "later")).toEqual([[6, `This topic was moved to #**design>all** ${by}`]]);
});

test("deletes the notice of a resolved topic if it is reopened at once", async () => {
  const { sandbox, channel, clock } = createSandbox();
  const id = await sendMessage(sandbox, "cora", { to: String(channel), topic: "fonts", content: "a" });
  const { user_id } = person(sandbox, "cora");
  const next = await openQueue(sandbox, "iris", ["update_message", "delete_message"]);
  const mark = (topic: string) => edit(sandbox, "cora", id, { topic, propagate_mode: "change_all" });
  await mark("✔ fonts");
  const notice = [6, `@_**Cora Member|${user_id}** has marked this topic as resolved.`];
  expect(messagesOf(sandbox, "✔ fonts")).toEqual([[user_id, "a"], notice]);
  expect(await next()).toMatchObject([{ type: "update_message", orig_subject: "fonts", subject: "✔ fonts" }]);
  await mark("fonts");
  expect(messagesOf(sandbox, "fonts")).toEqual([[user_id, "a"]]);
  expect(await next()).toMatchObject([
    { type: "update_message", message_ids: [id, id + 1] },
    { type: "delete_message", message_ids: [id + 1], topic: "fonts" },
  ]);
  await mark("✔ fonts");
  clock.forward(61_000);
  await mark("fonts");
  expect(messagesOf(sandbox, "fonts").at(-1)).toEqual([
    6,
    `@_**Cora Member|${user_id}** has marked this topic as unresolved.`,
  ]);
});

test("hides messages in a private channel from people who are not subscribed", async () => {
  const { sandbox, channel } = createSandbox();
  const id = await sendMessage(sandbox, "iris", { to: String(channel), topic: "plans", content: "a" });
  const [cora, otis] = [
    await openQueue(sandbox, "cora", ["delete_message"]),
    await openQueue(sandbox, "otis", ["message"]),
  ];
  const { stream_id } = findByName(sandbox.state.channels, "staff");
  const { status } = await edit(sandbox, "iris", id, { stream_id: String(stream_id) });
  expect(status).toBe(200);
  expect((await sendRequest(sandbox, "GET", `/messages/${id}`, { as: "adam" })).status).toBe(200);
  expect((await sendRequest(sandbox, "GET", `/messages/${id}`, { as: "cora" })).body.msg).toBe("Invalid message(s)");
  expect(await cora()).toMatchObject([{ message_ids: [id], stream_id: channel, topic: "plans" }]);
  expect(await otis()).toEqual([]);
});

test("deletes the oldest message of a channel, and then the rest of a topic", async () => {
  const { sandbox, channel } = createSandbox();
  const [first, second] = [...sandbox.state.messages.values()].filter(({ stream_id }) => stream_id === channel);
  const next = await openQueue(sandbox, "cora", ["stream", "delete_message"]);
  expect((await sendRequest(sandbox, "DELETE", `/messages/${first!.id}`, { as: "adam" })).status).toBe(200);
  expect(await next()).toMatchObject([
    { type: "stream", op: "update", property: "first_message_id", value: second!.id },
    { type: "delete_message", message_ids: [first!.id], message_type: "stream", stream_id: channel, topic: "logo" },
  ]);
  const form = { topic_name: "LOGO" };
  expect(
    (await sendRequest(sandbox, "POST", `/streams/${channel}/delete_topic`, { as: "adam", form })).body.complete,
  ).toBe(true);
  expect(messagesOf(sandbox, "logo")).toEqual([]);
  expect((await sendRequest(sandbox, "DELETE", `/messages/${first!.id}`, { as: "adam" })).body.msg).toBe(
    "Invalid message(s)",
  );
});

test("sends the event of a message to receivers, to queues of all public channels, and by narrow", async () => {
  const { sandbox, channel } = createSandbox();
  const [cora, mona] = [await openQueue(sandbox, "cora", ["message"]), await openQueue(sandbox, "mona", ["message"])];
  const all = await openQueue(sandbox, "mona", ["message"], { all_public_streams: "true", apply_markdown: "true" });
  const narrow = await openQueue(sandbox, "cora", ["message"], { narrow: '[["topic","fonts"]]' });
  const to = String(channel);
  const id = await sendMessage(sandbox, "otis", { to, topic: "fonts", content: "@**Cora Member** *look*" });
  await sendMessage(sandbox, "otis", { to, topic: "logo", content: "other" });
  const corasId = person(sandbox, "cora").user_id;
  expect(await cora()).toMatchObject([
    { message: { id, content: "@**Cora Member** *look*" }, flags: ["mentioned"] },
    { message: { subject: "logo" }, flags: [] },
  ]);
  expect(await mona()).toEqual([]);
  const html = `<p><span class="user-mention" data-user-id="${corasId}">@Cora Member</span> <em>look</em></p>`;
  expect((await all())[0]).toMatchObject({ message: { id, content: html }, flags: [] });
  expect(await narrow()).toHaveLength(1);
});

test("changes flags of single messages and of a narrow", async () => {
  const { sandbox, channel } = createSandbox();
  const id = await sendMessage(sandbox, "otis", { to: String(channel), topic: "fonts", content: "a" });
  const next = await openQueue(sandbox, "cora", ["update_message_flags"]);
  const form = { messages: `[${id}]`, op: "add", flag: "starred" };
  expect((await sendRequest(sandbox, "POST", "/messages/flags", { as: "cora", form })).body).toMatchObject({
    messages: [id],
  });
  const narrow = JSON.stringify([{ operator: "topic", operand: "fonts" }]);
  const marks = { anchor: "oldest", num_before: "0", num_after: "9", narrow, op: "add", flag: "read" };
  const { body } = await sendRequest(sandbox, "POST", "/messages/flags/narrow", { as: "cora", form: marks });
  expect(body).toMatchObject({ processed_count: 1, updated_count: 1, first_processed_id: id, last_processed_id: id });
  const { flags } = (await sendRequest(sandbox, "GET", `/messages/${id}`, { as: "cora" })).body.message;
  expect(flags).toEqual(["read", "starred"]);
  expect(await next()).toMatchObject([
    { op: "add", flag: "starred", messages: [id], all: false },
    { op: "add", flag: "read", messages: [id] },
  ]);
  expect((await sendRequest(sandbox, "GET", `/messages/${id}/read_receipts`, { as: "otis" })).body.user_ids).toEqual([
    person(sandbox, "cora").user_id,
  ]);
});
