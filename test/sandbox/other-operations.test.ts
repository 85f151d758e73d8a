/** Calls of other clients that change what zulipctl reads. */
import { expect, test } from "vitest";
import { errorBody, openQueue, person, sandboxOf, sendRequest } from "./client.ts";

test("people change the values of their own profile that they may change", async () => {
  const sandbox = sandboxOf();
  const iris = (form: Record<string, string>) =>
    sendRequest(sandbox, "POST", "/realm/profile_fields", { as: "iris", form: { field_type: "1", ...form } });
  const open = (await iris({ name: "Nick" })).body.id;
  const fixed = (await iris({ name: "Badge", editable_by_user: "false" })).body.id;
  const set = (method: string, data: unknown, as = "cora") =>
    sendRequest(sandbox, method, "/users/me/profile_data", { as, form: { data: JSON.stringify(data) } });
  const { user_id, profile } = person(sandbox, "cora");
  const read = await openQueue(sandbox, "iris", ["realm_user"]);
  expect((await set("PATCH", [{ id: open, value: "Co" }])).status).toBe(200);
  expect(profile.get(open)).toBe("Co");
  const refusal = "You are not allowed to change this field. Contact an administrator to update it.";
  expect((await set("PATCH", [{ id: fixed, value: "x" }])).body).toEqual(errorBody(refusal));
  expect((await set("DELETE", [fixed])).body).toEqual(errorBody(refusal));
  expect((await set("PATCH", [{ id: fixed, value: "x" }], "iris")).status).toBe(200);
  expect((await set("PATCH", [{ id: 99, value: "x" }])).body).toEqual(errorBody("Field id 99 not found."));
  expect((await set("DELETE", [open])).status).toBe(200);
  expect(profile.has(open)).toBe(false);
  expect((await read()).map((event) => event.person)).toEqual([
    { user_id, custom_profile_field: { id: open, value: "Co", rendered_value: "<p>Co</p>" } },
    {
      user_id: person(sandbox, "iris").user_id,
      custom_profile_field: { id: fixed, value: "x", rendered_value: "<p>x</p>" },
    },
    { user_id, custom_profile_field: { id: open, value: null } },
  ]);
});

test("administrators set the status of others, bots from level 473 on", async () => {
  for (const [level, status] of [
    [472, 400],
    [473, 200],
  ] as const) {
    const sandbox = sandboxOf({ level });
    const { user_id } = person(sandbox, "cora");
    const set = (as: string) =>
      sendRequest(sandbox, "POST", `/users/${user_id}/status`, { as, form: { status_text: "away now" } });
    const bot = person(sandbox, "beep-bot");
    await sendRequest(sandbox, "PATCH", `/bots/${bot.user_id}`, { as: "iris", form: { role: "200" } });
    expect((await set("beep-bot")).status).toBe(status);
    expect((await set("otis")).body).toEqual(errorBody("Insufficient permission"));
    expect((await set("adam")).status).toBe(200);
    expect(sandbox.state.statuses.get(user_id)).toEqual({ status_text: "away now" });
  }
});

test("subscribes and unsubscribes in one call, up to level 511", async () => {
  const form = { add: JSON.stringify([{ name: "drawing" }]), delete: JSON.stringify(["general"]) };
  const update = (level: number) =>
    sendRequest(sandboxOf({ level }), "PATCH", "/users/me/subscriptions", { as: "otis", form });
  const { user_id } = person(sandboxOf(), "otis");
  expect((await update(511)).body).toMatchObject({
    subscribed: { [user_id]: ["drawing"] },
    removed: ["general"],
    not_removed: [],
  });
  expect((await update(512)).status).toBe(405);
});

test.each(["/settings/display", "/settings/notifications"])("changes settings at the old address %s", async (path) => {
  const sandbox = sandboxOf();
  const form = { enter_sends: "true" };
  expect((await sendRequest(sandbox, "PATCH", path, { as: "cora", form })).body).toEqual({
    result: "success",
    msg: "",
  });
  expect(person(sandbox, "cora").settings.enter_sends).toBe(true);
});
