/** A person who is let go vanishes from everything that can be read, and is back in it when they are let in again. */
import { describe, expect, test } from "vitest";
import { ask, named, person, sandboxOf } from "./asking.ts";

const as = "iris";
const form = (values: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
  );

const capabilities = { notification_settings_null: false, include_deactivated_groups: true, archived_channels: true };

/** Cora and Iris are named in a setting of each kind. */
async function prepared(level = 442) {
  const sandbox = sandboxOf({ level });
  const { channels, groups } = sandbox.state;
  const [iris, cora] = [person(sandbox, "iris").user_id, person(sandbox, "cora").user_id];
  const design = named(channels, "design").stream_id;
  const designers = named(groups, "designers").id;
  const update = { new: { direct_members: [iris, cora], direct_subgroups: [] } };
  for (const [path, setting] of [
    ["/realm", "can_create_groups"],
    [`/streams/${design}`, "can_send_message_group"],
    [`/user_groups/${designers}`, "can_mention_group"],
  ] as const)
    expect((await ask(sandbox, "PATCH", path, { as, form: form({ [setting]: update }) })).status).toBe(200);

  const get = async (path: string, query: Record<string, string> = {}) =>
    (await ask(sandbox, "GET", path, { as, query })).body;
  const isThere = (value: unknown): boolean =>
    Array.isArray(value) ? value.includes(cora) : isThere((value as { direct_members: number[] }).direct_members);
  // biome-ignore lint/suspicious/noExplicitAny: records of every kind.
  const one = (records: any[], id: number, key = "id") => records.find((each) => each[key] === id);

  /** By read, whether Cora is in it. */
  const seen = async (): Promise<Record<string, boolean>> => {
    const { body } = await ask(sandbox, "POST", "/register", {
      as,
      form: form({
        fetch_event_types: ["realm", "realm_user", "realm_user_groups", "subscription", "stream"],
        event_types: [],
        include_subscribers: "true",
        client_capabilities: capabilities,
      }),
    });
    const channel = one(body.subscriptions, design, "stream_id");
    const group = one(body.realm_user_groups, designers);
    const listed = one((await get("/user_groups")).user_groups, designers);
    const { stream } = await get(`/streams/${design}`);
    return {
      "users as active": one((await get("/users")).members, cora, "user_id").is_active,
      "one user as active": (await get(`/users/${cora}`)).user.is_active,
      "register: active people": one(body.realm_users, cora, "user_id") !== undefined,
      "register: others": one(body.realm_non_active_users, cora, "user_id") === undefined,
      "register: subscribers": isThere(channel.subscribers),
      "register: channel setting": isThere(channel.can_send_message_group),
      "register: members": isThere(group.members),
      "register: group setting": isThere(group.can_mention_group),
      "register: organization setting": isThere(body.realm_can_create_groups),
      subscribers: isThere((await get(`/streams/${design}/members`)).subscribers),
      "channel setting": isThere(stream.can_send_message_group),
      "channels of the person": Boolean(
        (await get(`/users/${cora}/channels`)).subscribed_channel_ids?.includes(design),
      ),
      members: isThere((await get(`/user_groups/${designers}/members`, { direct_member_only: "true" })).members),
      "members of a group above": isThere((await get(`/user_groups/${named(groups, "makers").id}/members`)).members),
      "members of the role": isThere((await get(`/user_groups/${named(groups, "role:members").id}/members`)).members),
      membership: (await get(`/user_groups/${designers}/members/${cora}`)).is_user_group_member === true,
      "listed members": isThere(listed.members),
      "listed group setting": isThere(listed.can_mention_group),
    };
  };
  return { sandbox, cora, design, designers, seen, get };
}

const all = (seen: Record<string, boolean>, is: boolean) =>
  Object.fromEntries(Object.keys(seen).map((name) => [name, is]));

test("who is deactivated is in no read, and in each again afterwards", async () => {
  const { sandbox, cora, seen, get, design } = await prepared();
  const counted = async () => (await get(`/streams/${design}`)).stream.subscriber_count;
  const [before, subscribers] = [await seen(), await counted()];
  expect(before).toEqual(all(before, true));
  expect((await ask(sandbox, "DELETE", `/users/${cora}`, { as, form: {} })).status).toBe(200);
  const gone = await seen();
  expect(gone).toEqual(all(gone, false));
  expect(await counted()).toBe(subscribers - 1);
  expect((await ask(sandbox, "POST", `/users/${cora}/reactivate`, { as, form: {} })).status).toBe(200);
  expect([await seen(), await counted()]).toEqual([before, subscribers]);
});

describe("events tell", () => {
  test.each([
    [371, []],
    [442, ["announcements", "attic", "council", "design", "general"]],
  ])(
    "of going that and, at %i, of the channels; of coming back everything that changes with it",
    async (level, left) => {
      const { sandbox, cora, design, designers } = await prepared(level);
      const event_types = ["realm_user", "user_group", "subscription", "stream", "realm"];
      const { body } = await ask(sandbox, "POST", "/register", {
        as,
        form: form({ event_types, fetch_event_types: [], client_capabilities: capabilities }),
      });
      let last = body.last_event_id;
      const told = async () => {
        const query = { queue_id: body.queue_id, last_event_id: String(last), dont_block: "true" };
        const { events } = (await ask(sandbox, "GET", "/events", { as, query })).body;
        last = events.at(-1)?.id ?? last;
        return events.map(({ id: _, ...event }: { id: number }) => event);
      };
      await ask(sandbox, "DELETE", `/users/${cora}`, { as, form: {} });
      const [first, ...others] = await told();
      expect(first).toEqual({ type: "realm_user", op: "update", person: { user_id: cora, is_active: false } });
      const channels = left.map((name) => named(sandbox.state.channels, name).stream_id).sort((a, b) => a - b);
      expect(others).toEqual(
        channels.map((id) => ({ type: "subscription", op: "peer_remove", stream_ids: [id], user_ids: [cora] })),
      );
      await ask(sandbox, "POST", `/users/${cora}/reactivate`, { as, form: {} });
      const back = await told();
      expect(back[0]).toEqual({ type: "realm_user", op: "update", person: { user_id: cora, is_active: true } });
      const shapes = back.map(({ type, op, property }: Record<string, string>) =>
        [type, op, property].filter(Boolean).join(" "),
      );
      for (const shape of [
        "user_group add_members",
        "user_group update",
        "realm update_dict default",
        "subscription peer_add",
      ])
        expect(shapes).toContain(shape);
      expect(back).toContainEqual({ type: "user_group", op: "add_members", group_id: designers, user_ids: [cora] });
      const peers = back.filter(({ type }: { type: string }) => type === "subscription");
      expect(peers.flatMap(({ stream_ids }: { stream_ids: number[] }) => stream_ids)).toContain(design);
    },
  );
});
