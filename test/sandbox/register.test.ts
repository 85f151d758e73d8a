import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { kindOf } from "../release/shape.ts";
import { sandboxOf, sendRequest } from "./client.ts";

const data = (name: string) => JSON.parse(readFileSync(new URL(`../data/${name}.json`, import.meta.url), "utf8"));

/** Collects the kinds of values by path. Omits what people fill in. */
function shapeOf(value: unknown, path: string, found: Map<string, Set<string>>): void {
  if (path) found.set(path, (found.get(path) ?? new Set()).add(kindOf(value)));
  if (path.endsWith(".profile_data") || path === "server_supported_permission_settings") return;
  if (Array.isArray(value)) for (const each of value) shapeOf(each, `${path}[]`, found);
  else if (value && typeof value === "object") {
    for (const [name, each] of Object.entries(value)) shapeOf(each, path ? `${path}.${name}` : name, found);
  }
}

const parts = ["realm", "realm_user", "realm_user_groups", "stream", "subscription"];
const capabilities = {
  notification_settings_null: false,
  include_deactivated_groups: true,
  archived_channels: true,
};

async function register(parameters: Record<string, unknown> = {}) {
  const sandbox = sandboxOf({ level: 371 });
  // The owner has left one channel, and was never in another one.
  const left = { subscriptions: '["announcements"]' };
  await sendRequest(sandbox, "DELETE", "/users/me/subscriptions", { as: "iris", form: left });
  await sendRequest(sandbox, "POST", "/users/me/subscriptions", {
    as: "cora",
    form: { subscriptions: '[{"name":"crew"}]' },
  });
  const form = Object.entries({ fetch_event_types: parts, client_capabilities: capabilities, ...parameters });
  const text = form.map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]);
  return sendRequest(sandbox, "POST", "/register", { as: "iris", form: Object.fromEntries(text) });
}

describe("register at level 371", () => {
  test("has the members of a real server, with the same kinds of values", async () => {
    const { body } = await register({ include_subscribers: "true" });
    const found = new Map<string, Set<string>>();
    // The recordings omit the queue, which was deleted.
    const { queue_id, ...rest } = body;
    expect(queue_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
    shapeOf(rest, "", found);
    const real: { [path: string]: string } = data("register-shape");
    const unexpected = [...found].filter(([path, kinds]) => {
      const known = real[path]?.split("|") ?? [];
      // Each recorded channel had a message about its creation. Without messages, this is null.
      if (path.endsWith(".first_message_id")) known.push("null");
      // A permission is the id of a group or an object. The recorded organizations have only one of them.
      if (/(^|[._])(can_\w+|\w+_group|realm_can_manage_all_groups|realm_can_create_groups)$/.test(path))
        known.push("number", "object");
      return [...kinds].some((kind) => !known.includes(kind));
    });
    expect(unexpected.map(([path, kinds]) => [path, [...kinds].join("|"), real[path]])).toEqual([]);
    // Whether a permission names people and groups depends on the organization.
    const missing = Object.keys(real).filter((path) => !found.has(path) && !path.includes(".direct_"));
    expect(missing).toEqual([]);
  });

  test("lists the rules of every permission as a real server does", async () => {
    const { body } = await register();
    expect(body.server_supported_permission_settings).toEqual(data("permission-settings"));
  });
});

test("omits what the capabilities of the client do not include", async () => {
  const { body } = await register({
    fetch_event_types: ["realm_linkifiers", "subscription", "nonsense"],
    client_capabilities: { notification_settings_null: false },
  });
  expect(body.realm_linkifiers).toEqual([]);
  expect(body.subscriptions[0]).not.toHaveProperty("subscribers");
  const names = [...body.subscriptions, ...body.unsubscribed, ...body.never_subscribed].map(({ name }) => name);
  expect(names).not.toContain("attic");
  expect(Object.keys(body)).not.toContain("nonsense");
});

describe("an event queue", () => {
  const queue = async () => {
    const sandbox = sandboxOf();
    const { body } = await sendRequest(sandbox, "POST", "/register", {
      as: "iris",
      form: { event_types: '["realm"]' },
    });
    const poll = (last: number, as = "iris") =>
      sendRequest(sandbox, "GET", "/events", {
        as,
        query: { queue_id: body.queue_id, last_event_id: String(last), dont_block: "true" },
      });
    return { sandbox, id: body.queue_id as string, poll };
  };

  test("returns an event until the client has read it", async () => {
    const { sandbox, poll } = await queue();
    await sendRequest(sandbox, "PATCH", "/realm", { as: "adam", form: { description: "new" } });
    const data = { description: "new", rendered_description: "<p>new</p>" };
    const event = { type: "realm", op: "update_dict", property: "default", data, id: 0 };
    expect((await poll(-1)).body.events).toEqual([event]);
    expect((await poll(-1)).body.events).toEqual([event]);
    expect((await poll(0)).body.events).toEqual([]);
    expect((await poll(-1)).body.msg).toBe("An event newer than -1 has already been pruned!");
    expect((await poll(7)).body.msg).toBe("Event 7 was not in this queue");
  });

  test("has a rate limit of its own", async () => {
    const { sandbox, poll } = await queue();
    for (let n = 0; n < 199; n++) await sendRequest(sandbox, "GET", "/users/me", { as: "iris" });
    expect((await sendRequest(sandbox, "GET", "/users/me", { as: "iris" })).status).toBe(429);
    expect((await poll(-1)).status).toBe(200);
  });
});
