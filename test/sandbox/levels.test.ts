import { describe, expect, test } from "vitest";
import { type Asked, ask, named, refusal, sandboxOf } from "./asking.ts";

/** Changes a channel of the seeded organization on a server of that level. */
async function patched(level: number, form: Record<string, string>, as = "iris", channel = "design") {
  const sandbox = sandboxOf({ level });
  const found = named(sandbox.state.channels, channel);
  const answer = await ask(sandbox, "PATCH", `/streams/${found.stream_id}`, { as, form });
  return { ...answer, channel: found, state: sandbox.state };
}

const asked = (level: number, method: string, path: string, how: Asked = {}) =>
  ask(sandboxOf({ level }), method, path, how);

const ignoring = (...names: string[]) => ({ result: "success", msg: "", ignored_parameters_unsupported: names });
const success = { result: "success", msg: "" };

describe("between 371 and 442", () => {
  test("a channel name that is taken", async () => {
    const old = await patched(371, { new_name: " GENERAL " });
    expect([old.status, old.body]).toEqual([400, refusal("Channel name is already in use.")]);
    const now = await patched(442, { new_name: " GENERAL " });
    const words = "Channel 'GENERAL' already exists";
    expect([now.status, now.body]).toEqual([
      409,
      refusal(words, { channel_name: "GENERAL" }, "CHANNEL_ALREADY_EXISTS"),
    ]);
  });

  test("a group setting without its wrapper", async () => {
    const form = { can_send_message_group: "15" };
    const old = await patched(371, form);
    expect([old.status, old.body]).toEqual([500, { result: "error", msg: "Internal server error" }]);
    const now = await patched(442, form);
    expect([now.status, now.body]).toEqual([400, refusal("can_send_message_group does not have the expected format")]);
  });

  test("parameters that came in between", async () => {
    const form = {
      folder_id: "1",
      is_archived: "true",
      topics_policy: "inherit",
      can_resolve_topics_group: '{"new":9}',
    };
    const old = await patched(371, form);
    expect(old.body).toEqual(ignoring("can_resolve_topics_group", "folder_id", "is_archived", "topics_policy"));
    expect((await patched(442, form)).body).toEqual(success);
    expect((await patched(442, { default_push_notifications: "true" })).body).toEqual(
      ignoring("default_push_notifications"),
    );
    const newest = await patched(512, { default_push_notifications: "true" });
    expect([newest.body, newest.channel.default_push_notifications]).toEqual([success, true]);
  });

  test("a topics policy of a later level", async () => {
    expect((await patched(392, { topics_policy: "empty_topic_only" })).body).toEqual(refusal("Invalid topics_policy"));
    const words =
      "To enable this configuration, all messages in this channel must be in the general chat topic. Consider renaming or deleting other topics.";
    const refused = refusal(words, { empty_topic_display_name: "general chat" });
    expect((await patched(404, { topics_policy: "empty_topic_only" })).body).toEqual(refused);
  });

  test("protected history beside restricted topics", async () => {
    const form = { history_public_to_subscribers: "false", can_create_topic_group: '{"new":9}' };
    expect((await patched(440, form, "iris", "council")).body).toEqual(ignoring("can_create_topic_group"));
    const parameters = "history_public_to_subscribers, can_create_topic_group";
    const refused = refusal(`Unsupported parameter combination: ${parameters}`, { parameters });
    expect((await patched(442, form, "iris", "council")).body).toEqual(refused);
  });

  test("device tokens", async () => {
    const post = async (level: number, form: Record<string, string>) => {
      const { body } = await asked(level, "POST", "/users/me/apns_device_token", { as: "cora", form });
      return body;
    };
    const missing = (name: string) =>
      refusal(`Missing '${name}' argument`, { var_name: name }, "REQUEST_VARIABLE_MISSING");
    expect(await post(371, {})).toEqual(missing("token"));
    expect(await post(442, {})).toEqual(missing("appid"));
    expect(await post(371, { token: "zzzz", appid: "org.zulip.Zulip" })).toEqual(success);
    expect(await post(442, { token: "zzzz", appid: "org.zulip.Zulip" })).toEqual(refusal("Invalid APNS token"));
    expect(await post(371, { token: "abcdé", appid: "a" })).toEqual(refusal("Invalid APNS token"));
    expect(await post(371, { token: "abcde", appid: "a" })).toEqual(refusal("Invalid APNS token"));
    expect(await post(442, { token: "ab".repeat(32), appid: "a" })).toEqual(success);
    expect(await post(222, { token: "abcd" })).toEqual(success);
  });

  test("exports that are too large", async () => {
    const post = async (level: number, size = { estimated_messages_sent: 250_001 } as object) => {
      const sandbox = sandboxOf({ level });
      Object.assign(sandbox.state.organization, size);
      return (await ask(sandbox, "POST", "/export/realm", { as: "adam" })).body;
    };
    const address = "support@sandbox.example";
    expect(await post(371)).toEqual(refusal(`Please request a manual export from ${address}.`));
    expect(await post(442)).toEqual(
      refusal(
        `The export you requested is too large for automatic processing. Please request a manual export by contacting ${address}.`,
      ),
    );
    const uploads = { upload_bytes: 15 * 1024 ** 3 };
    expect([(await post(371, uploads)).result, (await post(442, uploads)).result]).toEqual(["error", "success"]);
    expect((await post(442, { estimated_messages_sent: 250_000 })).result).toBe("success");
  });

  test("members of a deactivated group", async () => {
    const post = async (level: number) => {
      const sandbox = sandboxOf({ level });
      const group = named(sandbox.state.groups, "writers");
      group.deactivated = true;
      const cora = sandbox.info().users.find(({ full_name }) => full_name === "Cora Member")!;
      const form = { add: `[${cora.user_id}]` };
      return (await ask(sandbox, "POST", `/user_groups/${group.id}/members`, { as: "iris", form })).body;
    };
    expect(await post(390)).toEqual(refusal("User group is deactivated."));
    expect(await post(391)).toEqual(success);
  });

  test("listing chosen users", async () => {
    const get = async (level: number) =>
      (await asked(level, "GET", "/users", { as: "cora", query: { user_ids: "[8,9,999]" } })).body;
    const old = await get(371);
    expect([old.members.length, old.ignored_parameters_unsupported]).toEqual([8, ["user_ids"]]);
    const now = await get(442);
    expect([now.members.map((user: { user_id: number }) => user.user_id), now.ignored_parameters_unsupported]).toEqual([
      [8, 9],
      undefined,
    ]);
    expect(old.members[0]).not.toHaveProperty("is_imported_stub");
    expect(now.members[0]).toHaveProperty("is_imported_stub", false);
  });

  test("channel folders", async () => {
    const form = { name: "x".repeat(61), description: "" };
    expect((await asked(371, "POST", "/channel_folders/create", { as: "adam", form })).status).toBe(404);
    expect((await asked(371, "GET", "/channel_folders", { as: "adam" })).status).toBe(404);
    expect((await asked(389, "POST", "/channel_folders/create", { as: "adam", form })).body).toEqual({
      ...success,
      channel_folder_id: 3,
    });
    const { body } = await asked(442, "POST", "/channel_folders/create", { as: "adam", form });
    expect(body).toEqual(refusal("name is too long (limit: 60 characters)"));
    const listed = async (level: number) =>
      (await asked(level, "GET", "/channel_folders", { as: "gwen" })).body.channel_folders[0];
    expect([(await listed(413)).order, (await listed(414)).order]).toEqual([undefined, 1]);
  });
});

describe("after 442", () => {
  test("bots list groups from 496", async () => {
    const list = async (level: number) => (await asked(level, "GET", "/user_groups", { as: "beep-bot" })).body;
    expect(await list(495)).toEqual(refusal("This endpoint does not accept bot requests."));
    expect((await list(496)).user_groups.length).toBe(11);
  });

  test("times of attachments are seconds from 443, their messages ids from 472", async () => {
    const sketch = async (level: number) => {
      const { body } = await asked(level, "GET", "/attachments", { as: "cora" });
      const { create_time, messages, message_ids } = body.attachments[0];
      return { create_time, messages, message_ids };
    };
    const ms = Date.UTC(2026, 10, 21, 12);
    expect(await sketch(442)).toEqual({ create_time: ms, messages: [{ id: 1, date_sent: ms }] });
    expect(await sketch(443)).toEqual({ create_time: ms / 1000, messages: [{ id: 1, date_sent: ms / 1000 }] });
    expect(await sketch(472)).toEqual({ create_time: ms / 1000, message_ids: [1] });
  });

  test("the type of an export is a word from 449", async () => {
    const post = async (level: number, export_type: string) => {
      const sandbox = sandboxOf({ level });
      const { body } = await ask(sandbox, "POST", "/export/realm", { as: "iris", form: { export_type } });
      const listed = await ask(sandbox, "GET", "/export/realm", { as: "iris" });
      return [body, listed.body.exports[0]?.export_type];
    };
    expect(await post(448, "2")).toEqual([{ ...success, id: 1 }, 2]);
    expect(await post(448, "public")).toEqual([refusal("export_type is not valid JSON"), undefined]);
    expect(await post(448, "3")).toEqual([
      refusal("Invalid export_type: Value error, Not in the list of possible values"),
      undefined,
    ]);
    expect(await post(449, "full_with_consent")).toEqual([{ ...success, id: 1 }, "full_with_consent"]);
    expect(await post(449, "1")).toEqual([refusal("Invalid export_type"), undefined]);
    expect((await post(449, "full_without_consent"))[0]).toEqual(
      refusal("Must be an organization owner", {}, "UNAUTHORIZED_PRINCIPAL"),
    );
  });

  test("archived channels can be read by id from 480", async () => {
    const get = async (level: number) => {
      const sandbox = sandboxOf({ level });
      const { stream_id } = named(sandbox.state.channels, "attic");
      return (await ask(sandbox, "GET", `/streams/${stream_id}`, { as: "cora" })).body;
    };
    expect(await get(479)).toEqual(refusal("Invalid channel ID"));
    expect((await get(480)).stream.name).toBe("attic");
  });

  test("a moderation request channel stays private in other words from 478", async () => {
    const open = async (level: number) =>
      (await patched(level, { is_private: "false" }, "iris", "moderation requests")).body;
    expect(await open(371)).toEqual(refusal("Moderation request channel must be private."));
    expect(await open(478)).toEqual(refusal("A moderation request channel cannot be public."));
  });
});

describe("long before", () => {
  test("the texts of a channel travelled in quotation marks", async () => {
    const quoted = await patched(63, { description: '"a\\nb"', new_name: '"drawing"' });
    expect([quoted.body, quoted.channel.description, quoted.channel.name]).toEqual([success, "a b", "drawing"]);
    expect((await patched(63, { description: "plain" })).body).toEqual(refusal("description is not valid JSON"));
  });

  test("a group setting was the bare id of a group, under another name at first", async () => {
    const later = await patched(319, { can_remove_subscribers_group: "9" });
    expect([later.body, later.channel.settings.can_remove_subscribers_group]).toEqual([success, 9]);
    const first = await patched(161, { can_remove_subscribers_group_id: "9", can_remove_subscribers_group: "10" });
    expect([first.body, first.channel.settings.can_remove_subscribers_group]).toEqual([success, 9]);
  });

  test("nothing was reported as ignored, and fetching a key did not tell the account's id", async () => {
    expect((await patched(166, { zz: "1" })).body).toEqual(success);
    const form = { username: "cora@sandbox.example", password: "cora-sandbox-password" };
    const { body } = await asked(170, "POST", "/fetch_api_key", { form });
    expect(Object.keys(body)).toEqual(["result", "msg", "api_key", "email"]);
  });
});

test.each([
  ["ſtaff", "staff"],
  ["staff\x85", "staff"],
  ["\x1ccouncil", "council"],
])("subscribing to %j takes people to the channel %j", async (name, there) => {
  const sandbox = sandboxOf({ level: 371 });
  const form = { subscriptions: JSON.stringify([{ name }]) };
  const { body } = await ask(sandbox, "POST", "/users/me/subscriptions", { as: "iris", form });
  expect(JSON.stringify(body)).toContain(`["${there}"]`);
  expect([...sandbox.state.channels.values()].filter((each) => each.name === name)).toEqual([]);
});
