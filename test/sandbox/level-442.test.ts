/** What a server of level 442 answers where one of level 371 answers something else. */
import { describe, expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { ask, named, person, refusal, sandboxOf } from "./asking.ts";

const patch = (sandbox: Sandbox, path: string, form: Record<string, string>, as = "iris") =>
  ask(sandbox, "PATCH", path, { as, form });

async function registered(sandbox: Sandbox, types: string[], as = "iris", capabilities: object = {}) {
  const form = {
    fetch_event_types: JSON.stringify(types),
    event_types: JSON.stringify(["realm", "realm_user_settings_defaults", "stream", "subscription", "channel_folder"]),
    client_capabilities: JSON.stringify({ notification_settings_null: false, ...capabilities }),
  };
  const { body } = await ask(sandbox, "POST", "/register", { as, form });
  const events = async () => {
    const query = { queue_id: body.queue_id, last_event_id: "-1", dont_block: "true" };
    const { events } = (await ask(sandbox, "GET", "/events", { as, query })).body;
    return events.map(({ id: _, ...event }: { id: number }) => event);
  };
  return { body, events };
}

const success = (more: object = {}) => ({ result: "success", msg: "", ...more });

describe("settings of the organization", () => {
  test.each<[form: Record<string, string>, answer: object]>([
    [{ topics_policy: "disable_empty_topic" }, success({ topics_policy: 3 })],
    [{ topics_policy: "allow_empty_topic" }, success()],
    [{ topics_policy: '"disable_empty_topic"' }, refusal("Invalid topics_policy")],
    [{ topics_policy: "inherit" }, refusal("Invalid topics_policy")],
    [{ topics_policy: "empty_topic_only" }, refusal("Invalid topics_policy")],
    [{ topics_policy: "3" }, refusal("Invalid topics_policy")],
    [{ mandatory_topics: "true" }, success({ ignored_parameters_unsupported: ["mandatory_topics"] })],
    [{ mandatory_topics: "x" }, success({ ignored_parameters_unsupported: ["mandatory_topics"] })],
    [{ send_channel_events_messages: "true" }, success({ send_channel_events_messages: true })],
    [{ send_channel_events_messages: "x" }, refusal("send_channel_events_messages is not valid JSON")],
    [{ require_e2ee_push_notifications: "true" }, success({ require_e2ee_push_notifications: true })],
    [{ require_e2ee_push_notifications: "1" }, refusal("require_e2ee_push_notifications is not a boolean")],
    [{ welcome_message_custom_text: "Hello" }, success({ welcome_message_custom_text: "updated" })],
    [
      { welcome_message_custom_text: "é".repeat(8001) },
      refusal("welcome_message_custom_text is too long (limit: 8000 characters)"),
    ],
    [{ giphy_rating: "4" }, success({ giphy_rating: 4 })],
    [{ giphy_rating: "1" }, success()],
    [{ giphy_rating: "5" }, refusal("Invalid giphy_rating 5")],
    [{ giphy_rating: "-1" }, refusal("Invalid giphy_rating -1")],
    // Parameters are judged in the order of their names.
    [{ name: "x".repeat(41), digest_weekday: "9" }, refusal("Invalid digest_weekday")],
  ])("%j", async (form, answer) => {
    expect((await patch(sandboxOf(), "/realm", form)).body).toEqual(answer);
  });
});

test.each<[form: Record<string, string>, answer: object]>([
  [{ resolved_topic_notice_auto_read_policy: "never" }, success()],
  [{ resolved_topic_notice_auto_read_policy: "x" }, refusal("Invalid resolved_topic_notice_auto_read_policy")],
  [{ web_inbox_show_channel_folders: "false" }, success()],
  [{ web_left_sidebar_show_channel_folders: "x" }, refusal("web_left_sidebar_show_channel_folders is not valid JSON")],
  [{ web_left_sidebar_unreads_count_summary: "false" }, success()],
  [{ web_channel_default_view: "4" }, success()],
  [
    { web_channel_default_view: "5" },
    refusal("Invalid web_channel_default_view: Value error, Not in the list of possible values"),
  ],
  [{ emojiset: "google-blob" }, refusal("Invalid emojiset: Value error, Not in the list of possible values")],
])("defaults of new people: %j", async (form, answer) => {
  const sandbox = sandboxOf();
  const { events } = await registered(sandbox, []);
  expect((await patch(sandbox, "/realm/user_settings_defaults", form)).body).toEqual(answer);
  expect(await events()).toHaveLength("code" in answer ? 0 : 1);
});

describe("register", () => {
  const real: { [member: string]: string } = {
    gif_rating_options: "object",
    server_report_message_types: "object",
    server_timestamp: "number",
    push_devices: "object",
    realm_billing: "object",
    realm_default_stream_groups: "object",
    realm_require_e2ee_push_notifications: "boolean",
    tenor_api_key: "string",
  };

  test("has the members of level 442, and not those that went", async () => {
    const { body } = await ask(sandboxOf(), "POST", "/register", { as: "iris", form: {} });
    expect(Object.fromEntries(Object.keys(real).map((name) => [name, typeof body[name]]))).toEqual(real);
    expect([body.giphy_rating_options, body.realm_is_zephyr_mirror_realm]).toEqual([undefined, undefined]);
    expect(body.gif_rating_options.r).toEqual({ name: "Allow GIFs rated R (Restricted)", id: 4 });
    expect(body.realm_giphy_rating).toBe(1);
    expect(body.realm_user_settings_defaults.email_address_visibility).toBe(3);
  });

  test("tells the organization's bots briefly", async () => {
    const { body } = await registered(sandboxOf(), ["realm_bot"]);
    expect(Object.keys(body.realm_bots[0]).sort()).toEqual([
      "api_key",
      "avatar_url",
      "bot_type",
      "default_all_public_streams",
      "default_events_register_stream",
      "default_sending_stream",
      "email",
      "full_name",
      "is_active",
      "owner_id",
      "services",
      "user_id",
    ]);
  });

  test("lists archived channels to clients that know them", async () => {
    const names = async (capabilities: object) => {
      const { body } = await registered(sandboxOf(), ["stream"], "iris", capabilities);
      return body.streams.map(({ name }: { name: string }) => name);
    };
    expect(await names({ archived_channels: true })).toContain("attic");
    expect(await names({})).not.toContain("attic");
  });
});

describe("subscribing", () => {
  const subscribe = (sandbox: Sandbox, names: string[], form: Record<string, string> = {}, as = "iris") =>
    ask(sandbox, "POST", "/users/me/subscriptions", {
      as,
      form: { subscriptions: JSON.stringify(names.map((name) => ({ name }))), ...form },
    });

  test("says whether Notification Bot wrote, unless it was told not to", async () => {
    const sandbox = sandboxOf({ users: 101, rateLimits: false });
    const sent = async (names: string[], form: Record<string, string> = {}) =>
      (await subscribe(sandbox, names, form)).body.new_subscription_messages_sent;
    expect(await sent(["design"])).toBe(true);
    expect(await sent([])).toBe(true);
    expect(await sent(["design"], { send_new_subscription_messages: "false" })).toBeUndefined();
    const crowd = [...sandbox.state.users.keys()].slice(-101);
    expect(await sent(["design"], { principals: JSON.stringify(crowd.slice(1)) })).toBe(true);
    expect(await sent(["general"], { principals: JSON.stringify(crowd) })).toBe(false);
  });
});

describe("channels", () => {
  test("archiving is told as such to clients that know archived channels", async () => {
    const sandbox = sandboxOf();
    const { stream_id, name } = named(sandbox.state.channels, "design");
    const [knowing, other] = [
      await registered(sandbox, [], "iris", { archived_channels: true }),
      await registered(sandbox, []),
    ];
    await ask(sandbox, "DELETE", `/streams/${stream_id}`, { as: "iris", form: {} });
    await patch(sandbox, `/streams/${stream_id}`, { is_archived: "false" });
    const update = { type: "stream", op: "update", property: "is_archived", stream_id, name };
    expect(await knowing.events()).toEqual([
      { ...update, value: true },
      { ...update, value: false },
    ]);
    expect((await other.events()).map(({ op }: { op: string }) => op)).toEqual(["delete", "create"]);
  });

  test("the order of folders is told as it was sent", async () => {
    const sandbox = sandboxOf();
    const { events } = await registered(sandbox, []);
    await patch(sandbox, "/channel_folders", { order: "[99,2,1]" });
    expect(await events()).toEqual([{ type: "channel_folder", op: "reorder", order: [99, 2, 1] }]);
    expect([...sandbox.state.folders.values()].map(({ order }) => order)).toEqual([2, 1]);
  });
});

describe("people", () => {
  test("new people have the defaults that the organization has then", async () => {
    const sandbox = sandboxOf();
    person(sandbox, "iris").can_create_users = true;
    const create = (email: string) =>
      ask(sandbox, "POST", "/users", {
        as: "iris",
        form: { email, full_name: "Somebody", password: "a long password" },
      });
    await create("ada@x.example");
    await patch(sandbox, "/realm/user_settings_defaults", { email_address_visibility: "1" });
    await create("bob@x.example");
    expect(person(sandbox, "ada").email_address_visibility).toBe(3);
    expect(person(sandbox, "bob").email_address_visibility).toBe(1);
  });

  test("a bot is not let back in while anybody active has its name", async () => {
    const sandbox = sandboxOf();
    const beep = person(sandbox, "beep-bot");
    await ask(sandbox, "DELETE", `/bots/${beep.user_id}`, { as: "iris", form: {} });
    const back = () => ask(sandbox, "POST", `/users/${beep.user_id}/reactivate`, { as: "iris", form: {} });
    await patch(sandbox, `/users/${person(sandbox, "otis").user_id}`, { full_name: beep.full_name });
    expect((await back()).body.msg).toMatch(/^There is already an active bot named "Beep Bot"/);
    await patch(sandbox, `/users/${person(sandbox, "otis").user_id}`, { full_name: "Otis" });
    expect((await back()).status).toBe(200);
  });
});
