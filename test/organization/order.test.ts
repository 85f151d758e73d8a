import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { compare } from "../../src/organization/compare.ts";
import type { Content } from "../../src/organization/content.ts";
import type { Difference } from "../../src/organization/difference.ts";
import { groupMembershipIn } from "../../src/organization/group-members.ts";
import { orderRequests, type RequestStep } from "../../src/organization/order.ts";
import { predict } from "../../src/organization/prediction.ts";
import type { SandboxState } from "../../src/sandbox/index.ts";
import { failureTexts, TestOrganization } from "./test-organization.ts";

const whatOf = (steps: readonly RequestStep[]) => steps.map(({ change }) => change.words!.what);

const who = (groups: unknown[], users: number[] = []) => ({ users, groups });
const group = (name: string, to: object): Difference => ({
  section: "groups",
  name,
  action: "create",
  to: { name, description: "", members: [], ...to },
});

describe("cycles of new groups", () => {
  test("creates a group that its own setting names, and then sends that setting", async () => {
    const org = new TestOrganization();
    const steps = await org.steps([group("crew", { can_manage_group: who([{ new: "crew" }]) })]);
    expect(whatOf(steps)).toEqual(["created", "can_manage_group"]);
    expect(failureTexts(await org.send(steps))).toEqual([]);
    const crew = [...org.sandbox.state.groups.values()].find(({ name }) => name === "crew")!;
    expect(crew.settings.can_manage_group).toEqual(crew.id);
  });
});

test.each(["can_create_groups", "can_manage_all_groups", "can_create_bots_group"])(
  "deactivates a group after it is removed from %s",
  async (setting) => {
    const org = new TestOrganization();
    const { state } = org.sandbox;
    const id = [...state.groups.values()].find(({ name }) => name === "writers")!.id;
    for (const each of state.groups.values()) each.subgroups.delete(id);
    const before = { direct_members: [8], direct_subgroups: [id] };
    Object.assign(state.organization.permissions, { [setting]: before });
    const fields = [{ field: setting, from: who([id], [8]), to: who([], [8]) }];
    const steps = await org.steps([
      { section: "groups", name: "writers", id, action: "deactivate", fields: [] },
      { section: "settings", name: "settings", action: "update", fields },
    ]);
    expect(whatOf(steps)).toEqual([setting, "deactivated"]);
    expect(failureTexts(await org.send(steps))).toEqual([]);
  },
);

describe("separate requests", () => {
  test("reactivates a group that its own setting names, and then sends that setting", async () => {
    const org = new TestOrganization();
    const { state } = org.sandbox;
    const writers = [...state.groups.values()].find(({ name }) => name === "writers")!;
    for (const each of state.groups.values()) each.subgroups.delete(writers.id);
    writers.deactivated = true;
    const fields = [{ field: "can_mention_group", from: who([15]), to: who([writers.id]) }];
    const steps = await org.steps([
      { section: "groups", name: "writers", id: writers.id, action: "reactivate", fields },
    ]);
    expect(whatOf(steps)).toEqual(["reactivated", "can_mention_group"]);
    expect(failureTexts(await org.send(steps))).toEqual([]);
    expect(writers).toMatchObject({ deactivated: false, settings: { can_mention_group: writers.id } });
  });

  test("postpones the fewest settings if there are several cycles", async () => {
    const org = new TestOrganization();
    const names = (...some: string[]) => ({ can_mention_group: who(some.map((name) => ({ new: name }))) });
    // All circles go through hub.
    const steps = await org.steps([
      group("a", names("b", "hub")),
      group("b", names("c")),
      group("c", names("hub")),
      group("d", names("hub")),
      group("hub", names("a", "d")),
    ]);
    expect(steps.map(({ change: { target, words } }) => `${target}: ${words!.what}`)).toContain(
      "group hub: can_mention_group",
    );
    expect(steps).toHaveLength(6);
    expect(failureTexts(await org.send(steps))).toEqual([]);
  });
});

describe("names", () => {
  test("renames three channels in a cycle with four requests", async () => {
    const org = new TestOrganization();
    const { never_subscribed, subscriptions, unsubscribed } = (await org.snapshot()).organization;
    const three = [...subscriptions, ...unsubscribed, ...never_subscribed].slice(0, 3);
    const steps = await org.steps(
      three.map(({ stream_id, name }, n) => ({
        section: "channels",
        name: three[(n + 1) % 3]!.name,
        id: stream_id,
        action: "update",
        fields: [{ field: "name", from: name, to: three[(n + 1) % 3]!.name }],
      })),
    );
    expect(steps).toHaveLength(4);
    expect(failureTexts(await org.send(steps))).toEqual([]);
    expect(three.map(({ stream_id }) => org.sandbox.state.channels.get(stream_id)!.name)).toEqual(
      three.map((_, n) => three[(n + 1) % 3]!.name),
    );
  });

  test.each([
    ["channels", "name", "channels"],
    ["folders", "name", "channel_folders"],
    ["groups", "name", "realm_user_groups"],
    ["profile_fields", "name", "custom_profile_fields"],
    ["linkifiers", "pattern", "realm_linkifiers"],
  ] as const)("swaps the names of two %s with three requests", async (section, field, list) => {
    const org = new TestOrganization();
    const things = async () => {
      const { organization, channel_folders } = await org.snapshot();
      const { subscriptions, unsubscribed, never_subscribed } = organization;
      const all = {
        ...organization,
        channel_folders,
        channels: [...subscriptions, ...unsubscribed, ...never_subscribed],
      };
      const found = (all[list] as unknown as Record<string, unknown>[]).filter(
        ({ name }) => !/^role:/.test(String(name)),
      );
      return found.map((one) => ({
        id: (one.stream_id ?? one.id) as number,
        name: one[field] as string,
        // A linkifier's template names the groups of its pattern.
        template: one.url_template as string | undefined,
      }));
    };
    const all = await things();
    const [one, other] = [all[0]!, all[1]!];
    const rename = (from: typeof one, to: typeof one): Difference => ({
      section,
      name: to.name,
      id: from.id,
      action: "update",
      fields: [
        { field, from: from.name, to: to.name },
        ...(from.template === undefined ? [] : [{ field: "url_template", from: from.template, to: to.template }]),
      ],
    });
    const steps = await org.steps([rename(one, other), rename(other, one)]);
    expect(steps).toHaveLength(3);
    expect(failureTexts(await org.send(steps))).toEqual([]);
    const after = new Map((await things()).map(({ id, name }) => [id, name]));
    expect([after.get(one.id), after.get(other.id)]).toEqual([other.name, one.name]);
  });
});

test("creates new things of an ordered section in the order of the file", async () => {
  const org = new TestOrganization();
  const folder = (name: string): Difference => ({
    section: "folders",
    name,
    action: "create",
    to: { name, description: "" },
  });
  const steps = await org.steps(["c", "a", "b"].map(folder));
  expect(steps.map(({ change: { args } }) => args.name)).toEqual(["c", "a", "b"]);
});

test.each<[difference: object, says: string]>([
  [
    { section: "settings", action: "update", fields: [{ field: "can_create_groups", to: who([{ new: "y" }]) }] },
    'the plan makes no {"new":"y"} in groups',
  ],
])("throws for %j, which requests cannot do", async (difference, says) => {
  await expect(new TestOrganization().steps([{ name: "x", ...difference } as Difference])).rejects.toThrow(says);
});

test("reports a cycle that cannot be split, with its requests", async () => {
  const org = new TestOrganization();
  const { groups } = org.sandbox.state;
  groups.get(17)!.settings.can_mention_group = 18;
  groups.get(18)!.settings.can_mention_group = 17;
  const deactivation = (id: number): Difference => ({
    section: "groups",
    name: `${id}`,
    id,
    action: "deactivate",
    fields: [],
  });
  await expect(org.steps([deactivation(17), deactivation(18)])).rejects.toThrow(
    "circular dependency: group 17 (deactivated), group 18 (deactivated)",
  );
});

const admin = 9;
const requestsFor = async (as: number, text: string, set: (state: SandboxState) => void = () => undefined) => {
  const org = new TestOrganization({ as });
  set(org.sandbox.state);
  const snapshot = await org.snapshot();
  const { differences } = compare(groupMembershipIn(snapshot), parse(text) as Content);
  const steps = orderRequests(predict(groupMembershipIn(snapshot), differences), { verifyWith: "x" });
  expect(failureTexts(await org.send(steps))).toEqual([]);
  return steps.map(({ change: { operation, words } }) => `${operation.name} ${words!.what}`);
};

test("sends requests that give the account a right first, and those that take one last", async () => {
  const text = `
settings: { can_create_groups: role:owners, can_create_public_channel_group: designers, description: x }
groups: [{ name: crew, members: [], description: x }, { name: writers, description: y }]
folders: [{ name: Projects, archived: true }]
channels: [{ name: design, folder: null }, { name: deck, description: x }]`;
  const given = ({ organization }: SandboxState) =>
    void Object.assign(organization.permissions, { can_create_groups: 17 });
  expect(await requestsFor(100, text, given)).toEqual([
    "organization.update can_create_groups",
    "organization.update description",
    "group.update description",
    "group.create created",
    "channel.update folder",
    "channel.create created",
    "folder.update archived",
    "organization.update can_create_public_channel_group",
  ]);
});

test("removes the account from a group and a private channel after all their other changes", async () => {
  const text = `
groups: [{ name: designers, description: x, members: { add: [otis@sandbox.example], remove: ['id:${admin}'] } }]
channels: [{ name: staff, description: x, subscribers: { add: [otis@sandbox.example], remove: ['id:${admin}'] } }]
people: [{ email: adam@sandbox.example, full_name: Adam }, { email: cora@sandbox.example, active: false }]`;
  const given = ({ channels }: SandboxState) => {
    for (const channel of channels.values())
      if (channel.name === "staff") Object.assign(channel, { invite_only: true, subscribers: new Set([8, admin]) });
  };
  const all = await requestsFor(200, text, given);
  expect(all.slice(-4)).toEqual([
    "channel.unsubscribe subscribers removed",
    "group.members members",
    "users.deactivate deactivated",
    "users.update full_name",
  ]);
});

test("sends what a change needs before it, whatever the phases", async () => {
  const text = `
settings: { can_create_groups: crew }
groups: [{ name: crew, members: [iris@sandbox.example], description: x }, { name: writers, deactivated: true }]
channels: [{ name: design, can_send_message_group: role:everyone }]`;
  const given = ({ channels, groups }: SandboxState) => {
    const writers = [...groups.values()].find(({ name }) => name === "writers")?.id ?? 0;
    for (const group of groups.values()) group.subgroups.delete(writers);
    for (const channel of channels.values())
      if (channel.name === "design") Object.assign(channel.settings, { can_send_message_group: writers });
  };
  const all = await requestsFor(100, text, given);
  expect(all.indexOf("group.create created")).toBeLessThan(all.indexOf("organization.update can_create_groups"));
  expect(all.indexOf("channel.update can_send_message_group")).toBeLessThan(
    all.indexOf("group.deactivate deactivated"),
  );
});
