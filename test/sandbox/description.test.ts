/** Holds the answers and events of the sandbox at level 500 against the description of Zulip 12.3. */
import { describe, expect, test } from "vitest";
import { isMapping } from "../../src/common/object-members.ts";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { type DescribedType, describedEvents, describedOperation } from "../description.ts";
import { findByName, openQueue, person, sandboxOf, sendRequest } from "./client.ts";

const level = 500;

const capabilities = [
  ...["notification_settings_null", "bulk_message_deletion", "user_avatar_url_field_optional"],
  ...["user_settings_object", "linkifier_url_template", "include_deactivated_groups", "archived_channels"],
  ...["empty_topic_name", "simplified_presence_events", "individual_emoji_changes"],
];
const withAll = { client_capabilities: JSON.stringify(Object.fromEntries(capabilities.map((name) => [name, true]))) };

/** Notes the members by path, and those that the description does not have. */
function walk(value: unknown, type: DescribedType | undefined, path: string, seen: Set<string>): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => walk(each, type, path, seen));
  const record = typeof type === "object" ? type.record : undefined;
  if (!isMapping(value) || !record) return [];
  seen.add(`${path}{}`);
  const [only = ""] = Object.keys(record);
  return Object.entries(value).flatMap(([name, each]) => {
    const key = only.startsWith("<") ? only : name;
    const at = `${path}.${key}`;
    seen.add(at);
    return Object.hasOwn(record, key) ? walk(each, record[key], at, seen) : [at];
  });
}

/** Returns described members that no thing had, where there was a thing. */
const missingIn = (type: DescribedType | undefined, path: string, seen: ReadonlySet<string>): string[] =>
  typeof type === "object" && type.record && seen.has(`${path}{}`)
    ? Object.entries(type.record).flatMap(([name, each]) =>
        seen.has(`${path}.${name}`) ? missingIn(each, `${path}.${name}`, seen) : [`${path}.${name}`],
      )
    : [];

describe("register", () => {
  const registered = async () =>
    (await sendRequest(sandboxOf({ level }), "POST", "/register", { as: "iris", form: withAll })).body;

  test("has exactly the members of the description", async () => {
    const { result: _, msg: __, ...members } = await registered();
    expect(Object.keys(members).sort()).toEqual(
      [...Object.values(describedOperation("POST /register")?.answer ?? {})].sort(),
    );
  });

  test("has exactly the settings of people and of new people", async () => {
    const body = await registered();
    const { user_settings = [], realm_user_settings_defaults = [] } =
      describedOperation("POST /register")?.members_of ?? {};
    expect(Object.keys(body.user_settings).sort()).toEqual([...user_settings].sort());
    expect(Object.keys(body.realm_user_settings_defaults).sort()).toEqual([...realm_user_settings_defaults].sort());
  });
});

/** Members that this organization has no reason to show. */
const notShown: Readonly<Record<string, readonly string[]>> = {
  "only if true": ["GET /users.members.is_deleted", "GET /users/{user_id}.user.is_deleted"],
  "only of bots": ["GET /users/{user_id}.user.bot_type", "GET /users/{user_id}.user.bot_owner_id"],
  "only if requested": ["GET /streams.streams.is_default", "GET /users/me/subscriptions.subscriptions.subscribers"],
  "only of large channels": ["GET /users/me/subscriptions.subscriptions.partial_subscribers"],
};

/** Reads of the seeded organization. The ids are filled in. */
const reads = [
  ...["GET /users", "GET /users/{user_id}", "GET /users/me", "GET /realm/linkifiers", "GET /realm/profile_fields"],
  ...["GET /attachments", "GET /export/realm", "GET /export/realm/consents", "GET /server_settings", "GET /streams"],
  ...[
    "GET /streams/{stream_id}",
    "GET /user_groups",
    "GET /user_groups/{user_group_id}/members",
    "GET /channel_folders",
  ],
  ...["GET /users/{user_id}/presence", "GET /drafts", "GET /invites"],
  ...["GET /users/me/subscriptions", "GET /users/me/{stream_id}/topics", "GET /scheduled_messages"],
];

async function fill(sandbox: Sandbox): Promise<void> {
  const post = (path: string, form: Record<string, string>) => sendRequest(sandbox, "POST", path, { as: "iris", form });
  await post("/users/me/presence", { status: "active" });
  await post("/export/realm", { export_type: "public" });
  await post("/drafts", { drafts: JSON.stringify([{ type: "", to: [], topic: "", content: "c" }]) });
  await post("/invites", { invitee_emails: "eve@acme.example", stream_ids: "[]" });
  await post("/invites/multiuse", { stream_ids: "[]" });
  await post("/realm/profile_fields", { name: "Badge", field_type: "1", use_for_user_matching: "true" });
}

describe("answers", () => {
  test.each(reads)("%s", async (op) => {
    const sandbox = sandboxOf({ level });
    await fill(sandbox);
    const ids: Readonly<Record<string, number>> = {
      user_id: person(sandbox, "iris").user_id,
      stream_id: findByName(sandbox.state.channels, "design").stream_id,
      user_group_id: findByName(sandbox.state.groups, "designers").id,
    };
    const path = op.replace("GET ", "").replace(/\{(\w+)\}/g, (_, name) => String(ids[name]));
    const query: Record<string, string> =
      path === "/users" || path.startsWith("/users/8") ? { include_custom_profile_fields: "true" } : {};
    const { status, body } = await sendRequest(sandbox, "GET", path, {
      as: "iris",
      query: path.endsWith("presence") ? {} : query,
    });
    const described = describedOperation(op);
    if (!described || Array.isArray(described.answer)) throw new Error(`${op} is not described`);
    const { result: _, msg: __, ignored_parameters_unsupported: ignored, ...members } = body;
    const seen = new Set<string>();
    const type = { type: "object", record: described.answer };
    const unknown = walk(members, type, op, seen);
    const missing = missingIn(type, op, seen).filter((at) => !Object.values(notShown).flat().includes(at));
    expect({ status, ignored, unknown: [...new Set(unknown)], missing }).toEqual({
      status: 200,
      ignored: undefined,
      unknown: [],
      missing: [],
    });
  });
});

test("events are those of the description", async () => {
  const sandbox = sandboxOf({ level });
  const read = await openQueue(
    sandbox,
    "iris",
    [...new Set([...describedEvents.keys()].map((name) => name.split("/")[0] ?? ""))],
    withAll,
  );
  const otis = person(sandbox, "otis").user_id;
  const bot = person(sandbox, "beep-bot").user_id;
  const { stream_id } = findByName(sandbox.state.channels, "design");
  const { id: group } = findByName(sandbox.state.groups, "designers");
  const ask = async (method: string, path: string, form: Record<string, string> = {}) => {
    const { body } = await sendRequest(sandbox, method, path, { as: "iris", form });
    expect([method, path, body.msg]).toEqual([method, path, ""]);
  };
  const actions = {
    delete_profile: true,
    delete_public_channel_messages: true,
    delete_private_channel_messages: true,
    delete_direct_messages: true,
  };
  await ask("PATCH", "/realm", {
    description: "new",
    gif_rating_policy: "2",
    media_preview_size: "150",
    default_avatar_source: "G",
    topics_policy: "disable_empty_topic",
    allow_message_editing: "false",
  });
  await ask("PATCH", "/realm/user_settings_defaults", { web_home_view: "recent" });
  await ask("PATCH", "/settings", {
    target_users: JSON.stringify({ user_ids: [person(sandbox, "iris").user_id], skip_if_already_edited: false }),
    web_home_view: "recent",
  });
  await ask("PATCH", `/bots/${bot}`, { full_name: "Boop", short_name: "boop", default_all_public_streams: "true" });
  await ask("PATCH", `/users/${otis}`, { full_name: "Otto", role: "300" });
  await ask("PATCH", `/streams/${stream_id}`, { description: "x", new_name: "drawing" });
  await ask("PATCH", `/user_groups/${group}`, { description: "x" });
  await ask("POST", `/user_groups/${group}/members`, { add: JSON.stringify([otis]) });
  await ask("POST", "/realm/filters", { pattern: "Z(?P<id>[0-9]+)", url_template: "https://z.example/{id}" });
  await ask("POST", "/realm/profile_fields", { name: "Badge", field_type: "1" });
  await ask("POST", "/realm/domains", { domain: "acme.example", allow_subdomains: "false" });
  await ask("POST", "/realm/playgrounds", {
    name: "P",
    pygments_language: "Python",
    url_template: "https://p.example/{code}",
  });
  await ask("POST", "/export/realm");
  await ask("POST", "/channel_folders/create", { name: "New", description: "" });
  await ask("POST", "/drafts", { drafts: JSON.stringify([{ type: "", to: [], topic: "", content: "c" }]) });
  await ask("POST", "/users/me/status", { status_text: "here" });
  await ask("POST", "/users/me/presence", { status: "active" });
  await ask("POST", "/messages", { type: "channel", to: String(stream_id), topic: "t", content: "hello" });
  await ask("POST", "/users/me/subscriptions", {
    subscriptions: JSON.stringify([{ name: "drawing" }]),
    principals: JSON.stringify([person(sandbox, "mona").user_id]),
  });
  await ask("DELETE", `/users/${otis}`, { actions: JSON.stringify(actions) });
  const events = await read();
  const nameOf = ({ type, op }: Record<string, unknown>): string => (op === undefined ? String(type) : `${type}/${op}`);
  const unknown = events.flatMap((event) => {
    const described = describedEvents.get(nameOf(event));
    const members = Object.keys(event).filter((member) => !described?.members.includes(member));
    const data =
      isMapping(event.data) && described?.data
        ? Object.keys(event.data).filter((name) => !described.data?.includes(name))
        : [];
    return described ? [...members, ...data].map((member) => `${nameOf(event)} ${member}`) : [nameOf(event)];
  });
  expect(unknown).toEqual([]);
  const names = new Set(events.map(nameOf));
  expect([...names].sort().join(" ")).toBe(
    [
      "channel_folder/add custom_profile_fields delete_message drafts/add message presence realm/update realm/update_dict",
      "realm_bot/update realm_domains/add realm_export realm_linkifiers realm_playgrounds realm_user/update",
      "realm_user_settings_defaults/update stream/update subscription/peer_add subscription/peer_remove",
      "user_group/add_members user_group/remove_members user_group/update user_settings/update user_status user_topic",
    ].join(" "),
  );
});
