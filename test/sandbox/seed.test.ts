import { expect, test } from "vitest";
import { ask, named, person, sandboxOf } from "./asking.ts";

const sandbox = sandboxOf();
const { state } = sandbox;
const line = sandbox.info();
const iris = person(sandbox, "iris");
const cora = person(sandbox, "cora");

test("everybody is there: each role, two members, a bot and one who left", () => {
  expect(line.users.map(({ role, is_bot, is_active }) => [role, is_bot, is_active])).toEqual([
    [100, false, true],
    [200, false, true],
    [300, false, true],
    [400, false, true],
    [400, false, true],
    [600, false, true],
    [400, true, true],
    [400, false, false],
  ]);
  for (const { is_bot, api_key, password } of line.users) {
    expect(api_key).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(password === "").toBe(is_bot);
  }
});

test("there are channels of every privacy, an archived one and the moderators'", () => {
  const moderation = state.channels.get(state.organization.settings.moderation_request_channel_id)!;
  expect([moderation.name, moderation.invite_only]).toEqual(["moderation requests", true]);
  const kinds = line.channels.map(({ is_private, is_web_public, is_archived }) => ({
    is_private,
    is_web_public,
    is_archived,
  }));
  const plain = { is_private: false, is_web_public: false, is_archived: false };
  expect(kinds).toContainEqual(plain);
  expect(kinds).toContainEqual({ ...plain, is_private: true });
  expect(kinds).toContainEqual({ ...plain, is_web_public: true });
  expect(kinds).toContainEqual({ ...plain, is_archived: true });
});

test("owner and first member have messages with topics in every public channel, subscribed from before", () => {
  const open = [...state.channels.values()].filter(({ invite_only }) => !invite_only);
  expect(open[0]!.is_default).toBe(false);
  for (const { stream_id } of open) {
    const messages = [...state.messages.values()].filter((message) => message.stream_id === stream_id);
    expect(messages.some(({ topic }) => topic !== "")).toBe(true);
    for (const { received } of messages)
      expect([received.has(iris.user_id), received.has(cora.user_id)]).toEqual([true, true]);
  }
});

test("the first ordinary group holds neither guest nor moderator and is not the first member's to manage", () => {
  const first = line.groups.find(({ is_system_group }) => !is_system_group)!;
  const roles = first.members.map((id) => state.users.get(id)!.role);
  expect(roles).toEqual([200, 400]);
  expect(state.groups.get(first.id)!.settings.can_manage_group).toEqual({
    direct_members: [person(sandbox, "adam").user_id],
    direct_subgroups: [],
  });
});

test("owner and first member have uploads, and there are folders, profile fields and linkifiers", async () => {
  const owners = new Set(line.attachments.map(({ owner_id }) => owner_id));
  expect(owners).toEqual(new Set([iris.user_id, cora.user_id]));
  expect(named(state.channels, "design").folder_id).toBe(named(state.folders, "Projects").id);
  expect(state.profile_fields.map(({ type }) => type)).toEqual([1, 2, 3, 6]);
  const query = { include_custom_profile_fields: "true", user_ids: `[${cora.user_id}]` };
  const { body } = await ask(sandbox, "GET", "/users", { as: "gwen", query });
  expect(body.members[0].profile_data).toEqual({
    "1": { value: "+49 30 1234", rendered_value: "<p>+49 30 1234</p>" },
    "2": { value: "I *draw*.", rendered_value: "<p>I <em>draw</em>.</p>" },
    "3": { value: "1" },
    "4": { value: `[${iris.user_id}]` },
  });
  expect(state.linkifiers.map(({ id }) => id)).toEqual([1, 2]);
});

test("people show their addresses to administrators alone, and bots to everybody", async () => {
  const addresses = async (as: string) => {
    const { body } = await ask(sandbox, "GET", "/users", { as });
    return body.members.map((each: { email: string; delivery_email: string | null }) => [
      each.email,
      each.delivery_email,
    ]);
  };
  const hidden = `user${cora.user_id}@chat.example`;
  expect(await addresses("adam")).toContainEqual([hidden, "cora@sandbox.example"]);
  expect(await addresses("mona")).toContainEqual([hidden, null]);
  expect(await addresses("cora")).toContainEqual([hidden, "cora@sandbox.example"]);
  expect(await addresses("gwen")).toContainEqual(["beep-bot@sandbox.example", "beep-bot@sandbox.example"]);
});
