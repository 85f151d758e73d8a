import { expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { ask, clockAt, noon, refusal, sandboxOf } from "./asking.ts";

const seconds = 1000;
const link = "; see https://zulip.com/api/http-headers#rate-limiting-response-headers.";

async function often(times: number, call: () => ReturnType<typeof ask>) {
  let last = await call();
  for (let n = 1; n < times; n++) last = await call();
  return last;
}

const signIn = (sandbox: Sandbox, password: string, username = "cora@sandbox.example", address?: string) =>
  ask(sandbox, "POST", "/fetch_api_key", { form: { username, password }, address });

const limitsOf = ({ headers }: Awaited<ReturnType<typeof ask>>) =>
  ["limit", "remaining", "reset"].map((name) => Number(headers[`x-ratelimit-${name}`]));

test("an account may make 200 calls a minute, and each answer says how many are left", async () => {
  const clock = clockAt(noon);
  const sandbox = sandboxOf({ clock, level: 371 });
  const me = () => ask(sandbox, "GET", "/users/me", { as: "cora" });
  expect(limitsOf(await me())).toEqual([200, 199, noon / seconds + 60]);
  clock.forward(10 * seconds);
  const last = await often(199, me);
  expect([last.status, ...limitsOf(last)]).toEqual([200, 200, 0, noon / seconds + 70]);
  const { status, headers, body } = await me();
  expect([status, headers["retry-after"], headers["x-ratelimit-remaining"]]).toEqual([429, "50", "0"]);
  expect(body).toEqual(refusal("API usage exceeded rate limit", { "retry-after": 50 }, "RATE_LIMIT_HIT"));
  expect((await ask(sandbox, "GET", "/users/me", { as: "iris" })).status).toBe(200);
});

test("at 442 an account may also make only 2000 calls an hour, and the words have a link", async () => {
  const clock = clockAt(noon);
  const sandbox = sandboxOf({ clock });
  const me = () => ask(sandbox, "GET", "/users/me", { as: "cora" });
  for (let minute = 0; minute < 10; minute++) {
    expect((await often(200, me)).status).toBe(200);
    clock.forward(60 * seconds);
  }
  const { status, headers, body } = await me();
  expect([status, headers["retry-after"]]).toEqual([429, "3000"]);
  expect(body.msg).toBe(`API usage exceeded rate limit${link}`);
});

test("five failed attempts close a user name for half an hour, to the right password too", async () => {
  const clock = clockAt(noon);
  const sandbox = sandboxOf({ clock, level: 371 });
  const first = await signIn(sandbox, "wrong");
  expect([first.status, ...limitsOf(first)]).toEqual([401, 5, 4, noon / seconds + 1800]);
  await often(4, () => signIn(sandbox, "wrong"));
  const { status, headers, body } = await signIn(sandbox, "cora-sandbox-password");
  expect([status, headers["retry-after"], body.code]).toEqual([429, "1800", "RATE_LIMIT_HIT"]);
  clock.forward(1800 * seconds);
  expect((await signIn(sandbox, "cora-sandbox-password")).status).toBe(200);
});

test("a successful attempt clears the failures before it", async () => {
  const sandbox = sandboxOf();
  await often(4, () => signIn(sandbox, "wrong"));
  expect((await signIn(sandbox, "cora-sandbox-password")).status).toBe(200);
  expect((await often(5, () => signIn(sandbox, "wrong"))).status).toBe(401);
});

test("an address may make a hundred calls a minute without credentials; server settings are not limited", async () => {
  const sandbox = sandboxOf();
  const fetch = (n: number, address: string) => signIn(sandbox, "x", `nobody${n}@x.example`, address);
  for (let n = 0; n < 100; n++) expect((await fetch(n, "10.0.0.1")).status).toBe(401);
  expect((await fetch(100, "10.0.0.1")).status).toBe(429);
  expect((await fetch(101, "10.0.0.2")).status).toBe(401);
  const settings = await ask(sandbox, "GET", "/server_settings", { address: "10.0.0.1" });
  expect([settings.status, settings.headers["x-ratelimit-limit"]]).toEqual([200, undefined]);
});

test.each([
  [371, 401],
  [442, 429],
])("limits can be lifted at %i, the quota of exports stays, that of signing in answers %i", async (level, answer) => {
  const sandbox = sandboxOf({ rateLimits: false, level });
  const last = await often(300, () => ask(sandbox, "GET", "/users/me", { as: "cora" }));
  expect([last.status, last.headers["x-ratelimit-limit"]]).toEqual([200, undefined]);
  expect((await often(6, () => signIn(sandbox, "x"))).status).toBe(answer);
  const create = () => ask(sandbox, "POST", "/export/realm", { as: "adam" });
  expect((await often(5, create)).status).toBe(200);
  expect((await create()).body).toEqual(refusal("Exceeded rate limit."));
});
