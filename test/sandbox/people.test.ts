/** Cases of real servers that need few or certain people. */
import { describe, expect, test } from "vitest";
import { systemGroupId } from "../../src/sandbox/index.ts";
import { errorBody, person, type RequestOptions, sandboxOf, sendRequest } from "./client.ts";

const lastUser = (entity: string) =>
  errorBody(
    `Cannot deactivate the only ${entity}.`,
    { is_last_owner: entity !== "user", entity },
    "CANNOT_DEACTIVATE_LAST_USER",
  );

test.each([
  [["iris", "cora"], "iris", 400, lastUser("organization owner")],
  [["iris", "beep-bot"], "iris", 400, lastUser("organization owner")],
  [["iris"], "iris", 400, lastUser("user")],
  [["adam"], "adam", 400, lastUser("user")],
  [["iris", "beep-bot"], "beep-bot", 200, { result: "success", msg: "" }],
])("of the active accounts %j, %s deactivates their own: %i", async (active, as, status, body) => {
  const sandbox = sandboxOf();
  for (const user of sandbox.state.users.values())
    user.is_active = active.some((key) => user.delivery_email.startsWith(`${key}@`));
  expect(await sendRequest(sandbox, "DELETE", "/users/me", { as, form: {} })).toMatchObject({ status, body });
});

test.each([
  ["name|12", 400],
  ["name|१२", 400],
  ["name|12\n", 400],
  ["name|12 ", 200],
])("renames a person to %j: %i", async (full_name, status) => {
  const sandbox = sandboxOf();
  const path = `/users/${person(sandbox, "otis").user_id}`;
  expect(await sendRequest(sandbox, "PATCH", path, { as: "iris", form: { full_name } })).toMatchObject({ status });
});

test.each([
  [["iris", "adam"], "adam", 200],
  [["iris"], "adam", 400],
  [["iris"], "beep-bot", 200],
])("of the active owners %j, %s becomes a member: %i", async (active, key, status) => {
  const sandbox = sandboxOf();
  for (const name of [...active, key]) person(sandbox, name).role = 100;
  if (!active.includes(key)) person(sandbox, key).is_active = false;
  const path = `/users/${person(sandbox, key).user_id}`;
  const { status: answered } = await sendRequest(sandbox, "PATCH", path, { as: "iris", form: { role: "400" } });
  expect(answered).toBe(status);
});

test("refuses an unknown language", async () => {
  const options: RequestOptions = { as: "cora", form: { default_language: "xx" } };
  const { body } = await sendRequest(sandboxOf(), "PATCH", "/settings", options);
  expect(body).toEqual(errorBody("Invalid default_language"));
});

test.each([
  [true, "otis", 0, 200],
  [false, "otis", 0, 400],
  [false, "otis", 3, 200],
  [false, "adam", 0, 200],
])("where invitations are required: %j, %s invites after %i days: %i", async (required, as, days, status) => {
  const sandbox = sandboxOf();
  sandbox.state.organization.settings.invite_required = required;
  person(sandbox, as).date_joined = Date.UTC(2026, 10, 21, 12) - days * 86_400_000;
  const form = { invitee_emails: "new@sandbox.example", stream_ids: "[]" };
  const answer = await sendRequest(sandbox, "POST", "/invites", { as, form });
  expect(answer.status).toBe(status);
  if (status === 400)
    expect(answer.body).toMatchObject({ code: "INVITATION_FAILED", errors: [], sent_invitations: false });
});

describe("a guest who may not see everybody", () => {
  const restricted = (level: number) => {
    const sandbox = sandboxOf({ level });
    const { state } = sandbox;
    state.organization.permissions.can_access_all_users_group = systemGroupId(state, "role:members");
    for (const { subscribers } of state.channels.values()) subscribers.clear();
    return sandbox;
  };

  test.each([
    [436, true],
    [437, false],
  ])("gets others as unknown people in a list at level %i: %j", async (level, isListed) => {
    const sandbox = restricted(level);
    const { members } = (await sendRequest(sandbox, "GET", "/users", { as: "gwen" })).body;
    const { user_id } = person(sandbox, "otis");
    const email = `user${user_id}@chat.example`;
    const found = members.filter((each: { user_id: number }) => each.user_id === user_id);
    const unknown = { user_id, email, full_name: "Unknown user", role: 400, is_active: true, profile_data: {} };
    expect(found).toMatchObject(isListed ? [unknown] : []);
  });

  test.each([
    [{}, true],
    [{ user_list_incomplete: true }, false],
  ])("registers with %j and gets unknown people: %j", async (capability, isListed) => {
    const client_capabilities = JSON.stringify({ notification_settings_null: false, ...capability });
    const form = { fetch_event_types: '["realm_user"]', client_capabilities };
    const { body } = await sendRequest(restricted(500), "POST", "/register", { as: "gwen", form });
    const names = body.realm_users.map((each: { full_name: string }) => each.full_name);
    expect(names.includes("Unknown user")).toBe(isListed);
  });

  test("sees active people of the same channel, and no deactivated ones", async () => {
    const sandbox = restricted(500);
    const otis = person(sandbox, "otis");
    for (const key of ["gwen", "otis"]) sandbox.state.channels.get(1)?.subscribers.add(person(sandbox, key).user_id);
    const read = () => sendRequest(sandbox, "GET", `/users/${otis.user_id}`, { as: "gwen" });
    expect((await read()).status).toBe(200);
    otis.is_active = false;
    expect((await read()).body).toEqual(errorBody("Insufficient permission"));
  });
});

test.each([
  ["/users/{bot}/channels", 457, 400],
  ["/users/{bot}/channels", 458, 200],
  ["/users/{bot}/subscriptions/1", 457, 400],
  ["/users/{bot}/subscriptions/1", 458, 200],
  ["/user_groups/{group}/members/{bot}", 457, 400],
  ["/user_groups/{group}/members/{bot}", 458, 200],
])("GET %s at level %i: %i", async (path, level, status) => {
  const sandbox = sandboxOf({ level });
  const group = String(systemGroupId(sandbox.state, "role:members"));
  const bot = String(person(sandbox, "beep-bot").user_id);
  const answer = await sendRequest(sandbox, "GET", path.replace("{bot}", bot).replace("{group}", group), {
    as: "cora",
  });
  expect(answer).toMatchObject({ status, body: status === 200 ? {} : errorBody("No such user") });
});

test.each([
  [447, 200],
  [448, 400],
])("tells the address of a channel to those who may not post in it at level %i: %i", async (level, status) => {
  const sandbox = sandboxOf({ level });
  for (const { settings } of sandbox.state.channels.values())
    settings.can_send_message_group = systemGroupId(sandbox.state, "role:owners");
  const path = "/streams/1/email_address";
  expect((await sendRequest(sandbox, "GET", path, { as: "cora" })).status).toBe(status);
  expect((await sendRequest(sandbox, "GET", path, { as: "iris" })).status).toBe(200);
});
