import { describe, expect, test } from "vitest";
import { type SystemGroup, systemGroup } from "../../src/sandbox/groups.ts";
import type { Sandbox } from "../../src/sandbox/index.ts";
import type { Channel, OrganizationPermission } from "../../src/sandbox/state.ts";
import { ask, named, person, refusal, sandboxOf } from "./asking.ts";

const success = { result: "success", msg: "" };

/** Changes a channel at level 442, after `before` made it what the case needs. */
async function patch(
  channel: string,
  as: string,
  form: Record<string, string>,
  before: (channel: Channel, sandbox: Sandbox) => void = () => {},
) {
  const sandbox = sandboxOf();
  const found = named(sandbox.state.channels, channel);
  before(found, sandbox);
  const { status, body } = await ask(sandbox, "PATCH", `/streams/${found.stream_id}`, { as, form });
  return { status, body, channel: found, sandbox };
}

const bodyOf = async (...how: Parameters<typeof patch>) => (await patch(...how)).body;

/** A channel that somebody administers, and a permission of the organization that nobody has. */
const administeredBy = (key: string, permission: OrganizationPermission) => (channel: Channel, sandbox: Sandbox) => {
  const { state } = sandbox;
  channel.settings.can_administer_channel_group = {
    direct_members: [person(sandbox, key).user_id],
    direct_subgroups: [],
  };
  state.organization.permissions[permission] = systemGroup(state, "role:nobody");
};

describe("who may", () => {
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

  test.each([
    ["iris", "design", success],
    ["adam", "design", success],
    ["mona", "design", refusal("You do not have permission to administer this channel.")],
    ["gwen", "design", refusal("You do not have permission to administer this channel.")],
    ["gwen", "council", refusal("Invalid channel ID")],
    ["gwen", "announcements", refusal("You do not have permission to administer this channel.")],
    ["adam", "council", success],
    ["cora", "staff", refusal("Invalid channel ID")],
    ["cora", "council", refusal("You do not have permission to administer this channel.")],
  ])("%s asks to describe %s", async (as, channel, answer) => {
    expect(await bodyOf(channel, as, { description: "x" })).toEqual(answer);
  });

  test("a member of the administering group may, a guest in it may not", async () => {
    const administering = (key: string) => (channel: Channel, sandbox: Sandbox) => {
      channel.settings.can_administer_channel_group = {
        direct_members: [person(sandbox, key).user_id],
        direct_subgroups: [],
      };
    };
    expect(await bodyOf("staff", "otis", { description: "x" }, administering("otis"))).toEqual(success);
    expect(await bodyOf("staff", "gwen", { description: "x" }, administering("gwen"))).toEqual(
      refusal("Invalid channel ID"),
    );
  });

  test("retention is the owners', default channels are the administrators'", async () => {
    expect(await bodyOf("design", "adam", { message_retention_days: "0" })).toEqual(
      refusal("Must be an organization owner", {}, "UNAUTHORIZED_PRINCIPAL"),
    );
    const own = (channel: Channel, sandbox: Sandbox) => {
      channel.settings.can_administer_channel_group = {
        direct_members: [person(sandbox, "cora").user_id],
        direct_subgroups: [],
      };
    };
    expect(await bodyOf("design", "cora", { is_default_stream: "true" }, own)).toEqual(
      refusal("You do not have permission to change default channels."),
    );
    expect(
      await bodyOf("design", "cora", { can_delete_any_message_group: '{"new":9}', description: "x" }, own),
    ).toEqual(refusal("Insufficient permission"));
  });
});

describe("values", () => {
  test("retention takes days and two words, and names what it refuses", async () => {
    for (const [sent, kept] of [
      ["20", 20],
      ['"unlimited"', -1],
      ['"realm_default"', null],
    ] as const) {
      const { channel } = await patch("design", "iris", { message_retention_days: sent });
      expect(channel.message_retention_days).toBe(kept);
    }
    for (const [sent, shown] of [
      ["0", 0],
      ["-1", -1],
      ['"forever"', "forever"],
    ] as const) {
      expect(await bodyOf("design", "iris", { message_retention_days: sent })).toEqual(
        refusal(
          `Bad value for 'message_retention_days': ${shown}`,
          { var_name: "message_retention_days", bad_value: shown },
          "REQUEST_VARIABLE_INVALID",
        ),
      );
    }
  });

  test("a folder is taken by its id, null takes the channel out, archived folders are accepted", async () => {
    expect((await patch("design", "iris", { folder_id: "null" })).channel.folder_id).toBeNull();
    expect((await patch("design", "iris", { folder_id: "2" })).channel.folder_id).toBe(2);
    expect(await bodyOf("design", "iris", { folder_id: "3" })).toEqual(refusal("Invalid channel folder ID"));
    expect(await bodyOf("design", "iris", { folder_id: '"1"' })).toEqual(
      refusal('folder_id["json[nullable[int]]"] is not an integer'),
    );
  });

  test("only false acts on the archive", async () => {
    expect((await patch("attic", "iris", { is_archived: "true" })).channel.is_archived).toBe(true);
    expect((await patch("attic", "iris", { is_archived: "false" })).channel.is_archived).toBe(false);
    expect(await bodyOf("design", "iris", { is_archived: "false" })).toEqual(
      refusal("Channel is not currently deactivated"),
    );
    const deserted = (channel: Channel) => {
      channel.is_archived = true;
      channel.subscribers.clear();
    };
    expect(await bodyOf("staff", "iris", { is_archived: "false" }, deserted)).toEqual(
      refusal("Channel is private and have no subscribers"),
    );
  });

  test("a topics policy is text, and other than inherit a permission", async () => {
    expect((await patch("design", "adam", { topics_policy: "disable_empty_topic" })).channel.topics_policy).toBe(
      "disable_empty_topic",
    );
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

  test("web-public needs server, organization and permission", async () => {
    expect(await bodyOf("design", "iris", { is_web_public: "true" })).toEqual(success);
    expect(await bodyOf("design", "adam", { is_web_public: "true" })).toEqual(refusal("Insufficient permission"));
    const closed = (_: Channel, { state }: Sandbox) => {
      state.organization.web_public = false;
    };
    expect(await bodyOf("design", "iris", { is_web_public: "true" }, closed)).toEqual(
      refusal("Web-public channels are not enabled."),
    );
  });

  test("a group setting that cannot be is refused, in an object it may stand", async () => {
    const { state } = sandboxOf();
    const [internet, everyone] = [systemGroup(state, "role:internet"), systemGroup(state, "role:everyone")];
    const update = (value: unknown) => JSON.stringify({ new: value });
    expect(await bodyOf("design", "iris", { can_send_message_group: update(internet) })).toEqual(
      refusal("'can_send_message_group' setting cannot be set to 'role:internet' group."),
    );
    expect(await bodyOf("design", "iris", { can_send_message_group: update(everyone) })).toEqual(success);
    expect(await bodyOf("design", "iris", { can_subscribe_group: update(everyone) })).toEqual(
      refusal("'can_subscribe_group' setting cannot be set to 'role:everyone' group."),
    );
    const both = update({ direct_members: [], direct_subgroups: [internet, everyone] });
    expect(await bodyOf("design", "iris", { can_subscribe_group: both })).toEqual(success);
  });
});

describe("order", () => {
  const stopping: [string, Record<string, string>][] = [
    ["Invalid parameters", { history_public_to_subscribers: "false" }],
    ["Channel is not currently deactivated", { is_archived: "false" }],
    ["Channel already has that name.", { new_name: "design" }],
    ["Invalid channel folder ID", { folder_id: "99" }],
    ["Invalid user group", { can_resolve_topics_group: '{"new":999}' }],
  ];
  const steps: Record<string, string> = {
    can_send_message_group: '{"new":9}',
    folder_id: "2",
    new_name: "sketches",
    description: "changed",
    is_default_stream: "true",
    topics_policy: "allow_empty_topic",
  };
  const applied = ({ settings, folder_id, name, description, is_default, topics_policy }: Channel) =>
    [
      topics_policy === "allow_empty_topic" && "topics_policy",
      is_default && "is_default_stream",
      description === "changed" && "description",
      name === "sketches" && "new_name",
      folder_id === 2 && "folder_id",
      settings.can_send_message_group === 9 && "can_send_message_group",
    ].filter(Boolean);
  const all = ["topics_policy", "is_default_stream", "description", "new_name", "folder_id", "can_send_message_group"];

  test.each([
    [0, []],
    [1, ["topics_policy", "is_default_stream"]],
    [2, ["topics_policy", "is_default_stream", "description"]],
    [3, ["topics_policy", "is_default_stream", "description", "new_name"]],
    [4, all],
  ])("a refusal of step %i leaves the earlier steps done", async (index, left) => {
    const [msg, form] = stopping[index]!;
    const { body, channel } = await patch("design", "iris", { ...steps, ...form });
    expect(body.msg).toBe(msg);
    expect(applied(channel)).toEqual(left);
  });

  test("content access is judged after privacy is applied: who shuts themselves out does so first", async () => {
    const form = { is_private: "true", can_subscribe_group: '{"new":10}' };
    const { body, channel } = await patch("design", "adam", form);
    expect([body, channel.invite_only]).toEqual([refusal("Channel content access is required."), true]);
  });

  test("an update to the present value does nothing, not even ask for access", async () => {
    const nobody = systemGroup(sandboxOf().state, "role:nobody");
    const form = { can_add_subscribers_group: JSON.stringify({ new: nobody, old: nobody }) };
    expect(await bodyOf("council", "adam", form)).toEqual(success);
  });
});
