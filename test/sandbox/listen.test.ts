import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import { respond } from "../../src/sandbox/answers.ts";
import { createSandbox, type Disturbance } from "../../src/sandbox/index.ts";
import { type ListeningSandbox, listen } from "../../src/sandbox/listen.ts";
import { NoAnswer } from "../../src/world/world.ts";
import { clockAt, noon, seededRandom } from "./client.ts";

const defects: unknown[] = [];
let listening: ListeningSandbox | undefined;
afterEach(async () => {
  await listening?.close();
  listening = undefined;
  expect(defects.splice(0)).toEqual([]);
});

async function start(disturb?: Disturbance): Promise<ListeningSandbox> {
  const make = (site: string) => createSandbox({ site, clock: clockAt(noon), random: seededRandom(3), disturb });
  listening = await listen(0, make, (error) => defects.push(error));
  return listening;
}

async function get(site: string, path: string, method = "GET", body = "") {
  const outgoing = request(`${site}${path}`, {
    method,
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  outgoing.end(body);
  const [incoming] = await once(outgoing, "response");
  let text = "";
  for await (const chunk of incoming.setEncoding("utf8")) text += chunk;
  return { status: incoming.statusCode as number, headers: incoming.headers, text };
}

test("serves a loopback address, which is in its answers", async () => {
  const { site, sandbox } = await start();
  expect(site).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(sandbox.info().site).toBe(site);
  const { status, text } = await get(site, "/api/v1/server_settings");
  expect([status, JSON.parse(text).realm_url]).toEqual([200, site]);
});

test("reads bodies as UTF-8", async () => {
  const { site, sandbox } = await start();
  const cora = [...sandbox.state.users.values()].find(({ full_name }) => full_name === "Cora Member")!;
  cora.password = "pässwörd ✔";
  const form = new URLSearchParams({ username: cora.delivery_email, password: cora.password }).toString();
  const { status, text } = await get(site, "/api/v1/fetch_api_key", "POST", form);
  expect([status, JSON.parse(text).api_key]).toEqual([200, cora.api_key]);
});

test("sends a small answer with its headers", async () => {
  const { site } = await start();
  const socket = connect(Number(new URL(site).port), "127.0.0.1");
  socket.write("GET /api/v1/server_settings HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n");
  const [first] = await once(socket, "data");
  socket.destroy();
  expect(String(first)).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\n\{[\s\S]*\}\n$/);
});

test("sends the headers before a slow body", async () => {
  let go = () => {};
  const waiting = new Promise<void>((resolve) => {
    go = resolve;
  });
  async function* body() {
    await waiting;
    yield new TextEncoder().encode("late");
  }
  const make = (site: string) => ({
    ...createSandbox({ site, clock: clockAt(noon), random: seededRandom(3) }),
    handle: async () => ({ status: 200, headers: {}, body: body() }),
  });
  listening = await listen(0, make, (error) => defects.push(error));
  const outgoing = request(`${listening.site}/`).end();
  const [incoming] = await once(outgoing, "response");
  go();
  let text = "";
  for await (const chunk of incoming.setEncoding("utf8")) text += chunk;
  expect(text).toBe("late");
});

test("fails if the port is in use", async () => {
  const { site } = await start();
  const again = listen(
    Number(new URL(site).port),
    () => expect.unreachable(),
    () => expect.unreachable(),
  );
  await expect(again).rejects.toMatchObject({ code: "EADDRINUSE" });
});

test("resets the connection for a fault without an answer", async () => {
  const { site } = await start(async () => {
    throw new NoAnswer("dropped", "reset", true);
  });
  await expect(get(site, "/api/v1/server_settings")).rejects.toMatchObject({ code: "ECONNRESET" });
});

test("ends the connection in the middle of a body that a fault cuts", async () => {
  const { site } = await start(async ({ serve }) => {
    const whole = respond(serve());
    async function* half() {
      for await (const chunk of whole.body) yield chunk.subarray(0, chunk.length / 2);
      throw new NoAnswer("cut", "cut", true);
    }
    return { ...whole, body: half() };
  });
  await expect(get(site, "/api/v1/server_settings")).rejects.toMatchObject({ code: "ECONNRESET" });
});

test("refuses two Authorization headers", async () => {
  const { site } = await start();
  const socket = connect(Number(new URL(site).port), "127.0.0.1");
  socket.write(
    "GET /api/v1/users/me HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Basic a\r\nAuthorization: Basic b\r\nConnection: close\r\n\r\n",
  );
  let text = "";
  for await (const chunk of socket.setEncoding("utf8")) text += chunk;
  expect(text.split("\r\n")[0]).toBe("HTTP/1.1 400 Bad Request");
});

test("resets the connection and reports the error if the sandbox fails", async () => {
  const bug = new TypeError("a bug");
  const { site } = await start(async () => {
    throw bug;
  });
  await expect(get(site, "/api/v1/server_settings")).rejects.toMatchObject({ code: "ECONNRESET" });
  expect(defects.splice(0)).toEqual([bug]);
});

test.each([
  ["host", "evil.example", 403],
  ["host", "127.0.0.1.evil.example", 403],
  ["host", "localhost:9991", 200],
  ["origin", "https://evil.example", 403],
  ["origin", "null", 403],
  ["origin", "http://localhost:3000", 200],
])("answers a request with the header %s: %s with %i, unreadable for other web sites", async (name, value, code) => {
  const { site } = await start();
  const outgoing = request(`${site}/api/v1/server_settings`, { headers: { [name]: value } });
  outgoing.end();
  const [incoming] = await once(outgoing, "response");
  incoming.resume();
  expect(incoming.statusCode).toBe(code);
  expect(Object.keys(incoming.headers).filter((each) => each.startsWith("access-control"))).toEqual([]);
});
