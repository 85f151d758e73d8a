import { expect, test } from "vitest";
import { createSandbox } from "../../src/sandbox/index.ts";
import type { Method } from "../../src/world.ts";

const site = "https://chat.example";
const random = () => 0.5;

async function ask(level: number, method: Method, path: string, headers: Record<string, string> = {}) {
  const sandbox = createSandbox({ site, clock: { now: () => 1_700_000_000_000 }, random, level });
  const {
    status,
    headers: answered,
    body,
  } = await sandbox.handle({ method, url: site + path, headers, timeout: 1000 });
  let text = "";
  for await (const chunk of body) text += new TextDecoder().decode(chunk);
  return { status, headers: answered, text };
}

test("a path that is no route is a page, before anybody asks for credentials", async () => {
  const { status, headers } = await ask(442, "GET", "/api/v1/nothing");
  expect({ status, type: headers["content-type"] }).toEqual({ status: 404, type: "text/html; charset=utf-8" });
});

test("server settings tell the level to anybody", async () => {
  const { status, text } = await ask(371, "GET", "/api/v1/server_settings");
  expect(status).toBe(200);
  expect(JSON.parse(text)).toMatchObject({ result: "success", msg: "", zulip_feature_level: 371, realm_url: site });
});

test("a call without credentials is told so", async () => {
  const { status, headers, text } = await ask(371, "GET", "/api/v1/users");
  expect(status).toBe(401);
  expect(headers["www-authenticate"]).toBe('Basic realm="zulip"');
  expect(text).toBe(
    '{"result":"error","msg":"Not logged in: API authentication or user session required","code":"UNAUTHORIZED"}\n',
  );
});
