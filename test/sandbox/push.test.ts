/** Encrypted push notifications, as a server answers that has no push service set up. */
import { expect, test } from "vitest";
import { ask, refusal, sandboxOf } from "./asking.ts";

const registration = { bouncer_public_key: "b", encrypted_push_registration: "e", token_kind: "apns" };
const device = { push_account_id: "7", ...registration };

async function register(level: number, form: Record<string, string>, as = "cora") {
  const { status, body } = await ask(sandboxOf({ level }), "POST", "/mobile_push/register", { as, form });
  return status === 404 ? 404 : body;
}
const none = refusal("Server is not configured to use push notification service.", {}, "PUSH_SERVICE_NOT_CONFIGURED");
const missing = (name: string) => refusal(`Missing '${name}' argument`, { var_name: name }, "REQUEST_VARIABLE_MISSING");

test("a registration is refused for want of a push service, after its parameters were judged", async () => {
  expect(await register(405, device)).toBe(404);
  expect(await register(431, { ...device, push_public_key: "k" })).toEqual(none);
  expect(await register(432, { ...device, push_public_key: "k" })).toEqual(missing("push_key"));
  expect(await register(467, { ...device, push_key: "k" })).toEqual(none);
  expect(await register(467, { ...registration, push_key: "k" })).toEqual(missing("push_account_id"));
  expect(await register(468, { ...device, push_key: "k" })).toEqual(missing("device_id"));
  expect(await register(468, { device_id: "3" })).toEqual(none);
  expect(await register(468, { device_id: "x" })).toMatchObject({ result: "error", code: "BAD_REQUEST" });
  expect(await register(468, { device_id: "3" }, "beep-bot")).toMatchObject({
    msg: "This endpoint does not accept bot requests.",
  });
});

test("an encrypted test finds no device", async () => {
  const tried = async (level: number, form: Record<string, string>) =>
    (await ask(sandboxOf({ level }), "POST", "/mobile_push/e2ee/test_notification", { as: "cora", form })).body;
  const nowhere = refusal("No active registered push device", {}, "NO_ACTIVE_PUSH_DEVICE");
  expect(await tried(420, {})).toEqual(nowhere);
  expect(await tried(420, { push_account_id: "7" })).toEqual(nowhere);
  expect(await tried(468, { device_id: "7" })).toEqual(nowhere);
  expect(await tried(467, { push_account_id: "x" })).toMatchObject({ result: "error", code: "BAD_REQUEST" });
});

test("a device is its owner's alone, is told of, and goes once", async () => {
  const sandbox = sandboxOf({ level: 470 });
  const asked = async (path: string, form: Record<string, string>, as = "cora") =>
    (await ask(sandbox, "POST", path, { as, form })).body as Record<string, unknown>;
  const success = { result: "success", msg: "" };
  const told = { fetch_event_types: '["device"]', event_types: '["device"]' };
  const { queue_id, devices } = await asked("/register", told);
  expect(devices).toEqual({});
  // It takes no parameters, so none is called ignored.
  expect(await asked("/register_client_device", { name: "x" })).toEqual({ ...success, device_id: 1 });
  expect(await asked("/register_client_device", {}, "otis")).toEqual({ ...success, device_id: 2 });
  expect(Object.keys((await asked("/register", told)).devices as object)).toEqual(["1"]);

  const invalid = refusal("Invalid `device_id`");
  expect(await asked("/remove_client_device", {})).toEqual(missing("device_id"));
  expect(await asked("/remove_client_device", { device_id: "2" })).toEqual(invalid);
  expect(await asked("/remove_client_device", { device_id: "1" })).toEqual(success);
  expect(await asked("/remove_client_device", { device_id: "1" })).toEqual(invalid);
  const { body } = await ask(sandbox, "GET", "/events", {
    as: "cora",
    query: { queue_id: String(queue_id), last_event_id: "-1" },
  });
  expect((body as { events: object[] }).events).toEqual([
    { id: 0, type: "device", op: "add", device_id: 1 },
    { id: 1, type: "device", op: "remove", device_id: 1 },
  ]);
});

test.each([
  [467, "POST /register_client_device", 404],
  [468, "POST /register_client_device", 200],
  [469, "POST /remove_client_device", 404],
  [470, "POST /remove_client_device", 400],
])("at level %i %s answers with %i", async (level, call, status) => {
  const form = { device_id: "9" };
  const [method, path] = call.split(" ") as [string, string];
  expect((await ask(sandboxOf({ level }), method, path, { as: "cora", form })).status).toBe(status);
});
