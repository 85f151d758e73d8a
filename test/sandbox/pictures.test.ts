import { expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { ask, refusal, sandboxOf } from "./asking.ts";
import { type Files, png, upload } from "./uploading.ts";

const one: Files = [["a.png", png]];

async function told(sandbox: Sandbox) {
  const form = { fetch_event_types: '["realm"]', event_types: "[]" };
  const { body } = await ask(sandbox, "POST", "/register", { as: "otis", form });
  const of = (name: string) => [body[`realm_${name}_source`], body[`realm_${name}_url`]];
  return { icon: of("icon"), logo: of("logo"), night: of("night_logo") };
}

test("an icon is the organization's own until it is taken away", async () => {
  const sandbox = sandboxOf();
  const first = await told(sandbox);
  expect(first.icon[0]).toBe("G");
  const form = { event_types: '["realm"]', fetch_event_types: "[]" };
  const { queue_id } = (await ask(sandbox, "POST", "/register", { as: "otis", form })).body;
  const icon_url = "/user_avatars/2/realm/icon.png?version=2";
  // POST /realm/icon
  expect(await upload(sandbox, "POST", "/realm/icon", { as: "adam", files: one })).toMatchObject({ icon_url });
  expect((await told(sandbox)).icon).toEqual(["U", icon_url]);
  expect((await ask(sandbox, "GET", "/server_settings")).body.realm_icon).toBe(icon_url);
  expect((await ask(sandbox, "GET", "/realm/icon", { as: "otis" })).headers.location).toBe(icon_url);
  const { body } = await ask(sandbox, "DELETE", "/realm/icon", { as: "adam" });
  expect(body.icon_url).toBe(first.icon[1]);
  expect(await told(sandbox)).toEqual(first);
  const { events } = (await ask(sandbox, "GET", "/events", { as: "otis", query: { queue_id, last_event_id: "-1" } }))
    .body;
  const event = { type: "realm", op: "update_dict", property: "icon" };
  expect(events).toEqual([
    { ...event, data: { icon_url, icon_source: "U" }, id: 0 },
    { ...event, data: { icon_url: first.icon[1], icon_source: "G" }, id: 1 },
  ]);
});

test("the logo and that for dark colours are two", async () => {
  const sandbox = sandboxOf();
  const first = await told(sandbox);
  const form = { night: "true" };
  expect(await upload(sandbox, "POST", "/realm/logo", { as: "adam", files: one, form })).toMatchObject({ status: 200 });
  const night = ["U", "/user_avatars/2/realm/night_logo.png?version=2"];
  expect(await told(sandbox)).toEqual({ ...first, night });
  await ask(sandbox, "DELETE", "/realm/logo", { as: "adam", query: { night: "false" } });
  expect(await told(sandbox)).toEqual({ ...first, night });
  await ask(sandbox, "DELETE", "/realm/logo", { as: "adam", query: { night: "true" } });
  expect(await told(sandbox)).toEqual(first);
});

const admin = refusal("Must be an organization administrator", {}, "UNAUTHORIZED_PRINCIPAL");
test.each<[string, string, Files, object]>([
  ["/realm/icon", "otis", one, admin],
  ["/realm/logo", "otis", one, admin],
  ["/realm/icon", "adam", [], refusal("You must upload exactly one icon.")],
  ["/realm/logo", "adam", [...one, ["b.png", png]], refusal("You must upload exactly one logo.")],
  ["/realm/icon", "adam", [["a.txt", png]], refusal("Invalid image format", {}, "BAD_IMAGE")],
])("%s by %s is refused", async (path, as, files, body) => {
  const sandbox = sandboxOf();
  const first = await told(sandbox);
  expect(await upload(sandbox, "POST", path, { as, files, form: { night: "false" } })).toEqual({
    status: 400,
    ...body,
  });
  expect(await told(sandbox)).toEqual(first);
});
