/** Events about changes that have another cause than a request for them. */
import { expect, test } from "vitest";
import { clockAt, noon, openQueue, person, sandboxOf, sendRequest } from "./client.ts";

test("reports an export when it is complete", async () => {
  const clock = clockAt(noon);
  const sandbox = sandboxOf({ clock });
  const read = await openQueue(sandbox, "iris", ["realm_export"]);
  await sendRequest(sandbox, "POST", "/export/realm", { as: "iris", form: {} });
  expect(await read()).toMatchObject([{ exports: [{ pending: true, export_url: null }] }]);
  expect(await read()).toEqual([]);
  clock.forward(5000);
  expect(await read()).toMatchObject([{ exports: [{ pending: false, export_url: expect.any(String) }] }]);
  expect(await read()).toEqual([]);
});

test("answers a client that waits for events when an export is complete", async () => {
  const sandbox = sandboxOf({ clock: { now: Date.now } });
  const form = { event_types: '["realm_export"]' };
  const { queue_id } = (await sendRequest(sandbox, "POST", "/register", { as: "iris", form })).body;
  await sendRequest(sandbox, "POST", "/export/realm", { as: "iris", form: {} });
  const query = { queue_id, last_event_id: "0" };
  const { events } = (await sendRequest(sandbox, "GET", "/events", { as: "iris", query })).body;
  expect(events).toMatchObject([{ type: "realm_export", exports: [{ pending: false }], id: 1 }]);
});

test("tells administrators who agrees to private exports", async () => {
  const sandbox = sandboxOf();
  const reads = [
    await openQueue(sandbox, "adam", ["realm_export_consent"]),
    await openQueue(sandbox, "cora", ["realm_export_consent", "user_settings"]),
  ];
  for (const allow_private_data_export of ["true", "true"])
    await sendRequest(sandbox, "PATCH", "/settings", { as: "cora", form: { allow_private_data_export } });
  const { user_id } = person(sandbox, "cora");
  expect(await Promise.all(reads.map((read) => read()))).toEqual([
    [{ type: "realm_export_consent", user_id, consented: true, id: 0 }],
    [{ type: "user_settings", op: "update", property: "allow_private_data_export", value: true, id: 0 }],
  ]);
});

test("hides the invitations of deactivated people, and reports it", async () => {
  const sandbox = sandboxOf();
  const invitations = async () => (await sendRequest(sandbox, "GET", "/invites", { as: "iris" })).body.invites;
  const before = (await invitations()).length;
  for (const invitee_emails of ["new@sandbox.example", "newer@sandbox.example"])
    await sendRequest(sandbox, "POST", "/invites", { as: "cora", form: { invitee_emails, stream_ids: "[]" } });
  const [{ id }] = (await invitations()).slice(-1);
  const read = await openQueue(sandbox, "iris", ["invites_changed", "realm_user"]);
  const deactivate = (key: string) =>
    sendRequest(sandbox, "DELETE", `/users/${person(sandbox, key).user_id}`, { as: "iris", form: {} });
  await deactivate("cora");
  await deactivate("otis");
  const types = (await read()).map(({ type }) => type);
  expect(types).toEqual(["invites_changed", "realm_user", "realm_user"]);
  expect(await invitations()).toHaveLength(before);
  expect((await sendRequest(sandbox, "DELETE", `/invites/${id}`, { as: "iris", form: {} })).status).toBe(200);
});

test("reports the default channels of a new person", async () => {
  const sandbox = sandboxOf();
  person(sandbox, "iris").can_create_users = true;
  const read = await openQueue(sandbox, "iris", ["subscription", "realm_user"]);
  const form = { email: "nora@sandbox.example", password: "long-password-1", full_name: "Nora" };
  const { body } = await sendRequest(sandbox, "POST", "/users", { as: "iris", form });
  const channels = [...sandbox.state.channels.values()].filter(({ is_default }) => is_default);
  expect(await read()).toMatchObject([
    { type: "realm_user", op: "add" },
    ...channels.map(({ stream_id }) => ({ op: "peer_add", stream_ids: [stream_id], user_ids: [body.user_id] })),
  ]);
  expect(channels.length).toBeGreaterThan(0);
});

test.each([
  ["Otis", []],
  [" ", []],
  [" Otis ", ["Otis"]],
])("reports the name %j of a person named Otis as %j", async (full_name, names) => {
  const sandbox = sandboxOf();
  const otis = person(sandbox, "otis");
  otis.full_name = "Otis";
  const read = await openQueue(sandbox, "iris", ["realm_user"]);
  await sendRequest(sandbox, "PATCH", `/users/${otis.user_id}`, { as: "iris", form: { full_name } });
  expect((await read()).map(({ person }) => person)).toEqual(
    names.map((full_name) => ({ user_id: otis.user_id, full_name })),
  );
});
