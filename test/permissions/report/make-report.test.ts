/** The findings, counts and names on the page. */
import { describe, expect, test } from "vitest";
import type { Snapshot } from "../../../src/organization/snapshot.ts";
import { permissionsReport } from "../../../src/permissions/report/make-report.ts";
import { changed, everyone, members, type Small, small } from "../organizations.ts";

/** The items of a finding: the target, the words, and the detail if there is one. */
const itemsOf = (snapshot: Snapshot, title: string) =>
  permissionsReport(snapshot)
    .findings.find((finding) => finding.title === title)
    ?.items.map(({ target: { kind, id }, words, detail = "" }) => `${kind} ${id}: ${words} ${detail}`.trim());

const [owner, guest, member] = [{ id: 50, role: 100 }, { id: 51, role: 600 }, { id: 52 }];
const people = [owner, guest, member, { id: 53 }];
const nobodyNamed = { direct_members: [], direct_subgroups: [] };

// test/commands/permissions-findings.test.ts has a case of each finding that a command can fix.
test.each<[title: string, organization: Small, items: string[]]>([
  ["Channels open to the web", { channels: [{ id: 2, name: "old", is_web_public: true, is_archived: true }] }, []],
  ["Private channels with guests", { channels: [{ id: 4, name: "lobby", subscribers: [51] }] }, []],
  [
    "Private channels with one subscriber, or none",
    { channels: [{ id: 3, name: "empty", private: true }] },
    ["channel 3: #empty nobody"],
  ],
  [
    // The server's command line deactivated the only owner.
    "Channels that nobody can administer",
    {
      people: [guest, member],
      channels: [
        { id: 1, name: "staff" },
        { id: 2, name: "crew" },
      ],
    },
    ["channel 2: #crew", "channel 1: #staff"],
  ],
  [
    "Private channels into which nobody can let anybody",
    {
      people: [guest, member],
      channels: [
        { id: 1, name: "staff", private: true, subscribers: [52] },
        { id: 2, name: "crew", private: true, subscribers: [52], can_add_subscribers_group: members },
      ],
    },
    ["channel 1: #staff"],
  ],
  [
    "Permissions that reach every member",
    {
      channels: [{ id: 1, name: "design", can_administer_channel_group: members }],
      organization: { realm_can_create_groups: members, realm_can_mention_many_users_group: everyone },
    },
    ["channel 1: administer #design by default whoever made it"],
  ],
  [
    "Groups in no setting",
    {
      groups: [
        { id: 20, name: "empty" },
        { id: 21, name: "outer", subgroups: [22] },
        { id: 22, name: "inner", members: [52] },
        { id: 23, name: "itself", members: [53], can_manage_group: 23, can_mention_group: 23 },
        { id: 24, name: "gone", deactivated: true },
      ],
      organization: { realm_can_create_groups: 21 },
    },
    ["group 20: @empty", "group 23: @itself"],
  ],
  [
    "Left to deactivated people",
    {
      people: [...people, { id: 60, active: false }],
      groups: [
        { id: 20, name: "theirs", can_manage_group: nobodyNamed, creator_id: 60 },
        { id: 21, name: "ours", can_manage_group: { direct_members: [52], direct_subgroups: [] }, creator_id: 60 },
      ],
    },
    ["group 20: @theirs made by Person 60, who is deactivated"],
  ],
  ["Owners", {}, ["user 50: Person 50"]],
  [
    "Administrators",
    {
      people: [
        { id: 55, role: 200 },
        { id: 70, role: 200, bot_type: 1 },
      ],
    },
    ["user 55: Person 55"],
  ],
  [
    "Bots with more than a member's rights",
    {
      people: [...people, { id: 70, role: 200, bot_type: 1 }, { id: 71, bot_type: 1 }, { id: 73, bot_type: 1 }],
      channels: [{ id: 1, name: "board", private: true, subscribers: [71, 50] }],
    },
    ["bot 70: Person 70 an administrator"],
  ],
])("finds: %s", (title, organization, items) => {
  expect(itemsOf(small({ people, ...organization }), title) ?? []).toEqual(items);
});

test("lists the checks without a finding", () => {
  expect(permissionsReport(small({ people })).clear).toEqual(
    expect.arrayContaining(["channels open to the web", "groups without members"]),
  );
});

describe("a cell", () => {
  const channel = (channel: object, more: Parameters<typeof small>[0] = {}) => {
    const snapshot = small({ people, ...more, channels: [{ id: 1, name: "c", ...channel }] });
    const { channelColumns, folders } = permissionsReport(snapshot);
    return (permission: string) =>
      folders[0]!.channels[0]!.cells[channelColumns.findIndex((one) => one.permission === permission)]!;
  };

  test("is labeled with its setting if that alone decides, and otherwise with the kind of people", () => {
    const board = channel({ private: true, subscribers: [51, 52], can_send_message_group: everyone });
    expect(board("post")).toMatchObject({ label: "Subscribers", setting: "Everyone", people: 2, guests: 1, bots: 0 });
    expect(board("see")).toMatchObject({ label: "Subscribers, admins", people: 3 });
    expect(board("history")).toMatchObject({ label: "Nobody", people: 0 });
    const open = channel({ subscribers: [51], can_send_message_group: members });
    expect(open("post")).toMatchObject({ label: "Members", people: 3 });
    expect(open("post").setting).toBeUndefined();
    expect(open("read")).toMatchObject({ label: "Everyone", people: 4, guests: 1 });
  });

  test("shows groups with @, one person by name, and several by number", () => {
    const groups = [{ id: 20, name: "Owners", members: [52] }];
    const labelOf = (value: object | number) => channel({ can_send_message_group: value }, { groups })("post").label;
    expect(labelOf(20)).toBe("@Owners");
    expect(labelOf({ direct_members: [53], direct_subgroups: [20] })).toBe("@Owners, Person 53");
    expect(labelOf({ direct_members: [52, 53], direct_subgroups: [] })).toBe("2 people");
    expect(labelOf({ direct_members: [], direct_subgroups: [] })).toBe("Nobody");
  });

  test('shows "address hidden" for an address that the account may not see', () => {
    const snapshot = changed("442-1", ({ realm_users }) => ({
      realm_users: realm_users.map((one) => ({ ...one, ...(one.full_name === "Full1" && { delivery_email: null }) })),
    }));
    const emails = new Map(permissionsReport(snapshot).accounts.map(({ name, email }) => [name, email]));
    expect(emails.get("Full1")).toBe("address hidden");
    expect(emails.get("Owner")).toBe("owner@p1.example.com");
  });
});

test("lists the groups, channels and extra permissions of people", () => {
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
  const rows = permissionsReport(snapshot).accounts.map(({ id, role, groups, channels, extras, owner }) => ({
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

test("warns an account that does not see the whole organization", () => {
  const snapshot = small({ people });
  const { is_owner: _, is_admin: __, ...rest } = snapshot.organization as Record<string, unknown>;
  const part = { ...snapshot, organization: { ...rest, role: 400 } } as unknown as Snapshot;
  expect(permissionsReport(part).warning).toMatch(/^The account that asked is not an administrator/);
  expect(permissionsReport(snapshot).warning).toBeUndefined();
});
