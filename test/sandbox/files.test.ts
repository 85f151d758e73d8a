import { expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { ask, basic, clockAt, noon, person, queueOf, sandboxOf, site } from "./asking.ts";

async function get(
  sandbox: Sandbox,
  path: string,
  headers: Record<string, string> = {},
  method: "GET" | "HEAD" = "GET",
) {
  const answer = await sandbox.handle({ method, url: `${site}${path}`, headers, timeout: 1000 });
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer.body) chunks.push(chunk);
  return { status: answer.status, headers: answer.headers, bytes: Buffer.concat(chunks) };
}

async function exported(options: Parameters<typeof sandboxOf>[0] = {}) {
  const clock = clockAt(noon);
  const sandbox = sandboxOf({ ...options, clock });
  await ask(sandbox, "POST", "/export/realm", { as: "adam", form: {} });
  clock.forward(5000);
  const { body } = await ask(sandbox, "GET", "/export/realm", { as: "adam" });
  const [{ id, export_url }] = body.exports;
  return { sandbox, id, path: new URL(export_url).pathname };
}

test("an export's file is there for whoever knows its address, whole or from a byte on", async () => {
  const { sandbox, path } = await exported({ exportSize: 200_000 });
  const whole = await get(sandbox, path);
  expect([whole.status, whole.bytes.length, whole.headers["content-length"]]).toEqual([200, 200_000, "200000"]);
  const rest = await get(sandbox, path, { range: "bytes=65530-" });
  expect([rest.status, rest.headers["content-range"]]).toEqual([206, "bytes 65530-199999/200000"]);
  expect(Buffer.concat([whole.bytes.subarray(0, 65_530), rest.bytes]).equals(whole.bytes)).toBe(true);
  expect((await get(sandbox, path, { range: "bytes=5-", "if-range": '"another"' })).status).toBe(200);
  const beyond = await get(sandbox, path, { range: "bytes=200000-" });
  expect([beyond.status, beyond.headers["content-range"]]).toEqual([416, "bytes */200000"]);
  const head = await get(sandbox, path, {}, "HEAD");
  expect([head.status, head.headers["content-length"], head.bytes.length]).toEqual([200, "200000", 0]);
});

test.each([
  ["bytes= 5 - 9 ", 206, "bytes 5-9/100"],
  ["bytes=90-200", 206, "bytes 90-99/100"],
  ["lines=1-2", 200, undefined],
  ["bytes=", 200, undefined],
  ["bytes=9-5", 416, "bytes */100"],
])("a range of %s is answered with %d", async (range, status, place) => {
  const { sandbox, path } = await exported({ exportSize: 100 });
  const { headers, ...answer } = await get(sandbox, path, { range });
  expect([answer.status, headers["content-range"]]).toEqual([status, place]);
});

test("a range counts while the file is still the one of that time", async () => {
  const { sandbox, path } = await exported();
  const time = (await get(sandbox, path)).headers["last-modified"]!;
  expect((await get(sandbox, path, { range: "bytes=5-", "if-range": time })).status).toBe(206);
  const earlier = new Date(Date.parse(time) - 1000).toUTCString();
  expect((await get(sandbox, path, { range: "bytes=5-", "if-range": earlier })).status).toBe(200);
});

test("the file goes with the export, and its row stays", async () => {
  const { sandbox, id, path } = await exported();
  expect((await ask(sandbox, "DELETE", `/export/realm/${id}`, { as: "adam" })).status).toBe(200);
  expect((await get(sandbox, path)).status).toBe(404);
  expect((await get(sandbox, "/user_avatars/exports/2/none/zulip-export-1.tar.gz")).status).toBe(404);
  const { body } = await ask(sandbox, "GET", "/export/realm", { as: "adam" });
  expect(body.exports).toMatchObject([{ id, export_url: null, deleted_timestamp: expect.any(Number) }]);
  expect((await ask(sandbox, "DELETE", `/export/realm/${id}`, { as: "adam" })).body.msg).toBe("Export already deleted");
});

test("an upload is its owner's, and theirs who received a message with it", async () => {
  const sandbox = sandboxOf();
  const { body } = await ask(sandbox, "GET", "/attachments", { as: "cora" });
  const [sketch, notes] = body.attachments;
  const as = (key: string) => ({ authorization: basic(person(sandbox, key)) });
  expect((await get(sandbox, `/user_uploads/${sketch.path_id}`, as("cora"))).bytes.length).toBe(sketch.size);
  expect((await get(sandbox, `/user_uploads/${sketch.path_id}`, as("otis"))).status).toBe(200);
  expect((await get(sandbox, `/user_uploads/${notes.path_id}`, as("otis"))).status).toBe(403);
  expect((await get(sandbox, `/user_uploads/${notes.path_id}`)).status).toBe(401);
  expect((await get(sandbox, "/user_uploads/2/none", as("cora"))).status).toBe(404);
});

test("an upload can be linked, downloaded, and read through a temporary address", async () => {
  const sandbox = sandboxOf();
  const form = '--x\r\nContent-Disposition: form-data; name="f"; filename="plan 1.txt"\r\n\r\nthe plan\r\n--x--\r\n';
  const headers = { "content-type": "multipart/form-data; boundary=x" };
  const { body } = await ask(sandbox, "POST", "/user_uploads", { as: "cora", headers, body: form });
  expect(body).toMatchObject({ filename: "plan 1.txt", url: expect.stringMatching(/\/plan-1\.txt$/) });
  const as = (key: string) => ({ authorization: basic(person(sandbox, key)) });
  expect((await get(sandbox, body.url, as("cora"))).bytes.toString()).toBe("the plan");
  expect((await ask(sandbox, "GET", body.url, { as: "otis" })).status).toBe(403);
  const content = `see [the plan](${body.url})`;
  await ask(sandbox, "POST", "/messages", { as: "cora", form: { type: "direct", to: "[12]", content } });
  const { body: temporary } = await ask(sandbox, "GET", body.url, { as: "otis" });
  expect((await get(sandbox, temporary.url)).bytes.toString()).toBe("the plan");
});

test("a scheduled message is its author's, who changes and deletes it", async () => {
  const sandbox = sandboxOf();
  const next = await queueOf(sandbox, "cora", ["scheduled_messages"]);
  const time = noon / 1000 + 60;
  const form = { type: "channel", to: "1", topic: "later", content: "hi", scheduled_delivery_timestamp: String(time) };
  const { body: made } = await ask(sandbox, "POST", "/scheduled_messages", { as: "cora", form });
  const path = `/scheduled_messages/${made.scheduled_message_id}`;
  await ask(sandbox, "PATCH", path, { as: "cora", form: { type: "direct", to: "[12]" } });
  const { body: listed } = await ask(sandbox, "GET", "/scheduled_messages", { as: "cora" });
  const direct = { to: [12], type: "private", content: "hi", rendered_content: "<p>hi</p>", failed: false };
  expect(listed.scheduled_messages).toEqual([
    { ...direct, scheduled_message_id: made.scheduled_message_id, scheduled_delivery_timestamp: time },
  ]);
  expect((await ask(sandbox, "DELETE", path, { as: "iris" })).status).toBe(404);
  expect((await ask(sandbox, "DELETE", path, { as: "cora" })).status).toBe(200);
  expect((await next()).map(({ op }) => op)).toEqual(["add", "update", "remove"]);
});
