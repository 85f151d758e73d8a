/** Answers that differ between levels, beside those recorded at levels 371 and 442. */
import { describe, expect, test } from "vitest";
import { ask, named, noon, person, refusal, sandboxOf } from "./asking.ts";

const success = (more: object = {}) => ({ result: "success", msg: "", ...more });
const ignoring = (...names: string[]) => success({ ignored_parameters_unsupported: names });
const missing = (name: string) => refusal(`Missing '${name}' argument`, { var_name: name }, "REQUEST_VARIABLE_MISSING");

const empty_topic_only =
  "To enable this configuration, all messages in this channel must be in the general chat topic. Consider renaming or deleting other topics.";
const parameters = "history_public_to_subscribers, can_create_topic_group";
const hidden = { history_public_to_subscribers: "false", can_create_topic_group: '{"new":9}' };
const newer = { folder_id: "1", topics_policy: "inherit", can_resolve_topics_group: '{"new":9}' };
const long = { name: "x".repeat(61), description: "" };
const twoErrors = { name: "x".repeat(41), digest_weekday: "9" };
const withExample = { pattern: "T", url_template: "https://t.example", example_input: "x" };
const base64 = { token: "zzzz", appid: "a" };
const invalid = (name: string) => refusal(`Invalid ${name}`);
const impossible = (name: string) => refusal(`Invalid ${name}: Value error, Not in the list of possible values`);
const unexpected = "can_send_message_group does not have the expected format";

const cases: [request: string, form: Record<string, string>, answers: { readonly [level: number]: object }][] = [
  [
    "iris PATCH /streams/{design}",
    { can_send_message_group: "15" },
    { 371: { result: "error", msg: "Internal server error" }, 442: refusal(unexpected) },
  ],
  ["iris PATCH /streams/{design}", newer, { 371: ignoring(...Object.keys(newer).sort()), 442: success() }],
  [
    "iris PATCH /streams/{design}",
    { default_push_notifications: "true" },
    { 442: ignoring("default_push_notifications"), 512: success() },
  ],
  [
    "iris PATCH /streams/{design}",
    { topics_policy: "empty_topic_only" },
    { 392: invalid("topics_policy"), 404: refusal(empty_topic_only, { empty_topic_display_name: "general chat" }) },
  ],
  [
    "iris PATCH /streams/{council}",
    hidden,
    {
      440: ignoring("can_create_topic_group"),
      442: refusal(`Unsupported parameter combination: ${parameters}`, { parameters }),
    },
  ],
  [
    "iris PATCH /streams/{moderation requests}",
    { is_private: "false" },
    {
      371: refusal("Moderation request channel must be private."),
      478: refusal("A moderation request channel cannot be public."),
    },
  ],
  ["cora POST /users/me/apns_device_token", {}, { 371: missing("token"), 442: missing("appid") }],
  ["cora POST /users/me/apns_device_token", base64, { 371: success(), 442: refusal("Invalid APNS token") }],
  ["cora POST /users/me/apns_device_token", { token: "ab".repeat(32), appid: "a" }, { 442: success() }],
  [
    "adam POST /channel_folders/create",
    long,
    { 389: success({ channel_folder_id: 3 }), 442: refusal("name is too long (limit: 60 characters)") },
  ],
  ["iris POST /export/realm", { export_type: "2" }, { 448: success({ id: 1 }), 449: invalid("export_type") }],
  ["iris POST /export/realm", { export_type: "3" }, { 448: impossible("export_type") }],
  [
    "iris POST /export/realm",
    { export_type: "full_with_consent" },
    { 448: refusal("export_type is not valid JSON"), 449: success({ id: 1 }) },
  ],
  [
    "iris POST /export/realm",
    { export_type: "full_without_consent" },
    { 449: refusal("Must be an organization owner", {}, "UNAUTHORIZED_PRINCIPAL") },
  ],
  ["iris PATCH /realm", { topics_policy: "disable_empty_topic" }, { 442: success({ topics_policy: 3 }) }],
  ["iris PATCH /realm", { topics_policy: "empty_topic_only" }, { 442: invalid("topics_policy") }],
  ["iris PATCH /realm", { mandatory_topics: "x" }, { 442: ignoring("mandatory_topics") }],
  ["iris PATCH /realm", { giphy_rating: "5" }, { 371: success({ giphy_rating: 5 }), 442: invalid("giphy_rating 5") }],
  // From 442 on parameters are checked in the order of their names.
  [
    "iris PATCH /realm",
    twoErrors,
    { 371: refusal("name is too long (limit: 40 characters)"), 442: invalid("digest_weekday") },
  ],
  [
    "iris PATCH /realm/user_settings_defaults",
    { web_channel_default_view: "4" },
    { 371: impossible("web_channel_default_view"), 442: success() },
  ],
  [
    "iris PATCH /realm/user_settings_defaults",
    { emojiset: "google-blob" },
    { 371: success(), 442: impossible("emojiset") },
  ],
  [
    "iris POST /realm/filters",
    withExample,
    {
      470: success({ id: 3, ignored_parameters_unsupported: ["example_input"] }),
      471: expect.objectContaining({ msg: "Example input does not match the linkifier pattern." }),
    },
  ],
];

test.each(cases)("%s with %j", async (request, form, answers) => {
  const [, as, method = "", path = ""] = /^(\S+) (\S+) (.+)$/.exec(request) ?? [];
  for (const [level, answer] of Object.entries(answers)) {
    const sandbox = sandboxOf({ level: Number(level) });
    const place = path.replace(/\{(.+)\}/, (_, name) => String(named(sandbox.state.channels, name).stream_id));
    expect({ level, answer: (await ask(sandbox, method, place, { as, form })).body }).toEqual({ level, answer });
  }
});

const get = async (level: number, path: string, as: string, query = {}) =>
  (await ask(sandboxOf({ level }), "GET", path, { as, query })).body;

describe("reads", () => {
  test("chosen users are listed from 384 on", async () => {
    const listed = async (level: number) =>
      (await get(level, "/users", "cora", { user_ids: "[8,9,999]" })).members.length;
    expect([await listed(371), await listed(442)]).toEqual([8, 2]);
  });

  test("folders have an order from 414 on", async () => {
    const order = async (level: number) => (await get(level, "/channel_folders", "gwen")).channel_folders?.[0].order;
    expect([await order(371), await order(413), await order(414)]).toEqual([undefined, undefined, 1]);
  });

  test("bots list groups from 496 on", async () => {
    expect(await get(495, "/user_groups", "beep-bot")).toEqual(refusal("This endpoint does not accept bot requests."));
    expect((await get(496, "/user_groups", "beep-bot")).user_groups.length).toBe(11);
  });

  test("times of attachments are seconds from 443 on, their messages ids from 472 on", async () => {
    const sketch = async (level: number) => {
      const { create_time, messages, message_ids } = (await get(level, "/attachments", "cora")).attachments[0];
      return { create_time, messages, message_ids };
    };
    const seconds = noon / 1000;
    expect(await sketch(442)).toEqual({ create_time: noon, messages: [{ id: 1, date_sent: noon }] });
    expect(await sketch(443)).toEqual({ create_time: seconds, messages: [{ id: 1, date_sent: seconds }] });
    expect(await sketch(472)).toEqual({ create_time: seconds, message_ids: [1] });
  });

  test("archived channels can be read by id from 480 on", async () => {
    const { stream_id } = named(sandboxOf().state.channels, "attic");
    expect(await get(479, `/streams/${stream_id}`, "cora")).toEqual(refusal("Invalid channel ID"));
    expect((await get(480, `/streams/${stream_id}`, "cora")).stream.name).toBe("attic");
  });

  test("the term mentions came with 446", async () => {
    const said = async (level: number) => {
      const narrow = JSON.stringify([{ operator: "mentions", operand: "x" }]);
      return (await get(level, "/messages/matches_narrow", "iris", { msg_ids: "[]", narrow })).msg;
    };
    expect(await said(445)).toBe("Invalid narrow operator: unknown operator mentions");
    expect(await said(446)).toBe("Invalid narrow operator: unknown user x");
  });
});

test.each([
  [371, { estimated_messages_sent: 250_001 }, "Please request a manual export from support@sandbox.example."],
  [
    442,
    { estimated_messages_sent: 250_001 },
    "The export you requested is too large for automatic processing. Please request a manual export by contacting support@sandbox.example.",
  ],
  [442, { estimated_messages_sent: 250_000, upload_bytes: 15 * 1024 ** 3 }, ""],
])("at %i an organization with %j is exported, or is too large", async (level, size, msg) => {
  const sandbox = sandboxOf({ level });
  Object.assign(sandbox.state.organization, size);
  expect((await ask(sandbox, "POST", "/export/realm", { as: "adam" })).body.msg).toBe(msg);
});

test("members of a deactivated group can be changed from 391 on", async () => {
  const added = async (level: number) => {
    const sandbox = sandboxOf({ level });
    const group = named(sandbox.state.groups, "writers");
    group.deactivated = true;
    const form = { add: `[${person(sandbox, "cora").user_id}]` };
    return (await ask(sandbox, "POST", `/user_groups/${group.id}/members`, { as: "iris", form })).body;
  };
  expect([await added(390), await added(391)]).toEqual([refusal("User group is deactivated."), success()]);
});

test("new people have the defaults that the organization has then", async () => {
  const sandbox = sandboxOf();
  person(sandbox, "iris").can_create_users = true;
  const create = (email: string) =>
    ask(sandbox, "POST", "/users", { as: "iris", form: { email, full_name: "Somebody", password: "a long password" } });
  await create("ada@x.example");
  const form = { email_address_visibility: "1" };
  await ask(sandbox, "PATCH", "/realm/user_settings_defaults", { as: "iris", form });
  await create("bob@x.example");
  expect(["ada", "bob"].map((key) => person(sandbox, key).email_address_visibility)).toEqual([3, 1]);
});
