import { expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { basicAuth, clockAt, noon, openQueue, person, sandboxOf, sendRequest, site } from "./client.ts";

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

async function createExport(options: Parameters<typeof sandboxOf>[0] = {}) {
  const clock = clockAt(noon);
  const sandbox = sandboxOf({ ...options, clock });
  await sendRequest(sandbox, "POST", "/export/realm", { as: "adam", form: {} });
  clock.forward(5000);
  const { body } = await sendRequest(sandbox, "GET", "/export/realm", { as: "adam" });
  const [{ id, export_url }] = body.exports;
  return { sandbox, id, path: new URL(export_url).pathname };
}

test("serves the file of an export without credentials, whole or from a byte on", async () => {
  const { sandbox, path } = await createExport({ exportSize: 200_000 });
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
])("answers the range %s with %d", async (range, status, contentRange) => {
  const { sandbox, path } = await createExport({ exportSize: 100 });
  const { headers, ...answer } = await get(sandbox, path, { range });
  expect([answer.status, headers["content-range"]]).toEqual([status, contentRange]);
});

test("ignores a range if the file is newer than the date in If-Range", async () => {
  const { sandbox, path } = await createExport();
  const time = (await get(sandbox, path)).headers["last-modified"]!;
  expect((await get(sandbox, path, { range: "bytes=5-", "if-range": time })).status).toBe(206);
  const earlier = new Date(Date.parse(time) - 1000).toUTCString();
  expect((await get(sandbox, path, { range: "bytes=5-", "if-range": earlier })).status).toBe(200);
});

test("deletes the file of a deleted export, but not its row", async () => {
  const { sandbox, id, path } = await createExport();
  expect((await sendRequest(sandbox, "DELETE", `/export/realm/${id}`, { as: "adam" })).status).toBe(200);
  expect((await get(sandbox, path)).status).toBe(404);
  expect((await get(sandbox, "/user_avatars/exports/2/none/zulip-export-1.tar.gz")).status).toBe(404);
  const { body } = await sendRequest(sandbox, "GET", "/export/realm", { as: "adam" });
  expect(body.exports).toMatchObject([{ id, export_url: null, deleted_timestamp: expect.any(Number) }]);
  expect((await sendRequest(sandbox, "DELETE", `/export/realm/${id}`, { as: "adam" })).body.msg).toBe(
    "Export already deleted",
  );
});

test("serves an upload to its owner and to people who received a message with it", async () => {
  const sandbox = sandboxOf();
  const { body } = await sendRequest(sandbox, "GET", "/attachments", { as: "cora" });
  const [sketch, notes] = body.attachments;
  const as = (key: string) => ({ authorization: basicAuth(person(sandbox, key)) });
  expect((await get(sandbox, `/user_uploads/${sketch.path_id}`, as("cora"))).bytes.length).toBe(sketch.size);
  expect((await get(sandbox, `/user_uploads/${sketch.path_id}`, as("otis"))).status).toBe(200);
  expect((await get(sandbox, `/user_uploads/${notes.path_id}`, as("otis"))).status).toBe(403);
  expect((await get(sandbox, `/user_uploads/${notes.path_id}`)).status).toBe(401);
  expect((await get(sandbox, "/user_uploads/2/none", as("cora"))).status).toBe(404);
});

test("serves a new upload to its owner, and to readers of a message at a temporary address", async () => {
  const sandbox = sandboxOf();
  const form = '--x\r\nContent-Disposition: form-data; name="f"; filename="plan 1.txt"\r\n\r\nthe plan\r\n--x--\r\n';
  const headers = { "content-type": "multipart/form-data; boundary=x" };
  const { body } = await sendRequest(sandbox, "POST", "/user_uploads", { as: "cora", headers, body: form });
  expect(body).toMatchObject({ filename: "plan 1.txt", url: expect.stringMatching(/\/plan-1\.txt$/) });
  const as = (key: string) => ({ authorization: basicAuth(person(sandbox, key)) });
  expect((await get(sandbox, body.url, as("cora"))).bytes.toString()).toBe("the plan");
  expect((await sendRequest(sandbox, "GET", body.url, { as: "otis" })).status).toBe(403);
  const content = `see [the plan](${body.url})`;
  await sendRequest(sandbox, "POST", "/messages", { as: "cora", form: { type: "direct", to: "[12]", content } });
  const { body: temporary } = await sendRequest(sandbox, "GET", body.url, { as: "otis" });
  expect((await get(sandbox, temporary.url)).bytes.toString()).toBe("the plan");
});

test("lets only the author change and delete a scheduled message", async () => {
  const sandbox = sandboxOf();
  const next = await openQueue(sandbox, "cora", ["scheduled_messages"]);
  const time = noon / 1000 + 60;
  const form = { type: "channel", to: "1", topic: "later", content: "hi", scheduled_delivery_timestamp: String(time) };
  const { body: created } = await sendRequest(sandbox, "POST", "/scheduled_messages", { as: "cora", form });
  const path = `/scheduled_messages/${created.scheduled_message_id}`;
  await sendRequest(sandbox, "PATCH", path, { as: "cora", form: { type: "direct", to: "[12]" } });
  const { body: listed } = await sendRequest(sandbox, "GET", "/scheduled_messages", { as: "cora" });
  const direct = { to: [12], type: "private", content: "hi", rendered_content: "<p>hi</p>", failed: false };
  expect(listed.scheduled_messages).toEqual([
    { ...direct, scheduled_message_id: created.scheduled_message_id, scheduled_delivery_timestamp: time },
  ]);
  expect((await sendRequest(sandbox, "DELETE", path, { as: "iris" })).status).toBe(404);
  expect((await sendRequest(sandbox, "DELETE", path, { as: "cora" })).status).toBe(200);
  expect((await next()).map(({ op }) => op)).toEqual(["add", "update", "remove"]);
});
