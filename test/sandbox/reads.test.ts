import { expect, test } from "vitest";
import { ask, clockAt, named, noon, person, refusal, sandboxOf } from "./asking.ts";

test("an export is pending at first and done a little later, five a week", async () => {
  const clock = clockAt(noon);
  const sandbox = sandboxOf({ clock });
  const create = () => ask(sandbox, "POST", "/export/realm", { as: "adam" });
  expect((await create()).body).toEqual({ result: "success", msg: "", id: 1 });
  const first = async () => (await ask(sandbox, "GET", "/export/realm", { as: "iris" })).body.exports[0];
  expect(await first()).toEqual({
    id: 1,
    acting_user_id: person(sandbox, "adam").user_id,
    export_time: noon / 1000,
    export_url: null,
    deleted_timestamp: null,
    failed_timestamp: null,
    pending: true,
    export_type: 1,
  });
  clock.forward(5000);
  expect(await first()).toMatchObject({
    pending: false,
    export_url: expect.stringMatching(
      /^https:\/\/chat.example\/user_avatars\/exports\/2\/\w{24}\/zulip-export-1.tar.gz$/,
    ),
  });
  for (let n = 2; n <= 5; n++) await create();
  expect((await create()).body).toEqual(refusal("Exceeded rate limit."));
  clock.forward(7 * 24 * 3600 * 1000);
  expect((await create()).status).toBe(200);
  expect((await ask(sandbox, "GET", "/export/realm", { as: "mona" })).body.code).toBe("UNAUTHORIZED_PRINCIPAL");
});

test("server settings are those of a server that knows its name and level", async () => {
  const { body } = await ask(sandboxOf(), "GET", "/server_settings", { headers: { "user-agent": "ZulipInvalid/1.0" } });
  expect(body).toMatchObject({
    zulip_version: "11.0",
    zulip_feature_level: 442,
    is_incompatible: true,
    email_auth_enabled: true,
    require_email_format_usernames: true,
    realm_url: "https://chat.example",
    realm_uri: "https://chat.example",
    realm_web_public_access_enabled: true,
  });
});

test("guests see the channels they are subscribed to, and web-public ones when asked for", async () => {
  const names = async (as: string, query: Record<string, string> = {}) => {
    const { body } = await ask(sandboxOf(), "GET", "/streams", { as, query });
    return body.streams.map(({ name }: { name: string }) => name);
  };
  expect(await names("gwen")).toEqual(["design", "general"]);
  expect(await names("gwen", { include_web_public: "true" })).toEqual(["announcements", "design", "general"]);
  expect(await names("gwen", { include_all: "true" })).toEqual(["announcements", "design", "general"]);
  expect(await names("adam", { include_all: "true" })).toContain("council");
  expect(await names("adam")).not.toContain("council");
  expect(await names("mona", { include_public: "false", exclude_archived: "false" })).toEqual([
    "council",
    "general",
    "moderation requests",
  ]);
});

test("a channel is found by name whatever the case and the space around, with its messages open", async () => {
  const sandbox = sandboxOf();
  const find = async (as: string, stream: string) =>
    (await ask(sandbox, "GET", "/get_stream_id", { as, query: { stream } })).body;
  expect((await find("cora", " DESIGN ")).stream_id).toBe(named(sandbox.state.channels, "design").stream_id);
  expect(await find("adam", "council")).toEqual(refusal("Invalid channel name 'council'"));
});
