/** What `test/transcripts/api.txt` cannot show. */
import { expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { credentials, fresh, person, zulipctl } from "../run.ts";
import { answer, testWorld } from "../world.ts";

test.each(["/users\n", "/users\u2028"])("refuses the path %j, and sends nothing", async (path) => {
  const { code, err, sent } = await zulipctl(["api", "POST", path]);
  expect({ code, err, sent }).toEqual({
    code: 2,
    err: "zulipctl: <path>: it holds a line break or another control character\n",
    sent: [],
  });
});

test.each([["GET /users/me/1/topics"], ["POST /channel_folders/create -f name=Plans -f description="]])(
  "begins with status and headers with --include: %s",
  async (line) => {
    const sandbox = fresh({ rateLimits: true });
    const { out } = await zulipctl(["api", ...line.split(" "), "--include"], { sandbox });
    const [head, body] = out.split("\n\n");
    expect(head).toMatch(/^HTTP 200\n/);
    expect(head).toMatch(/^content-type: application\/json$/m);
    expect(head).toMatch(/^x-ratelimit-remaining: \d+$/m);
    expect(() => JSON.parse(body!)).not.toThrow();
  },
);

test.each<[string, object]>([
  [
    "POST /unheard/of -f a=1 -f b=2 --yes",
    {
      outcome: "maybe_partial",
      message: "No. Parts of the change may have been applied, in an unknown order: a, b",
      hint: "Check the server before you try again.",
      parameters: ["a", "b"],
    },
  ],
  ["POST /unheard/of -f a=1 --yes", { outcome: "not_applied", message: "No." }],
  [
    "PATCH /streams/2 -f new_name=x -f description=y",
    {
      outcome: "maybe_partial",
      message: "No. Earlier parts may have been applied, in this order: description, new_name",
      hint: "Check with: zulipctl api GET /streams/2",
    },
  ],
  ["POST /channel_folders/create -f name=x -f description=y", { outcome: "not_applied" }],
])("says what a refusal may have left: %s", async (line, error) => {
  const http = async () => answer(400, { result: "error", msg: "No.", code: "BAD_REQUEST" });
  const { code, err } = await zulipctl(["api", ...line.split(" "), "--json"], { http });
  expect(code).toBe(1);
  expect(JSON.parse(err).error).toMatchObject(error);
});

test("sends a parameter with the name of a member that all objects have", async () => {
  const { code, sent } = await zulipctl(["api", "PATCH", "/realm", "--field", "constructor=5"]);
  expect([code, sent.map(({ body }) => body)]).toEqual([5, ["constructor=5"]]);
});

test("never prints the key or a secret", async () => {
  const sandbox = fresh();
  const { email, api_key } = person(sandbox, 100);
  const secret = "correct horse battery";
  const lines = [
    ["POST", "/fetch_api_key", "-f", `username=${email}`, "-f", `password=${secret}`],
    ["POST", "/users/me/apns_device_token", "-f", `token=${secret}`, "-f", "appid=x"],
    // For unknown endpoints and parameters, the name decides.
    ["POST", "/nobody/knows", "-f", `bot_api_key=${secret}`],
    ["PATCH", "/users/me/apns_device_token", "-F", `new_password="${secret}"`],
    ["GET", "/nobody/knows", "-f", `key=${secret}`],
  ];
  for (const line of lines)
    for (const flags of [["--dry-run"], ["--dry-run", "--json"], ["--curl"], ["--verbose"], ["--verbose", "--json"]]) {
      const world = testWorld({
        http: async ({ url, headers, body }) =>
          answer(400, { result: "error", msg: `${url} ${JSON.stringify(headers)} ${body}`, code: "BAD_REQUEST" }),
        env: credentials(sandbox),
      });
      await main(["api", ...line, ...flags], world);
      const said = world.stdout.text + world.stderr.text;
      for (const hidden of [
        api_key,
        secret,
        secret.replaceAll(" ", "+"),
        Buffer.from(`${email}:${api_key}`).toString("base64"),
      ])
        expect(said).not.toContain(hidden);
    }
});

test.each([
  [
    "subject",
    ["PATCH", "messages/1", "-f", "subject=design notes", "-f", "propagate_mode=change_all"],
    "topics_joined",
  ],
  ["a part of its value", ["DELETE", "users/12", "-F", 'actions={"delete_profile":true}'], "messages_deleted"],
  ["text for a number", ["PATCH", "streams/1", "-F", 'message_retention_days={"days":30}'], "unknown"],
])("judges a raw request with %s", async (_, words, kind) => {
  const sandbox = fresh();
  const send = ["messages", "send", "--channel", "design", "--topic", "design notes", "--content", "x"];
  await zulipctl(send, { sandbox });
  const { out, err } = await zulipctl(["api", ...words, "--dry-run", "--jq", ".[].effects[].kind"], { sandbox });
  expect(out.split("\n"), err).toContain(kind);
});
