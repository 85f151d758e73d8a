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
