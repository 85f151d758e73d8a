import { expect, test } from "vitest";
import { ask, basic, person, sandboxOf } from "./asking.ts";

const encoded = (text: string) => Buffer.from(text).toString("base64");

const unauthorized = async (authorization: string | undefined) => {
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
  const { status, headers: said, body } = await ask(sandboxOf(), "GET", "/users/me", { headers });
  return [status, body.code, body.msg, said["www-authenticate"]];
};

const cora = person(sandboxOf(), "cora");
const refused = (msg: string) => [401, "UNAUTHORIZED", msg, 'Basic realm="zulip"'];

test.each([
  ["no header", undefined, "Not logged in: API authentication or user session required"],
  ["an empty header", "", "Invalid authorization header for basic auth"],
  ["a scheme alone", "Bearer", "Invalid authorization header for basic auth"],
  ["three words", "Basic a b", "Invalid authorization header for basic auth"],
  [
    "base64 without padding",
    `Basic ${encoded("a:bc").replace(/=/g, "")}`,
    "Invalid authorization header for basic auth",
  ],
  ["text that is not UTF-8", "Basic /zo=", "Invalid authorization header for basic auth"],
  ["no colon", `Basic ${encoded("abc")}`, "Invalid authorization header for basic auth"],
  ["two colons", `Basic ${encoded("a:b:c")}`, "Invalid authorization header for basic auth"],
  ["a key of 31", `Basic ${encoded(`${cora.delivery_email}:${"a".repeat(31)}`)}`, "Malformed API key"],
  ["a key with an underscore", `Basic ${encoded(`${cora.delivery_email}:${"_".repeat(32)}`)}`, "Malformed API key"],
  ["a malformed key and an unknown address", `Basic ${encoded("nobody:x")}`, "Malformed API key"],
  ["an unknown key", `Basic ${encoded(`${cora.delivery_email}:${"a".repeat(32)}`)}`, "Invalid API key"],
  ["another's key", `Basic ${encoded(`iris@sandbox.example:${cora.api_key}`)}`, "Invalid API key"],
  ["the id for the address", `Basic ${encoded(`${cora.user_id}:${cora.api_key}`)}`, "Invalid API key"],
  ["a deactivated account", basic(person(sandboxOf(), "dora")), "Account is deactivated"],
])("%s is refused with 401", async (_, header, msg) => {
  expect(await unauthorized(header)).toEqual(refused(msg));
});

test("a foreign scheme with one word is refused with 400 and no challenge", async () => {
  expect(await unauthorized("Bearer abc")).toEqual([
    400,
    "BAD_REQUEST",
    "This endpoint requires HTTP basic authentication.",
    undefined,
  ]);
});

test.each([
  ["the scheme in lower case", (header: string) => header.replace("Basic", "basic")],
  ["more space between the words", (header: string) => header.replace(" ", "   ")],
  ["the address in capitals", () => `Basic ${encoded(`CORA@SANDBOX.EXAMPLE:${cora.api_key}`)}`],
  ["white space around address and key", () => `Basic ${encoded(` cora@sandbox.example : ${cora.api_key}\n`)}`],
])("%s is accepted", async (_, write) => {
  const { status, body } = await ask(sandboxOf(), "GET", "/users/me", {
    headers: { authorization: write(basic(cora)) },
  });
  expect([status, body.delivery_email]).toEqual([200, "cora@sandbox.example"]);
});

test("a deactivated organization turns everybody with a key away, before their own account is looked at", async () => {
  const sandbox = sandboxOf();
  sandbox.state.organization.is_deactivated = true;
  for (const as of ["iris", "dora"]) {
    const { status, body } = await ask(sandbox, "GET", "/users/me", { as });
    expect([status, body.msg]).toEqual([401, "This organization has been deactivated"]);
  }
});

test("an incoming webhook bot is turned away", async () => {
  const sandbox = sandboxOf();
  person(sandbox, "beep-bot").bot_type = 2;
  const { status, body } = await ask(sandbox, "GET", "/drafts", { as: "beep-bot" });
  expect([status, body.msg]).toEqual([401, "This API is not available to incoming webhook bots."]);
});

test("whoever accepts HTML and shows no key is sent to the log-in page", async () => {
  const { status, headers } = await ask(sandboxOf(), "GET", "/users/me", {
    headers: { accept: "text/html, */*" },
    query: { a: "b" },
  });
  expect([status, headers.location]).toEqual([302, "/login/?next=%2Fapi%2Fv1%2Fusers%2Fme"]);
});

test("people are found by their real address, also when they hide it", async () => {
  const sandbox = sandboxOf();
  const hidden = person(sandbox, "cora");
  hidden.email_address_visibility = 4;
  const own = await ask(sandbox, "GET", "/users/me", { as: "cora" });
  expect([own.status, own.body.email, own.body.delivery_email]).toEqual([
    200,
    `user${hidden.user_id}@chat.example`,
    "cora@sandbox.example",
  ]);
});
