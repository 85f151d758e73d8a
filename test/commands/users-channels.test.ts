/** The channels of somebody, on servers that tell them and on those that tell only of everybody's. */
import { expect, test } from "vitest";
import { fresh, zulipctl } from "../run.ts";

const api = "https://chat.example/api/v1";

test.each([440, 439, 411])("users channels on level %i", async (level) => {
  const sandbox = fresh({ level });
  const { code, out, sent } = await zulipctl(["users", "channels", "cora@sandbox.example", "-o", "ids"], { sandbox });
  expect({ code, out }).toEqual({ code: 0, out: "3\n5\n1\n2\n" });
  expect(sandbox.state.queues.size).toBe(0);
  expect(sent.map(({ method, url, body }) => `${method} ${url.replace(api, "")} ${body ?? ""}`)).toEqual([
    "GET /users ",
    ...(level >= 440
      ? ["GET /users/11/channels "]
      : [
          `POST /register include_subscribers=true&client_capabilities=%7B%22notification_settings_null%22%3Afalse%7D&event_types=%5B%5D&fetch_event_types=%5B%22subscription%22%5D`,
          expect.stringMatching(/^DELETE \/events queue_id=/),
        ]),
    "GET /streams?include_all=true&include_default=true ",
  ]);
});

test.each([442, 371])(
  "on level %i who is deactivated has none, and private ones that the account does not see are left out",
  async (level) => {
    const sandbox = fresh({ level });
    expect((await zulipctl(["users", "channels", "15", "-o", "ids"], { sandbox })).out).toBe("");
    const { out } = await zulipctl(["users", "channels", "9", "--fields", "name", "-o", "tsv"], { sandbox, as: 400 });
    expect(out).not.toContain("staff");
    expect(out).toContain("announcements");
  },
);

test("a dry run shows both reads, whichever they are", async () => {
  const { out, sent } = await zulipctl(["users", "channels", "10", "-n", "--json"], { level: 371 });
  expect(JSON.parse(out).map(({ method, url }: Record<string, string>) => `${method} ${url}`)).toEqual([
    `POST ${api}/register`,
    `GET ${api}/streams?include_all=true&include_default=true`,
  ]);
  expect(sent).toEqual([]);
});
