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

  test("a policy of topics is told with what it computes", async () => {
    const sandbox = sandboxOf();
    const { body, events } = await registered(sandbox, ["realm"]);
    expect(body).toMatchObject({ realm_topics_policy: "allow_empty_topic", realm_mandatory_topics: false });
    await patch(sandbox, "/realm", { topics_policy: "disable_empty_topic" });
    await patch(sandbox, "/realm", { welcome_message_custom_text: "Hello" });
    expect(await events()).toEqual([
      {
        type: "realm",
        op: "update_dict",
        property: "default",
        data: { topics_policy: "disable_empty_topic", mandatory_topics: true },
      },
      { type: "realm", op: "update", property: "welcome_message_custom_text", value: "Hello" },
    ]);
    expect((await registered(sandbox, ["realm"])).body).toMatchObject({
      realm_topics_policy: "disable_empty_topic",
      realm_mandatory_topics: true,
    });
  });

  test.each([371, 442])("at %i the owner is asked for last, after every value", async (level) => {
    const sandbox = sandboxOf({ level });
    const form = { description: "new", string_id: "x" };
    const owner = refusal("Must be an organization owner", {}, "UNAUTHORIZED_PRINCIPAL");
    expect((await patch(sandbox, "/realm", { ...form, signup_announcements_stream_id: "99" }, "adam")).body).toEqual(
      refusal("Invalid channel ID"),
    );
    expect((await patch(sandbox, "/realm", form, "adam")).body).toEqual(owner);
    expect(sandbox.state.organization.settings.description).toBe("new");
  });

  test.each([371, 442])("at %i nobody who creates channels shows the number of members", async (level) => {
    const sandbox = sandboxOf({ level });
    const group = (name: string) => JSON.stringify({ new: named(sandbox.state.groups, name).id });
    for (const [who, policy] of [
      ["role:administrators", 2],
      ["role:nobody", 1],
    ] as const) {
      const form = { can_create_private_channel_group: group(who), can_create_public_channel_group: group(who) };
      await patch(sandbox, "/realm", form);
      expect((await registered(sandbox, ["realm"])).body).toMatchObject({
        realm_create_private_stream_policy: policy,
        realm_create_public_stream_policy: policy,
      });
    }
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

  test("calls owners and administrators moderators, too", async () => {
    const { body } = await registered(sandboxOf(), ["realm_user"], "adam");
    expect([body.is_moderator, body.is_admin]).toEqual([true, true]);
    expect(body.cross_realm_bots[0].is_imported_stub).toBe(false);
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

  test("judges folder and retention before names, for channels that are there too", async () => {
    const sandbox = sandboxOf();
    const retention = { var_name: "message_retention_days", bad_value: -1 };
    const bad = refusal("Bad value for 'message_retention_days': -1", retention, "REQUEST_VARIABLE_INVALID");
    for (const name of ["design", "", "brand new"]) {
      expect((await subscribe(sandbox, [name], { message_retention_days: "-1" })).body).toEqual(bad);
      expect((await subscribe(sandbox, [name], { message_retention_days: "-1", folder_id: "99" })).body).toEqual(
        refusal("Invalid channel folder ID"),
      );
    }
    expect([...sandbox.state.channels.values()].map(({ name }) => name)).not.toContain("brand new");
  });

  test("finds nobody by an address that is not shown", async () => {
    const sandbox = sandboxOf();
    const [cora, dora] = [person(sandbox, "cora"), person(sandbox, "dora")];
    const by = async (address: string) =>
      (await subscribe(sandbox, ["general"], { principals: JSON.stringify([address]) })).body;
    for (const { delivery_email } of [cora, dora]) expect(await by(delivery_email)).toEqual(refusal("No such user"));
    expect(await by(`user${dora.user_id}@chat.example`)).toEqual(refusal("User is deactivated"));
    expect(await by(`user${cora.user_id}@chat.example`)).toMatchObject(success());
  });

  test("of a new channel judges the folder before the right to make it", async () => {
    const form = { name: "x", subscribers: "[]", invite_only: "true", is_default_stream: "true", folder_id: "99" };
    const { body } = await ask(sandboxOf(), "POST", "/channels/create", { as: "iris", form });
    expect(body).toEqual(refusal("Invalid channel folder ID"));
  });

  test("unsubscribing others asks for the right before it says which channels there are not", async () => {
    const sandbox = sandboxOf();
    const form = {
      subscriptions: JSON.stringify(["design", "nowhere"]),
      principals: JSON.stringify([person(sandbox, "cora").user_id]),
    };
    const unsubscribe = async (as: string) =>
      (await ask(sandbox, "DELETE", "/users/me/subscriptions", { as, form })).body;
    expect(await unsubscribe("otis")).toEqual(refusal("Insufficient permission"));
    expect(await unsubscribe("iris")).toEqual(refusal("Channel(s) (nowhere) do not exist"));
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

  test("a folder is told again where the channel is in it already", async () => {
    const sandbox = sandboxOf();
    const { stream_id } = named(sandbox.state.channels, "general");
    const { events } = await registered(sandbox, []);
    expect((await patch(sandbox, `/streams/${stream_id}`, { folder_id: "null" })).status).toBe(200);
    expect(await events()).toMatchObject([{ type: "stream", op: "update", property: "folder_id", value: null }]);
    expect((await patch(sandbox, `/streams/${stream_id}`, { folder_id: "x" })).body).toEqual(
      refusal('folder_id["json[nullable[int]]"] is not valid JSON'),
    );
  });

  test("the order of folders is told as it was sent", async () => {
    const sandbox = sandboxOf();
    const { events } = await registered(sandbox, []);
    await patch(sandbox, "/channel_folders", { order: "[99,2,1]" });
    expect(await events()).toEqual([{ type: "channel_folder", op: "reorder", order: [99, 2, 1] }]);
    expect([...sandbox.state.folders.values()].map(({ order }) => order)).toEqual([2, 1]);
  });

  test("has no address where there is no gateway", async () => {
    const sandbox = sandboxOf();
    sandbox.state.organization.mail_gateway = false;
    expect((await ask(sandbox, "GET", "/streams/1/email_address", { as: "iris" })).body).toEqual(
      success({ email: "" }),
    );
  });
});

describe("people", () => {
  test("the channels of somebody who is deactivated are not told", async () => {
    const sandbox = sandboxOf();
    const { body } = await ask(sandbox, "GET", `/users/${person(sandbox, "dora").user_id}/channels`, { as: "iris" });
    expect(body).toEqual(refusal("User is deactivated"));
  });

  test("of one profile field the value stays that is given beside an empty one, and the last of several", async () => {
    const sandbox = sandboxOf();
    const otis = person(sandbox, "otis");
    const given = async (...values: string[]) => {
      const profile_data = JSON.stringify(values.map((value) => ({ id: 1, value })));
      expect((await patch(sandbox, `/users/${otis.user_id}`, { profile_data })).status).toBe(200);
      return otis.profile.get(1);
    };
    expect(await given("one", "")).toBe("one");
    expect(await given("", "two", "three")).toBe("three");
    expect(await given("")).toBeUndefined();
  });

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

describe("smaller things", () => {
  const invite = async (
    path: string,
    form: Record<string, string>,
    as = "cora",
    given?: (sandbox: Sandbox) => void,
  ) => {
    const sandbox = sandboxOf();
    given?.(sandbox);
    return (await ask(sandbox, "POST", path, { as, form })).body;
  };
  const text = { welcome_message_custom_text: "x".repeat(8001) };
  const tooLong = refusal("welcome_message_custom_text is too long (limit: 8000 characters)");

  test("a welcome that is too long is refused before channels are looked at", async () => {
    const form = { invitee_emails: "ada@x.example", stream_ids: "[99]", ...text };
    expect(await invite("/invites", form, "iris")).toEqual(tooLong);
    expect(await invite("/invites/multiuse", { stream_ids: "[99]", ...text }, "iris")).toEqual(tooLong);
  });

  test("the right to invite at all is asked for before the role", async () => {
    const owner = refusal("Must be an organization owner", {}, "UNAUTHORIZED_PRINCIPAL");
    const nobody = ({ state }: Sandbox) => {
      state.organization.permissions.create_multiuse_invite_group = named(state.groups, "role:nobody").id;
    };
    expect(await invite("/invites/multiuse", { invite_as: "100" }, "adam")).toEqual(owner);
    expect(await invite("/invites/multiuse", { invite_as: "100" }, "adam", nobody)).toEqual(
      refusal("Insufficient permission"),
    );
  });

  test("a push token that nobody registered does not exist", async () => {
    const { body } = await ask(sandboxOf(), "DELETE", "/users/me/apns_device_token", {
      as: "cora",
      form: { token: "abcd" },
    });
    expect(body).toEqual(refusal("Token does not exist"));
  });

  test("a playground tells all that is wrong, the template first", async () => {
    const add = async (url_template: string) =>
      (
        await ask(sandboxOf(), "POST", "/realm/playgrounds", {
          as: "iris",
          form: { name: "", pygments_language: "", url_template },
        })
      ).body;
    const blank = ["This field cannot be blank."];
    expect(await add("https://x.example/{code")).toEqual(
      refusal("Invalid URL template.", {
        errors: { url_template: ["Invalid URL template."], pygments_language: blank, name: blank },
      }),
    );
    expect(await add("https://x.example/")).toEqual(
      refusal(blank[0]!, {
        errors: {
          pygments_language: blank,
          name: blank,
          __all__: ['Missing the required variable "code" in the URL template'],
        },
      }),
    );
  });

  test.each([371, 442])("at %i a profile field's data is judged before its words", async (level) => {
    const create = async (form: Record<string, string>) =>
      (await ask(sandboxOf({ level }), "POST", "/realm/profile_fields", { as: "iris", form })).body.msg;
    const long = { name: "x".repeat(41), hint: "x".repeat(81) };
    expect(await create({ field_type: "3", ...long })).toBe("Field must have at least one choice.");
    expect(await create({ field_type: "1", ...long })).toBe("hint is too long (limit: 80 characters)");
    expect(await create({ field_type: "1", ...long, name: " " })).toBe("Label cannot be blank.");
    expect(await create({ field_type: "9", name: "x" })).toBe("Invalid field type.");
  });
});
