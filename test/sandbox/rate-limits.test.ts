import { expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { clockAt, errorBody, noon, sandboxOf, sendRequest } from "./client.ts";

const seconds = 1000;
const link = "; see https://zulip.com/api/http-headers#rate-limiting-response-headers";

async function repeat(times: number, call: () => ReturnType<typeof sendRequest>) {
  let last = await call();
  for (let n = 1; n < times; n++) last = await call();
  return last;
}

const signIn = (sandbox: Sandbox, password: string, username = "cora@sandbox.example", address?: string) =>
  sendRequest(sandbox, "POST", "/fetch_api_key", { form: { username, password }, address });

const limitsOf = ({ headers }: Awaited<ReturnType<typeof sendRequest>>) =>
  ["limit", "remaining", "reset"].map((name) => Number(headers[`x-ratelimit-${name}`]));

test("limits an account to 200 calls a minute, and shows how many remain", async () => {
  const clock = clockAt(noon);
  const sandbox = sandboxOf({ clock, level: 371 });
  const me = () => sendRequest(sandbox, "GET", "/users/me", { as: "cora" });
  expect(limitsOf(await me())).toEqual([200, 199, noon / seconds + 60]);
  clock.forward(10 * seconds);
  const last = await repeat(199, me);
  expect([last.status, ...limitsOf(last)]).toEqual([200, 200, 0, noon / seconds + 70]);
  const { status, headers, body } = await me();
  expect([status, headers["retry-after"], headers["x-ratelimit-remaining"]]).toEqual([429, "50", "0"]);
  expect(body).toEqual(errorBody("API usage exceeded rate limit", { "retry-after": 50 }, "RATE_LIMIT_HIT"));
  expect((await sendRequest(sandbox, "GET", "/users/me", { as: "iris" })).status).toBe(200);
});

test("limits an account to 2000 calls an hour at level 442, with a link in the message", async () => {
  const clock = clockAt(noon);
  const sandbox = sandboxOf({ clock });
  const me = () => sendRequest(sandbox, "GET", "/users/me", { as: "cora" });
  for (let minute = 0; minute < 10; minute++) {
    expect((await repeat(200, me)).status).toBe(200);
    clock.forward(60 * seconds);
  }
  const { status, headers, body } = await me();
  expect([status, headers["retry-after"]]).toEqual([429, "3000"]);
  expect(body.msg).toBe(`API usage exceeded rate limit${link}`);
});

test("refuses a user name for half an hour after five failed logins, even with the right password", async () => {
  const clock = clockAt(noon);
  const sandbox = sandboxOf({ clock, level: 371 });
  const first = await signIn(sandbox, "wrong");
  expect([first.status, ...limitsOf(first)]).toEqual([401, 5, 4, noon / seconds + 1800]);
  await repeat(4, () => signIn(sandbox, "wrong"));
  const { status, headers, body } = await signIn(sandbox, "cora-sandbox-password");
  expect([status, headers["retry-after"], body.code]).toEqual([429, "1800", "RATE_LIMIT_HIT"]);
  clock.forward(1800 * seconds);
  expect((await signIn(sandbox, "cora-sandbox-password")).status).toBe(200);
});

test("forgets failed logins after a successful one", async () => {
  const sandbox = sandboxOf();
  await repeat(4, () => signIn(sandbox, "wrong"));
  expect((await signIn(sandbox, "cora-sandbox-password")).status).toBe(200);
  expect((await repeat(5, () => signIn(sandbox, "wrong"))).status).toBe(401);
});

test("limits an address to 100 calls a minute without credentials, except for server settings", async () => {
  const sandbox = sandboxOf();
  const fetch = (n: number, address: string) => signIn(sandbox, "x", `nobody${n}@x.example`, address);
  for (let n = 0; n < 100; n++) expect((await fetch(n, "10.0.0.1")).status).toBe(401);
  expect((await fetch(100, "10.0.0.1")).status).toBe(429);
  expect((await fetch(101, "10.0.0.2")).status).toBe(401);
  const settings = await sendRequest(sandbox, "GET", "/server_settings", { address: "10.0.0.1" });
  expect([settings.status, settings.headers["x-ratelimit-limit"]]).toEqual([200, undefined]);
});

test.each([
  [371, 401],
  [442, 429],
])(
  "without rate limits at level %i, still limits exports, and answers the sixth login with %i",
  async (level, answer) => {
    const sandbox = sandboxOf({ rateLimits: false, level });
    const last = await repeat(300, () => sendRequest(sandbox, "GET", "/users/me", { as: "cora" }));
    expect([last.status, last.headers["x-ratelimit-limit"]]).toEqual([200, undefined]);
    expect((await repeat(6, () => signIn(sandbox, "x"))).status).toBe(answer);
    const create = () => sendRequest(sandbox, "POST", "/export/realm", { as: "adam" });
    expect((await repeat(5, create)).status).toBe(200);
    expect((await create()).body).toEqual(errorBody("Exceeded rate limit."));
  },
);
