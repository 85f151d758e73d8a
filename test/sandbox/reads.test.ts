import { expect, test } from "vitest";
import { ask, clockAt, named, noon, person, refusal, sandboxOf } from "./asking.ts";

const ids = (records: { id: number }[]) => records.map(({ id }) => id);

test("drafts are listed by the time of their last edit, the oldest first, and are one's own", async () => {
  const sandbox = sandboxOf();
  const draft = (content: string, timestamp?: number) => ({ type: "", to: [], topic: "", content, timestamp });
  const drafts = JSON.stringify([draft("new"), draft("old", 5.9), draft("older", 5)]);
  const made = await ask(sandbox, "POST", "/drafts", { as: "cora", form: { drafts } });
  expect(made.body).toEqual({ result: "success", msg: "", ids: [1, 2, 3] });
  const { body } = await ask(sandbox, "GET", "/drafts", { as: "cora" });
  expect([body.count, ids(body.drafts)]).toEqual([3, [3, 2, 1]]);
  expect(body.drafts[1]).toEqual({ id: 2, type: "", to: [], topic: "", content: "old", timestamp: 5 });
  expect((await ask(sandbox, "GET", "/drafts", { as: "iris" })).body.count).toBe(0);
});

test("members and subgroups are read with those below, or directly", async () => {
  const sandbox = sandboxOf();
  const makers = named(sandbox.state.groups, "makers").id;
  const people = (...keys: string[]) => keys.map((key) => person(sandbox, key).user_id);
  const get = async (path: string, query?: Record<string, string>) =>
    (await ask(sandbox, "GET", `/user_groups/${path}`, { as: "cora", query })).body;
  expect((await get(`${makers}/members`)).members).toEqual(people("adam", "mona", "cora", "otis"));
  expect((await get(`${makers}/members`, { direct_member_only: "true" })).members).toEqual(people("mona"));
  const system = named(sandbox.state.groups, "role:moderators").id;
  expect((await get(`${system}/members`)).members).toEqual(people("iris", "adam", "mona"));
  expect((await get(`${system}/subgroups`, { direct_subgroup_only: "true" })).subgroups).toEqual([
    named(sandbox.state.groups, "role:administrators").id,
  ]);
  expect((await get(`${system}/subgroups`)).subgroups).toEqual([
    named(sandbox.state.groups, "role:owners").id,
    named(sandbox.state.groups, "role:administrators").id,
  ]);
  expect(await get("999/members")).toEqual(refusal("Invalid user group"));
});

test("groups are not for guests and bots, deactivated ones are listed when asked for", async () => {
  const sandbox = sandboxOf();
  named(sandbox.state.groups, "writers").deactivated = true;
  const list = async (as: string, query?: Record<string, string>) =>
    (await ask(sandbox, "GET", "/user_groups", { as, query })).body;
  expect(await list("gwen")).toEqual(refusal("Not allowed for guest users"));
  expect(await list("beep-bot")).toEqual(refusal("This endpoint does not accept bot requests."));
  const names = async (query?: Record<string, string>) =>
    (await list("cora", query)).user_groups.map(({ name }: { name: string }) => name);
  expect(await names()).not.toContain("writers");
  expect(await names({ include_deactivated_groups: "true" })).toContain("writers");
});

test("a file is deleted by its owner alone, and its space is free again", async () => {
  const sandbox = sandboxOf();
  const own = sandbox.info().attachments.find(({ owner_id }) => owner_id === person(sandbox, "cora").user_id)!;
  const list = async () => (await ask(sandbox, "GET", "/attachments", { as: "cora" })).body;
  const before = await list();
  for (const as of ["iris", "gwen"]) {
    const { body } = await ask(sandbox, "DELETE", `/attachments/${own.id}`, { as });
    expect(body).toEqual(refusal("Invalid attachment"));
  }
  const { body } = await ask(sandbox, "DELETE", `/attachments/${own.id}`, { as: "cora", form: { zz: "1" } });
  expect(body).toEqual({ result: "success", msg: "" });
  const after = await list();
  expect(ids(after.attachments)).toEqual(ids(before.attachments).filter((id) => id !== own.id));
  expect(before.upload_space_used - after.upload_space_used).toBe(before.attachments[0].size);
  expect((await ask(sandbox, "DELETE", `/attachments/${own.id}`, { as: "cora" })).body).toEqual(
    refusal("Invalid attachment"),
  );
});

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
  expect(await find("cora", "attic")).toEqual(refusal("Invalid channel name 'attic'"));
});
