import { describe, expect, test } from "vitest";
import { evaluate } from "../../src/permissions/evaluation.ts";
import { isOrdinary } from "../../src/permissions/extras.ts";
import { rulesOf } from "../../src/permissions/rules.ts";
import { everyone, members, type Small, small } from "./organizations.ts";

type Permission = [scope: string, target: number | null, permission: string];

/** Returns whether a person may, why, and what is missing. */
function answers(organization: Small, user: number, [scope, target, permission]: Permission) {
  const evaluation = evaluate(small(organization));
  const cell = evaluation.cell(scope as never, target, permission);
  return {
    may: evaluation.isAllowed(user, cell),
    ways: evaluation.paths(user, cell).map((way) => ("reason" in way ? way.reason : way.names)),
    missing: evaluation.missing(user, cell),
    unknown: evaluation.whyUnknown(user, cell),
  };
}

const none = { missing: [], unknown: undefined };

describe("ways", () => {
  const groups = [
    { id: 10, name: "outer", subgroups: [11, 12] },
    { id: 11, name: "left", subgroups: [13] },
    { id: 12, name: "right", members: [50], subgroups: [13] },
    { id: 13, name: "inner", members: [50] },
  ];

  test("list every path once, the shortest first, with the outermost group first", () => {
    expect(
      answers({ people: [{ id: 50 }], groups, organization: { realm_can_create_groups: 10 } }, 50, [
        "organization",
        null,
        "can_create_groups",
      ]),
    ).toEqual({
      may: true,
      ways: [
        ["outer", "right"],
        ["outer", "left", "inner"],
        ["outer", "right", "inner"],
      ],
      ...none,
    });
  });

  test("end at a circle of groups", () => {
    const circle = [
      { id: 10, name: "a", subgroups: [11] },
      { id: 11, name: "b", members: [50], subgroups: [10] },
    ];
    const organization = { people: [{ id: 50 }], groups: circle, organization: { realm_can_create_groups: 10 } };
    expect(answers(organization, 50, ["organization", null, "can_create_groups"]).ways).toEqual([["a", "b"]]);
  });

  test("are limited to 1,000", () => {
    // Ten levels of thirty groups. Each contains all groups of the next level, so there are 30^9 paths.
    const id = (level: number, n: number) => 100 + level * 30 + n;
    const wide = Array.from({ length: 300 }, (_, at) => {
      const level = Math.floor(at / 30);
      return {
        id: 100 + at,
        name: `g${100 + at}`,
        members: level === 9 ? [50] : [],
        subgroups: level === 9 ? [] : Array.from({ length: 30 }, (_each, n) => id(level + 1, n)),
      };
    });
    const evaluation = evaluate(
      small({ people: [{ id: 50 }], groups: wide, organization: { realm_can_create_groups: 100 } }),
    );
    const cell = evaluation.cell("organization", null, "can_create_groups");
    expect(evaluation.paths(50, cell)).toHaveLength(1000);
    expect(evaluation.path(50, cell)).toMatchObject({ names: { length: 10 } });
  });

  test("list groups before words, and a path of several settings once", () => {
    const organization = {
      people: [{ id: 50, role: 200 }],
      channels: [{ id: 1, name: "c", can_add_subscribers_group: members, can_subscribe_group: members }],
    };
    expect(answers(organization, 50, ["channel", 1, "see"])).toEqual({
      may: true,
      ways: [["role:members", "role:fullmembers", "role:moderators", "role:administrators"], "public", "administrator"],
      ...none,
    });
  });
});

describe("missing requirements", () => {
  test("name every alternative", () => {
    const organization = {
      people: [{ id: 50 }, { id: 51 }],
      groups: [{ id: 10, name: "designers", members: [51] }],
      channels: [{ id: 1, name: "c", private: true as const, can_administer_channel_group: 10 }],
    };
    expect(answers(organization, 50, ["channel", 1, "administer"])).toEqual({
      may: false,
      ways: [],
      missing: ["not in designers, nor in any group in it (can_administer_channel_group)", "administrators can"],
      unknown: undefined,
    });
  });

  test("are one reason for deactivated people and incoming webhooks", () => {
    const organization = {
      people: [{ id: 50, active: false as const }, { id: 51, bot_type: 2, bot_owner_id: 52 }, { id: 52 }],
      organization: { realm_can_create_groups: everyone },
    };
    const permission: Permission = ["organization", null, "can_create_groups"];
    expect(answers(organization, 50, permission).missing).toEqual(["deactivated"]);
    expect(answers(organization, 51, permission).missing).toEqual([
      "incoming webhooks may send messages and nothing else",
    ]);
  });
});

describe("rules that depend on the server", () => {
  test("exist from their feature level on", () => {
    const names = (level: number) =>
      Object.keys(rulesOf(evaluate(small({ level })).facts, "channel")).filter((name) => name.includes("topic"));
    expect(names(401)).toEqual([]);
    expect(names(402)).toEqual(["can_resolve_topics_group"]);
    expect(names(441)).toEqual(["can_resolve_topics_group", "can_create_topic_group"]);
  });

  test("count the members of unknown settings, without webhooks, and without guests unless the server allows them", () => {
    const rules = (allow_everyone_group: boolean) => ({
      realm: {},
      stream: { can_do_something_new_group: { allow_everyone_group } },
      group: {},
    });
    const organization = (lets: boolean): Small => ({
      people: [{ id: 50, role: 600 }, { id: 51 }, { id: 52, bot_type: 2, bot_owner_id: 51 }],
      channels: [{ id: 1, name: "c", can_do_something_new_group: everyone }],
      organization: { server_supported_permission_settings: rules(lets) },
    });
    const may = (lets: boolean) => {
      const evaluation = evaluate(small(organization(lets)));
      const cell = evaluation.cell("channel", 1, "can_do_something_new_group");
      return { who: evaluation.holders(cell).map(({ user_id }) => user_id), note: cell.rule.note };
    };
    const note = "known to the server only: zulipctl shows its members";
    expect(may(true)).toEqual({ who: [50, 51], note });
    expect(may(false)).toEqual({ who: [51], note });
  });

  const makers: Small = {
    people: [{ id: 50 }, { id: 51 }],
    groups: [{ id: 10, name: "makers", members: [50] }],
    channels: [{ id: 1, name: "c", can_administer_channel_group: members }],
    organization: { realm_can_create_private_channel_group: 10 },
  };
  const bots: Small = {
    people: [{ id: 50, bot_type: 1 }],
    groups: [{ id: 10, name: "g", can_manage_group: members }],
    organization: { realm_can_create_groups: members },
  };
  const deactivated: Small = {
    people: [{ id: 50 }],
    groups: [{ id: 10, name: "g", deactivated: true, can_manage_group: members }],
  };

  test.each<[string, Small, number, Permission, Record<number, boolean | undefined>]>([
    ["creators", makers, 50, ["channel", 1, "change_privacy"], { 371: true, 372: true, 441: true, 442: true }],
    ["others", makers, 51, ["channel", 1, "change_privacy"], { 371: true, 372: undefined, 441: undefined, 442: false }],
    ["deactivated groups", deactivated, 50, ["group", 10, "can_add_members_group"], { 390: false, 391: true }],
    ["bots", bots, 50, ["organization", null, "can_create_groups"], { 495: false, 496: true }],
    ["bots", bots, 50, ["group", 10, "can_manage_group"], { 495: false, 496: true }],
    ["bots", bots, 50, ["group", 10, "can_join_group"], { 495: false, 496: true }],
  ])("decide by level: %s", (_, organization, user, permission, expected) => {
    const may = Object.keys(expected).map((level) => [
      level,
      answers({ ...organization, level: Number(level) }, user, permission).may,
    ]);
    expect(Object.fromEntries(may)).toStrictEqual(expected);
  });

  test("explain why they cannot decide", () => {
    expect(answers({ ...makers, level: 441 }, 51, ["channel", 1, "change_privacy"]).unknown).toContain(
      "since a level between 372 and 442",
    );
  });

  test("cannot decide without the subscribers of a channel", () => {
    const channels = [{ id: 1, name: "c", private: true as const, subscribers: undefined as never }];
    const permission: Permission = ["channel", 1, "read"];
    expect(answers({ people: [{ id: 50 }], channels }, 50, permission)).toMatchObject({ may: undefined });
    const named = [{ ...channels[0]!, can_subscribe_group: members }];
    expect(answers({ people: [{ id: 50 }], channels: named }, 50, permission).may).toBe(true);
  });
});

describe("from level 442 on", () => {
  const joined = (days: number) => new Date(Date.parse(taken) - days * 86_400_000).toISOString();
  const { taken } = small({});

  /** Person 50 joined early enough and is not listed. 51 is listed and joined late. 52 is a moderator. */
  const waiting = (level: number): Small => {
    const settings = { realm_direct_message_permission_group: 5, realm_can_create_groups: 5 };
    const { realm_user_groups } = small({ people: [{ id: 51 }, { id: 52, role: 300 }] }).organization;
    const groups = realm_user_groups.map((group) =>
      group.name === "role:members" ? { ...group, members: [50, 51] } : group,
    );
    return {
      people: [
        { id: 50, date_joined: joined(11) },
        { id: 51, date_joined: joined(9) },
        { id: 52, role: 300, date_joined: joined(1) },
      ],
      organization: { ...settings, realm_user_groups: groups, realm_waiting_period_threshold: 10 },
      level,
    };
  };
  const writing: Permission = ["organization", null, "direct_message_permission_group"];
  const may = (level: number, permission = writing) =>
    [50, 51, 52].map((user) => answers(waiting(level), user, permission).may);

  test("the join date decides who is a full member, only in settings of direct messages", () => {
    expect(may(371)).toEqual([false, true, true]);
    expect(may(442)).toEqual([true, false, true]);
    expect(may(442, ["organization", null, "can_create_groups"])).toEqual([false, true, true]);
    expect(answers(waiting(442), 50, writing).ways).toEqual([["role:fullmembers"]]);
    expect(answers(waiting(442), 52, writing).ways).toEqual([["role:fullmembers", "role:moderators"]]);
  });

  test("levels 372 to 441 may use the date or the list", () => {
    expect(may(400)).toEqual([undefined, undefined, true]);
    expect(answers(waiting(400), 50, writing).unknown).toContain("since a level between 372 and 442");
  });

  test("full members in a named group come from the list", () => {
    const named = { direct_members: [], direct_subgroups: [5] };
    const { organization, ...rest } = waiting(442);
    const inside = { ...rest, organization: { ...organization, realm_direct_message_permission_group: named } };
    expect([50, 51, 52].map((user) => answers(inside, user, writing).may)).toEqual([false, true, true]);
  });

  test("a permission by join date is no extra", () => {
    const { people = [], ...rest } = waiting(442);
    const evaluation = evaluate(small({ ...rest, people: [{ id: 49, date_joined: joined(1) }, ...people] }));
    const person = evaluation.accounts.find(({ user_id }) => user_id === 50)!;
    expect(
      isOrdinary(evaluation, person)(evaluation.cell("organization", null, "direct_message_permission_group")),
    ).toBe(true);
  });

  test("nobody starts named topics in channels with only the empty topic", () => {
    const organization = (topics_policy: string, realm_topics_policy: string): Small => ({
      people: [{ id: 50 }],
      channels: [
        { id: 1, name: "c", can_send_message_group: everyone, can_create_topic_group: everyone, topics_policy },
      ],
      organization: { realm_topics_policy },
      level: 442,
    });
    const permission: Permission = ["channel", 1, "can_create_topic_group"];
    const starts = (...policies: [string, string]) => answers(organization(...policies), 50, permission).may;
    expect(starts("inherit", "allow_empty_topic")).toBe(true);
    expect(starts("empty_topic_only", "allow_empty_topic")).toBe(false);
    expect(starts("inherit", "empty_topic_only")).toBe(false);
    expect(starts("disable_empty_topic", "empty_topic_only")).toBe(true);
    expect(answers(organization("empty_topic_only", "inherit"), 50, permission).missing).toEqual([
      "the channel has no named topics (topics_policy)",
    ]);
  });
});
