/** Cases of real servers that need few or certain people. */
import { expect, test } from "vitest";
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
