import { describe, expect, test } from "vitest";
import { type SystemGroup, systemGroup } from "../../src/sandbox/groups.ts";
import type { Sandbox } from "../../src/sandbox/index.ts";
import type { Channel, OrganizationPermission } from "../../src/sandbox/state.ts";
import { ask, named, person, refusal, sandboxOf } from "./asking.ts";

const success = { result: "success", msg: "" };

/** Changes a channel at level 442, after `before` made it what the case needs. */
async function bodyOf(
  channel: string,
  as: string,
  form: Record<string, string>,
  before: (channel: Channel, sandbox: Sandbox) => void = () => {},
) {
  const sandbox = sandboxOf();
  const found = named(sandbox.state.channels, channel);
  before(found, sandbox);
  return (await ask(sandbox, "PATCH", `/streams/${found.stream_id}`, { as, form })).body;
}

/** Makes somebody an administrator of the channel, and takes a permission of the organization from everybody. */
const administeredBy = (key: string, permission?: OrganizationPermission) => (channel: Channel, sandbox: Sandbox) => {
  const { state } = sandbox;
  const direct_members = [person(sandbox, key).user_id];
  channel.settings.can_administer_channel_group = { direct_members, direct_subgroups: [] };
  if (permission) state.organization.permissions[permission] = systemGroup(state, "role:nobody");
};

describe("permissions", () => {
  test("whoever creates a channel needs the permission too, but for the values that it gets anyway", async () => {
    const created = async (as: string, more: Record<string, string>) => {
      const sandbox = sandboxOf();
      const nobody = systemGroup(sandbox.state, "role:nobody");
      const policies = ["can_set_topics_policy_group", "can_set_delete_message_policy_group"] as const;
      for (const permission of policies) sandbox.state.organization.permissions[permission] = nobody;
      const form = { name: "deck", subscribers: "[]", ...more };
      return (await ask(sandbox, "POST", "/channels/create", { as, form })).body.msg;
    };
    const group = (name: SystemGroup) => String(systemGroup(sandboxOf().state, name));
    for (const [name, value, usual] of [
      ["topics_policy", '"disable_empty_topic"', '"inherit"'],
      ["can_delete_any_message_group", group("role:moderators"), group("role:nobody")],
    ] as const) {
      expect(await created("cora", { [name]: value })).toBe("Insufficient permission");
      expect(await created("cora", { [name]: usual })).toBe("");
      expect(await created("iris", { [name]: value })).toBe("");
    }
  });

  test.each<[OrganizationPermission, Record<string, string>]>([
    ["can_set_topics_policy_group", { topics_policy: "disable_empty_topic" }],
    ["can_set_delete_message_policy_group", { can_delete_any_message_group: '{"new":9}' }],
    ["can_set_delete_message_policy_group", { can_delete_own_message_group: '{"new":9}' }],
  ])(
    "administrators set what %s guards though nobody is in it, administrators of the channel do not",
    async (permission, form) => {
      const before = administeredBy("cora", permission);
      for (const as of ["iris", "adam"]) expect(await bodyOf("design", as, form, before)).toEqual(success);
      expect(await bodyOf("design", "cora", { ...form, description: "x" }, before)).toEqual(
        refusal("Insufficient permission"),
      );
    },
  );

  test("a member of the administering group may, a guest in it may not", async () => {
    expect(await bodyOf("staff", "otis", { description: "x" }, administeredBy("otis"))).toEqual(success);
    expect(await bodyOf("staff", "gwen", { description: "x" }, administeredBy("gwen"))).toEqual(
      refusal("Invalid channel ID"),
    );
  });
});

describe("values", () => {
  test("topics_policy is text, and all values but inherit require a permission", async () => {
    let design: Channel | undefined;
    const keep = (channel: Channel) => {
      design = channel;
    };
    await bodyOf("design", "adam", { topics_policy: "disable_empty_topic" }, keep);
    expect(design?.topics_policy).toBe("disable_empty_topic");
    expect(await bodyOf("design", "adam", { topics_policy: '"inherit"' })).toEqual(refusal("Invalid topics_policy"));
    const forbidden = administeredBy("cora", "can_set_topics_policy_group");
    expect(await bodyOf("design", "cora", { topics_policy: "inherit" }, forbidden)).toEqual(success);
    expect(await bodyOf("design", "cora", { topics_policy: "allow_empty_topic" }, forbidden)).toEqual(
      refusal("Insufficient permission"),
    );
    const empty = (channel: Channel, { state }: Sandbox) => {
      for (const message of state.messages.values()) if (message.stream_id === channel.stream_id) message.topic = "";
    };
    expect(await bodyOf("design", "adam", { topics_policy: "empty_topic_only" }, empty)).toEqual(success);
  });
});

test("archiving a channel removes it from the default channels and from the organization's settings", async () => {
  const sandbox = sandboxOf();
  const { settings } = sandbox.state.organization;
  const channel = named(sandbox.state.channels, "general");
  settings.new_stream_announcements_stream_id = channel.stream_id;
  await ask(sandbox, "DELETE", `/streams/${channel.stream_id}`, { as: "iris", form: {} });
  expect(channel).toMatchObject({ is_archived: true, is_default: false });
  expect(settings.new_stream_announcements_stream_id).toBe(-1);
});
