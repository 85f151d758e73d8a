/** What the page finds, counts and calls things. */
import { describe, expect, test } from "vitest";
import type { Snapshot } from "../../../src/organization/snapshot.ts";
import { reportOf } from "../../../src/permissions/report/report.ts";
import { changed, everyone, members, small } from "../organizations.ts";

const found = (snapshot: Snapshot, title: string) =>
  reportOf(snapshot)
    .findings.find((one) => one.title === title)
    ?.items.map(({ target: { kind, id }, words, detail }) => [
      `${kind} ${id}`,
      words,
      ...(detail === undefined ? [] : [detail]),
    ]);

const [owner, guest, member] = [{ id: 50, role: 100 }, { id: 51, role: 600 }, { id: 52 }];
const people = [owner, guest, member, { id: 53 }];

describe("the page finds", () => {
  test("channels open to the web, archived ones left out", () => {
    const channels = [
      { id: 1, name: "news", is_web_public: true },
      { id: 2, name: "old", is_web_public: true, is_archived: true },
      { id: 3, name: "design" },
    ];
    expect(found(small({ people, channels }), "Channels open to the web")).toEqual([["channel 1", "#news"]]);
  });

  test("private channels with guests, with one subscriber, and with none", () => {
    const snapshot = small({
      people,
      channels: [
        { id: 1, name: "board", private: true, subscribers: [50, 51] },
        { id: 2, name: "alone", private: true, subscribers: [52] },
        { id: 3, name: "empty", private: true },
        { id: 4, name: "lobby", subscribers: [51] },
      ],
    });
    expect(found(snapshot, "Private channels with guests")).toEqual([["channel 1", "#board", "Person 51"]]);
    expect(found(snapshot, "Private channels with one subscriber, or none")).toEqual([
      ["channel 2", "#alone", "Person 52"],
      ["channel 3", "#empty", "nobody"],
    ]);
  });

  test("channels that nobody administers, and private ones into which nobody lets anybody", () => {
    const channels = [
      { id: 1, name: "staff", private: true as const, subscribers: [52] },
      { id: 2, name: "crew", private: true as const, subscribers: [52], can_add_subscribers_group: members },
    ];
    // An organization whose only owner was deactivated by the server's command line.
    const without = small({ people: [guest, member], channels });
    expect(found(without, "Channels that nobody can administer")).toEqual([
      ["channel 2", "#crew"],
      ["channel 1", "#staff"],
    ]);
    expect(found(without, "Private channels into which nobody can let anybody")).toEqual([["channel 1", "#staff"]]);
    expect(found(small({ people, channels }), "Channels that nobody can administer")).toBeUndefined();
  });

  test("permissions that reach guests, or every member, where the server's default does not", () => {
    const snapshot = small({
      people,
      channels: [{ id: 1, name: "design", can_administer_channel_group: members }],
      organization: {
        realm_can_mention_many_users_group: everyone,
        realm_can_delete_any_message_group: members,
        realm_can_create_groups: members,
        realm_can_resolve_topics_group: everyone,
      },
    });
    expect(found(snapshot, "Permissions that reach guests")).toEqual([
      ["organization null", "mention everybody in large channels and topics", "by default Administrators"],
    ]);
    expect(found(snapshot, "Permissions that reach every member")).toEqual([
      ["organization null", "delete anybody's messages", "by default Administrators"],
      ["channel 1", "administer #design", "by default whoever made it"],
    ]);
  });

  test("groups without members, of nobody, and in no setting", () => {
    const snapshot = small({
      people,
      groups: [
        { id: 20, name: "empty", can_manage_group: 2 },
        { id: 21, name: "outer", subgroups: [22], can_manage_group: 2 },
        { id: 22, name: "inner", members: [52] },
        { id: 23, name: "itself", members: [53], can_manage_group: 23, can_mention_group: 23 },
        { id: 24, name: "gone", deactivated: true },
      ],
      organization: { realm_can_create_groups: 21 },
    });
    expect(found(snapshot, "Groups without members")).toEqual([["group 20", "@empty"]]);
    expect(found(snapshot, "Nobody's groups")).toEqual([["group 22", "@inner"]]);
    expect(found(snapshot, "Groups in no setting")).toEqual([
      ["group 20", "@empty"],
      ["group 23", "@itself"],
    ]);
  });

  test("what is left to deactivated people", () => {
    const none = { direct_members: [], direct_subgroups: [] };
    const snapshot = small({
      people: [...people, { id: 60, active: false }],
      groups: [
        { id: 20, name: "theirs", can_manage_group: none, creator_id: 60 },
        { id: 21, name: "ours", can_manage_group: { direct_members: [52], direct_subgroups: [] }, creator_id: 60 },
      ],
      channels: [{ id: 1, name: "lost", can_administer_channel_group: none, creator_id: 52 }],
    });
    expect(found(snapshot, "Left to deactivated people")).toEqual([
      ["channel 1", "#lost"],
      ["group 20", "@theirs", "made by Person 60, who is deactivated"],
    ]);
  });

  test("owners, administrators, and bots with more than a member's rights", () => {
    const snapshot = small({
      people: [
        ...people,
        { id: 55, role: 200 },
        { id: 70, role: 200, bot_type: 1 },
        { id: 71, bot_type: 1 },
        { id: 72, bot_type: 1 },
        { id: 73, bot_type: 1 },
      ],
      groups: [{ id: 20, name: "robots", members: [72] }],
      channels: [{ id: 1, name: "board", private: true, subscribers: [71, 50] }],
      organization: { realm_can_delete_any_message_group: 20 },
    });
    expect(found(snapshot, "Owners")).toEqual([["user 50", "Person 50"]]);
    expect(found(snapshot, "Administrators")).toEqual([["user 55", "Person 55"]]);
    expect(found(snapshot, "Bots with more than a member's rights")).toEqual([
      ["bot 70", "Person 70", "an administrator"],
      ["bot 72", "Person 72", "Delete any message; Delete own message"],
    ]);
  });

  test("what it looked for and did not find is told", () => {
    expect(reportOf(small({ people })).clear).toEqual(
      expect.arrayContaining(["channels open to the web", "groups without members"]),
    );
  });
});

describe("a cell", () => {
  const channel = (channel: object, more: Parameters<typeof small>[0] = {}) => {
    const snapshot = small({ people, ...more, channels: [{ id: 1, name: "c", ...channel }] });
    const { channelColumns, folders } = reportOf(snapshot);
    return (permission: string) =>
      folders[0]!.channels[0]!.cells[channelColumns.findIndex((one) => one.permission === permission)]!;
  };

  test("is called by its setting where that alone decides, and otherwise by who the people are", () => {
    const board = channel({ private: true, subscribers: [51, 52], can_send_message_group: everyone });
    expect(board("post")).toMatchObject({ label: "Subscribers", setting: "Everyone", people: 2, guests: 1, bots: 0 });
    expect(board("see")).toMatchObject({ label: "Subscribers, admins", people: 3 });
    expect(board("history")).toMatchObject({ label: "Nobody", people: 0 });
    const open = channel({ subscribers: [51], can_send_message_group: members });
    expect(open("post")).toMatchObject({ label: "Members", people: 3 });
    expect(open("post").setting).toBeUndefined();
    expect(open("read")).toMatchObject({ label: "Everyone", people: 4, guests: 1 });
  });

  test("names groups as they are mentioned, one person by name, several by number", () => {
    const groups = [{ id: 20, name: "Owners", members: [52] }];
    const labelled = (value: object | number) => channel({ can_send_message_group: value }, { groups })("post").label;
    expect(labelled(20)).toBe("@Owners");
    expect(labelled({ direct_members: [53], direct_subgroups: [20] })).toBe("@Owners, Person 53");
    expect(labelled({ direct_members: [52, 53], direct_subgroups: [] })).toBe("2 people");
    expect(labelled({ direct_members: [], direct_subgroups: [] })).toBe("Nobody");
  });

  test("an address that the account may not see is said to be hidden", () => {
    const snapshot = changed("442-1", ({ realm_users }) => ({
      realm_users: realm_users.map((one) => ({ ...one, ...(one.full_name === "Full1" && { delivery_email: null }) })),
    }));
    const shown = new Map(reportOf(snapshot).accounts.map(({ name, email }) => [name, email]));
    expect(shown.get("Full1")).toBe("address hidden");
    expect(shown.get("Owner")).toBe("owner@p1.example.com");
  });
});

test("people have their groups, channels, and what they may beyond others of the role", () => {
  const snapshot = small({
    people: [...people, { id: 71, bot_type: 1, bot_owner_id: 52 }],
    groups: [{ id: 20, name: "crew", members: [52] }],
    channels: [
      { id: 1, name: "board", private: true, subscribers: [52, 53], can_send_message_group: 20 },
      {
        id: 2,
        name: "lobby",
        subscribers: [52],
        can_administer_channel_group: 20,
        can_remove_subscribers_group: members,
      },
      { id: 3, name: "old", is_archived: true, subscribers: [52] },
    ],
    organization: { realm_can_create_groups: 20 },
  });
  const rows = reportOf(snapshot).accounts.map(({ id, role, groups, channels, extras, owner }) => ({
    id,
    role,
    groups: groups.map(({ text }) => text),
    channels,
    extras,
    owner,
  }));
  expect(rows).toEqual([
    { id: 50, role: "Owner", groups: [], channels: 0, extras: "" },
    {
      id: 52,
      role: "Member",
      groups: ["@crew"],
      channels: 2,
      extras: "Create groups; 1 channel: read, post, administer",
    },
    { id: 53, role: "Member", groups: [], channels: 1, extras: "1 channel: read" },
    { id: 51, role: "Guest", groups: [], channels: 0, extras: "" },
    { id: 71, role: "Member", groups: [], channels: 0, extras: "1 channel: post", owner: "Person 52" },
  ]);
});

test("an account that sees a part of the organization is told so first", () => {
  const snapshot = small({ people });
  const { is_owner: _, is_admin: __, ...rest } = snapshot.organization as Record<string, unknown>;
  const part = { ...snapshot, organization: { ...rest, role: 400 } } as unknown as Snapshot;
  expect(reportOf(part).warning).toMatch(/^The account that asked is not an administrator/);
  expect(reportOf(snapshot).warning).toBeUndefined();
});
