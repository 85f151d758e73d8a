import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ask, sandboxOf } from "./asking.ts";

const data = (name: string) => JSON.parse(readFileSync(new URL(`../data/${name}.json`, import.meta.url), "utf8"));

const kindOf = (value: unknown): string => (value === null ? "null" : Array.isArray(value) ? "list" : typeof value);

/** Members by their places, and the kinds of values seen there; what people fill in is not looked into. */
function shapeOf(value: unknown, place: string, found: Map<string, Set<string>>): void {
  if (place) found.set(place, (found.get(place) ?? new Set()).add(kindOf(value)));
  if (place.endsWith(".profile_data") || place === "server_supported_permission_settings") return;
  if (Array.isArray(value)) for (const each of value) shapeOf(each, `${place}[]`, found);
  else if (value && typeof value === "object") {
    for (const [name, each] of Object.entries(value)) shapeOf(each, place ? `${place}.${name}` : name, found);
  }
}

const parts = ["realm", "realm_user", "realm_user_groups", "stream", "subscription"];
const capabilities = {
  notification_settings_null: false,
  include_deactivated_groups: true,
  archived_channels: true,
};

async function registered(asked: Record<string, unknown> = {}, as = "iris", level = 371) {
  const sandbox = sandboxOf({ level });
  // A channel that the owner has left, and one that they were never in.
  const left = { subscriptions: '["announcements"]' };
  await ask(sandbox, "DELETE", "/users/me/subscriptions", { as: "iris", form: left });
  await ask(sandbox, "POST", "/users/me/subscriptions", { as: "cora", form: { subscriptions: '[{"name":"crew"}]' } });
  const form = Object.entries({ fetch_event_types: parts, client_capabilities: capabilities, ...asked });
  const text = form.map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]);
  return ask(sandbox, "POST", "/register", { as, form: Object.fromEntries(text) });
}

describe("register at level 371", () => {
  test("has the members of a real server's, with the same kinds of values", async () => {
    const { body } = await registered({ include_subscribers: "true" });
    const found = new Map<string, Set<string>>();
    // The recordings are without the queue, which was deleted.
    const { queue_id, ...rest } = body;
    expect(queue_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
    shapeOf(rest, "", found);
    const real: { [place: string]: string } = data("register-shape");
    const strange = [...found].filter(([place, kinds]) => {
      const known = real[place]?.split("|") ?? [];
      // Each recorded channel had a message of its creation; where there is none, this is null.
      if (place.endsWith(".first_message_id")) known.push("null");
      // A permission is a group's id or an object, whichever those organizations happened to have.
      if (/(^|[._])(can_\w+|\w+_group|realm_can_manage_all_groups|realm_can_create_groups)$/.test(place))
        known.push("number", "object");
      return [...kinds].some((kind) => !known.includes(kind));
    });
    expect(strange.map(([place, kinds]) => [place, [...kinds].join("|"), real[place]])).toEqual([]);
    // Whether a permission names people and groups is the organization's own affair.
    const missing = Object.keys(real).filter((place) => !found.has(place) && !place.includes(".direct_"));
    expect(missing).toEqual([]);
  });

  test("lists the rules of every permission as a real server does", async () => {
    const { body } = await registered();
    expect(body.server_supported_permission_settings).toEqual(data("permission-settings"));
  });
});

test("omits what the capabilities of the client do not include", async () => {
  const { body } = await registered({
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
    const { body } = await ask(sandbox, "POST", "/register", { as: "iris", form: { event_types: '["realm"]' } });
    const poll = (last: number, as = "iris") =>
      ask(sandbox, "GET", "/events", {
        as,
        query: { queue_id: body.queue_id, last_event_id: String(last), dont_block: "true" },
      });
    return { sandbox, id: body.queue_id as string, poll };
  };

  test("returns an event until the client has read it", async () => {
    const { sandbox, poll } = await queue();
    await ask(sandbox, "PATCH", "/realm", { as: "adam", form: { description: "new" } });
    const event = { type: "realm", op: "update", property: "description", value: "new", id: 0 };
    expect((await poll(-1)).body.events).toEqual([event]);
    expect((await poll(-1)).body.events).toEqual([event]);
    expect((await poll(0)).body.events).toEqual([]);
    expect((await poll(-1)).body.msg).toBe("An event newer than -1 has already been pruned!");
    expect((await poll(7)).body.msg).toBe("Event 7 was not in this queue");
  });

  test("has a rate limit of its own", async () => {
    const { sandbox, poll } = await queue();
    for (let n = 0; n < 199; n++) await ask(sandbox, "GET", "/users/me", { as: "iris" });
    expect((await ask(sandbox, "GET", "/users/me", { as: "iris" })).status).toBe(429);
    expect((await poll(-1)).status).toBe(200);
  });
});
