import { createHash } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { type Listening, listen } from "../../src/sandbox/listen.ts";
import { ask, basic, clockAt, noon, person, sandboxOf, site } from "./asking.ts";

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
  const last = await get(sandbox, path, { range: "bytes=-5", "if-range": whole.headers.etag! });
  expect(last.bytes.equals(whole.bytes.subarray(-5))).toBe(true);
  expect((await get(sandbox, path, { range: "bytes=5-", "if-range": '"another"' })).status).toBe(200);
  const beyond = await get(sandbox, path, { range: "bytes=200000-" });
  expect([beyond.status, beyond.headers["content-range"]]).toEqual([416, "bytes */200000"]);
  const head = await get(sandbox, path, {}, "HEAD");
  expect([head.status, head.headers["content-length"], head.bytes.length]).toEqual([200, "200000", 0]);
});

test.each([
  ["bytes= 5 - 9 ", 206, "bytes 5-9/100"],
  ["bytes=90-200", 206, "bytes 90-99/100"],
  ["BYTES=-200", 206, "bytes 0-99/100"],
  // Of several parts the whole file comes.
  ["bytes=0-4,90-99", 200, undefined],
  ["lines=1-2", 200, undefined],
  ["bytes=", 200, undefined],
  ["bytes=9-5", 416, "bytes */100"],
  ["bytes=-0", 416, "bytes */100"],
  ["bytes=1-2;3-4", 416, "bytes */100"],
  ["bytes=-", 416, "bytes */100"],
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

test("a temporary address leads anybody to an upload for a minute, and away from it with the file", async () => {
  const clock = clockAt(noon);
  const sandbox = sandboxOf({ clock });
  const [sketch, notes] = (await ask(sandbox, "GET", "/attachments", { as: "cora" })).body.attachments;
  const address = async (path_id: string, as: string) => {
    const { status, body } = await ask(sandbox, "GET", `/user_uploads/${path_id}`, { as });
    return status === 200 ? (body.url as string) : status;
  };
  const url = (await address(sketch.path_id, "otis")) as string;
  expect(url).toMatch(/^\/user_uploads\/temporary\/[0-9A-F]{64}\/[^/]+$/);
  clock.forward(60_000);
  expect((await get(sandbox, url)).bytes.length).toBe(sketch.size);
  const said = async (path: string) => JSON.parse(String((await get(sandbox, path)).bytes)).msg;
  expect(await said(`${url}x`)).toBe("Invalid filename");
  clock.forward(1);
  expect(await said(url)).toBe("Invalid token");
  expect([await address(notes.path_id, "otis"), await address("2/none/x.txt", "cora")]).toEqual([403, 404]);
  const own = (await address(notes.path_id, "cora")) as string;
  await ask(sandbox, "DELETE", `/attachments/${notes.id}`, { as: "cora" });
  expect((await get(sandbox, own)).status).toBe(404);
});

test("an upload's own address takes the key as a parameter", async () => {
  const sandbox = sandboxOf();
  const [{ path_id }] = (await ask(sandbox, "GET", "/attachments", { as: "cora" })).body.attachments;
  const by = (key: string) => get(sandbox, `/user_uploads/${path_id}?api_key=${key}`);
  expect((await by(person(sandbox, "cora").api_key)).status).toBe(200);
  const refused = async (key: string) => JSON.parse(String((await by(key)).bytes));
  const code = "INVALID_API_KEY";
  expect(await refused("wrong")).toEqual({ result: "error", msg: "Malformed API key", code });
  expect(await refused("x".repeat(32))).toEqual({ result: "error", msg: "Invalid API key", code });
});

let listening: Listening | undefined;
afterEach(async () => {
  await listening?.close();
  listening = undefined;
});

test("what is uploaded comes back byte for byte", async () => {
  listening = await listen(
    0,
    (address) => sandboxOf({ site: address }),
    (error) => {
      throw error;
    },
  );
  const { sandbox, site: address } = listening;
  const headers = { authorization: basic(person(sandbox, "otis")) };
  const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256);
  const form = new FormData();
  form.append("file", new Blob([bytes]), "Grüße 1.bin");
  const answer = await fetch(`${address}/api/v1/user_uploads`, { method: "POST", headers, body: form });
  const { url, filename } = (await answer.json()) as { url: string; filename: string };
  expect([url.endsWith("/Gr-e-1.bin"), filename]).toEqual([true, "Grüße 1.bin"]);
  const sum = (data: Uint8Array) => createHash("sha256").update(data).digest("hex");
  const back = new Uint8Array(await (await fetch(`${address}${url}`, { headers })).arrayBuffer());
  expect(sum(back)).toBe(sum(bytes));
  const listed = (await (await fetch(`${address}/api/v1/attachments`, { headers })).json()) as {
    attachments: object[];
  };
  expect(listed.attachments).toMatchObject([{ name: "Grüße 1.bin", size: 70_000 }]);
});

test("an upload holds one file", async () => {
  const sandbox = sandboxOf();
  const upload = (body: string) =>
    ask(sandbox, "POST", "/user_uploads", {
      as: "otis",
      headers: { "content-type": "multipart/form-data; boundary=b" },
      body,
    });
  const part = '--b\r\ncontent-disposition: form-data; name="f"; filename="a.txt"\r\n\r\nhello\r\n';
  expect((await upload("--b--")).body.msg).toBe("You must specify a file to upload");
  expect((await upload(`${part}${part}--b--`)).body.msg).toBe("You may only upload one file at a time");
  expect((await upload(`${part}--b--`)).body).toMatchObject({ result: "success", filename: "a.txt" });
});
