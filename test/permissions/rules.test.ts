import { describe, expect, test } from "vitest";
import { evaluate } from "../../src/permissions/evaluation.ts";
import { ordinary } from "../../src/permissions/extra.ts";
import { rulesOf } from "../../src/permissions/rules.ts";
import { everyone, members, nobody, type Small, small } from "./organizations.ts";

/** Whether a person may, what gives it, and what lacks. */
function answers(organization: Small, user: number, [scope, target, permission]: [string, number | null, string]) {
  const evaluation = evaluate(small(organization));
  const cell = evaluation.cell(scope as never, target, permission);
  return {
    may: evaluation.may(user, cell),
    ways: evaluation.ways(user, cell).map((way) => ("word" in way ? way.word : way.names)),
    lacks: evaluation.lacks(user, cell),
    unknown: evaluation.unknown(user, cell),
  };
}

const none = { lacks: [], unknown: undefined };

describe("ways", () => {
  const groups = [
    { id: 10, name: "outer", subgroups: [11, 12] },
    { id: 11, name: "left", subgroups: [13] },
    { id: 12, name: "right", members: [50], subgroups: [13] },
    { id: 13, name: "inner", members: [50] },
  ];

  test("are every path once, the shortest first, the outermost group first", () => {
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

  test("end where groups go round in a circle", () => {
    const circle = [
      { id: 10, name: "a", subgroups: [11] },
      { id: 11, name: "b", members: [50], subgroups: [10] },
    ];
    const asked = { people: [{ id: 50 }], groups: circle, organization: { realm_can_create_groups: 10 } };
    expect(answers(asked, 50, ["organization", null, "can_create_groups"]).ways).toEqual([["a", "b"]]);
  });

  test("are as many as asked for, however many there are", () => {
    // Ten levels of thirty groups, each of which holds all of the next: more paths than could ever be counted.
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
    expect(evaluation.ways(50, cell)).toHaveLength(1000);
    expect(evaluation.way(50, cell)).toMatchObject({ names: { length: 10 } });
  });

  test("through a group come before words, and one that several settings give is one", () => {
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

describe("what lacks", () => {
  test("is told of each way that there would have been", () => {
    const organization = {
      people: [{ id: 50 }, { id: 51 }],
      groups: [{ id: 10, name: "designers", members: [51] }],
      channels: [{ id: 1, name: "c", private: true as const, can_administer_channel_group: 10 }],
    };
    expect(answers(organization, 50, ["channel", 1, "administer"])).toEqual({
      may: false,
      ways: [],
      lacks: ["not in designers, nor in any group in it (can_administer_channel_group)", "administrators can"],
      unknown: undefined,
    });
  });

  test("is nothing else for deactivated people and incoming webhooks", () => {
    const organization = {
      people: [{ id: 50, active: false as const }, { id: 51, bot_type: 2, bot_owner_id: 52 }, { id: 52 }],
      organization: { realm_can_create_groups: everyone },
    };
    const asked: [string, null, string] = ["organization", null, "can_create_groups"];
    expect(answers(organization, 50, asked).lacks).toEqual(["deactivated"]);
    expect(answers(organization, 51, asked).lacks).toEqual(["incoming webhooks may send messages and nothing else"]);
  });
});

describe("what only some servers have", () => {
  test("later permissions of channels come with their level", () => {
    const names = (level: number) =>
      Object.keys(rulesOf(evaluate(small({ level })).facts, "channel")).filter((name) => name.includes("topic"));
    expect(names(401)).toEqual([]);
    expect(names(402)).toEqual(["can_resolve_topics_group"]);
    expect(names(441)).toEqual(["can_resolve_topics_group", "can_create_topic_group"]);
  });

  test("a setting that is not known here is evaluated by its members, guests if the server lets them, and no webhooks", () => {
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
      return { who: evaluation.who(cell).map(({ user_id }) => user_id), note: cell.rule.note };
    };
    const note = "this version does not know the setting, and shows its members";
    expect(may(true)).toEqual({ who: [50, 51], note });
    expect(may(false)).toEqual({ who: [51], note });
  });

  test("who may change who sees a channel is not known of some between two levels, and known after them", () => {
    const organization = (level: number): Small => ({
      people: [{ id: 50 }, { id: 51 }],
      groups: [{ id: 10, name: "makers", members: [50] }],
      channels: [{ id: 1, name: "c", can_administer_channel_group: members }],
      organization: { realm_can_create_private_channel_group: 10 },
      level,
    });
    const asked: [string, number, string] = ["channel", 1, "change_privacy"];
    const may = (level: number, user: number) => answers(organization(level), user, asked).may;
    expect([371, 372, 441, 442].map((level) => may(level, 50))).toEqual([true, true, true, true]);
    expect([371, 372, 441, 442].map((level) => may(level, 51))).toEqual([true, undefined, undefined, false]);
    expect(answers(organization(441), 51, asked).unknown).toContain("since a level between 372 and 442");
  });

  test("members of deactivated groups may be changed from level 391 on", () => {
    const organization = (level: number): Small => ({
      people: [{ id: 50 }],
      groups: [{ id: 10, name: "g", deactivated: true, can_manage_group: members }],
      level,
    });
    const may = (level: number) => answers(organization(level), 50, ["group", 10, "can_add_members_group"]).may;
    expect([may(390), may(391)]).toEqual([false, true]);
  });

  test("bots may make and change groups from level 496 on; whether they may change members nobody knows", () => {
    const organization = (level: number): Small => ({
      people: [{ id: 50, bot_type: 1 }],
      groups: [{ id: 10, name: "g", can_manage_group: members }],
      organization: { realm_can_create_groups: members },
      level,
    });
    const may = (level: number) => [
      answers(organization(level), 50, ["organization", null, "can_create_groups"]).may,
      answers(organization(level), 50, ["group", 10, "can_manage_group"]).may,
      answers(organization(level), 50, ["group", 10, "can_join_group"]).may,
    ];
    expect(may(495)).toEqual([false, false, false]);
    expect(may(496)).toEqual([true, true, undefined]);
  });

  test("what the snapshot does not tell is not guessed", () => {
    const channels = [{ id: 1, name: "c", private: true as const, subscribers: undefined as never }];
    const asked: [string, number, string] = ["channel", 1, "read"];
    expect(answers({ people: [{ id: 50 }], channels }, 50, asked)).toMatchObject({ may: undefined });
    const named = [{ ...channels[0]!, can_subscribe_group: members }];
    expect(answers({ people: [{ id: 50 }], channels: named }, 50, asked).may).toBe(true);
  });
});

describe("from level 442 on", () => {
  const joined = (days: number) => new Date(Date.parse(taken) - days * 86_400_000).toISOString();
  const { taken } = small({});

  /** Person 50 is old enough and listed nowhere yet; 51 is listed and too young; 52 is a moderator. */
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
  const writing: [string, null, string] = ["organization", null, "direct_message_permission_group"];
  const may = (level: number, asked = writing) => [50, 51, 52].map((user) => answers(waiting(level), user, asked).may);

  test("the date decides who is a full member in the settings of direct messages, and nowhere else", () => {
    expect(may(371)).toEqual([false, true, true]);
    expect(may(442)).toEqual([true, false, true]);
    expect(may(442, ["organization", null, "can_create_groups"])).toEqual([false, true, true]);
    expect(answers(waiting(442), 50, writing).ways).toEqual([["role:fullmembers"]]);
    expect(answers(waiting(442), 52, writing).ways).toEqual([["role:fullmembers", "role:moderators"]]);
  });

  test("no level between is known to go by the date or by the list", () => {
    expect(may(400)).toEqual([undefined, undefined, true]);
    expect(answers(waiting(400), 50, writing).unknown).toContain("since a level between 372 and 442");
  });

  test("a full member inside another group counts as soon as the list has them", () => {
    const named = { direct_members: [], direct_subgroups: [5] };
    const { organization, ...rest } = waiting(442);
    const inside = { ...rest, organization: { ...organization, realm_direct_message_permission_group: named } };
    expect([50, 51, 52].map((user) => answers(inside, user, writing).may)).toEqual([false, true, true]);
  });

  test("what somebody may by their date is nothing extra, beside members who joined later", () => {
    const { people = [], ...rest } = waiting(442);
    const evaluation = evaluate(small({ ...rest, people: [{ id: 49, date_joined: joined(1) }, ...people] }));
    const person = evaluation.accounts.find(({ user_id }) => user_id === 50)!;
    expect(ordinary(evaluation, person)(evaluation.cell("organization", null, "direct_message_permission_group"))).toBe(
      true,
    );
  });

  test("nobody starts a named topic where only the empty one is allowed", () => {
    const organization = (topics_policy: string, realm_topics_policy: string): Small => ({
      people: [{ id: 50 }],
      channels: [
        { id: 1, name: "c", can_send_message_group: everyone, can_create_topic_group: everyone, topics_policy },
      ],
      organization: { realm_topics_policy },
      level: 442,
    });
    const asked: [string, number, string] = ["channel", 1, "can_create_topic_group"];
    const starts = (...policies: [string, string]) => answers(organization(...policies), 50, asked).may;
    expect(starts("inherit", "allow_empty_topic")).toBe(true);
    expect(starts("empty_topic_only", "allow_empty_topic")).toBe(false);
    expect(starts("inherit", "empty_topic_only")).toBe(false);
    expect(starts("disable_empty_topic", "empty_topic_only")).toBe(true);
    expect(answers(organization("empty_topic_only", "inherit"), 50, asked).lacks).toEqual([
      "the channel has no named topics (topics_policy)",
    ]);
  });
});

test("a bot posts for its owner: by the owner's group, by the owner's subscription, or one of each", () => {
  const organization = (subscribers: number[], can_send_message_group: unknown): Small => ({
    people: [{ id: 50 }, { id: 51, bot_type: 1, bot_owner_id: 50 }],
    channels: [{ id: 1, name: "c", private: true, subscribers, can_send_message_group }],
  });
  const named = (id: number) => ({ direct_members: [id], direct_subgroups: [] });
  const asked: [string, number, string] = ["channel", 1, "post"];
  expect(answers(organization([50], named(51)), 51, asked)).toEqual({ may: true, ways: [[]], ...none });
  expect(answers(organization([51], named(50)), 51, asked)).toEqual({ may: true, ways: ["bot-owner"], ...none });
  expect(answers(organization([], named(50)), 51, asked).may).toBe(false);
  expect(answers(organization([50], nobody), 51, asked).may).toBe(false);
});
