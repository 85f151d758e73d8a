/** What the caller may only before, or only after, some change of the plan goes on the right side of it. */
import { describe, expect, test } from "vitest";
import { createGroup } from "../../src/api/groups.ts";
import type { State } from "../../src/sandbox/index.ts";
import { fresh, zulipctl } from "../run.ts";
import { differing, plan, refusals } from "./planned.ts";
import { failures, Stand } from "./stand.ts";

const group = ({ groups }: State, name: string) => [...groups.values()].find((each) => each.name === name)!;
const owner = 8;

/** What becomes of a file's plan: who is refused what, and whether the second plan is empty. */
async function applied(text: string, given: (state: State) => void): Promise<{ parts: string[]; failed: string[] }> {
  const sandbox = fresh({ level: 442 });
  given(sandbox.state);
  const stand = new Stand({ sandbox });
  const { comparison } = await plan(text, { given });
  expect([comparison.problems, comparison.refused]).toEqual([[], []]);
  const steps = await stand.steps(comparison.differences);
  const failed = failures(await stand.send(steps));
  const again = await differing(text, { given: (state) => void Object.assign(state, structuredClone(sandbox.state)) });
  expect(again).toEqual([]);
  return { parts: steps.map(({ change, part }) => `${change.target}, ${part}`), failed };
}

const manage = (value: (state: State) => unknown) => (state: State) =>
  void Object.assign(state.organization.permissions, { can_manage_all_groups: value(state) });

describe("rights that come and go", () => {
  test("groups are changed before the account loses the right to manage them", async () => {
    const text = `
settings: { can_manage_all_groups: designers }
groups: [{ name: writers, description: New }, { name: makers, description: New, members: { add: [id:12] } }]
`;
    const others = (state: State) => {
      manage(({ groups }) => group({ groups } as State, "role:owners").id)(state);
      group(state, "designers").members.delete(owner);
      const nobody = group(state, "role:nobody").id;
      for (const name of ["writers", "makers"])
        Object.assign(group(state, name).settings, { can_manage_group: nobody, can_add_members_group: nobody });
    };
    const { parts, failed } = await applied(text, others);
    expect(failed).toEqual([]);
    expect(parts.at(-1)).toBe("settings, can_manage_all_groups");
  });

  test("a right that passes from one group to another is never lost on the way", async () => {
    const text = `
settings: { can_manage_all_groups: designers }
groups:
  - { name: designers, members: { add: [iris@sandbox.example] } }
  - { name: writers, members: { remove: [iris@sandbox.example] } }
  - { name: makers, description: New }
`;
    const { parts, failed } = await applied(text, (state) => {
      manage(() => group(state, "writers").id)(state);
      group(state, "writers").members = new Set([owner, 12]);
      group(state, "designers").members = new Set([12]);
      for (const each of state.groups.values())
        if (!each.is_system_group) each.settings.can_manage_group = group(state, "role:nobody").id;
    });
    expect(failed).toEqual([]);
    const at = (part: string) => parts.indexOf(part);
    expect(at("group designers, members")).toBeLessThan(at("settings, can_manage_all_groups"));
    expect(at("settings, can_manage_all_groups")).toBeLessThan(at("group writers, members"));
  });

  test("what a request asks at once is asked apart where a part of it takes away what is needed still", async () => {
    const text = `
settings: { can_manage_all_groups: designers }
groups:
  - { name: designers, description: New, members: { add: [gwen@sandbox.example], remove: [iris@sandbox.example] } }
  - { name: writers, description: New }
`;
    const { parts, failed } = await applied(text, (state) => {
      manage(() => group(state, "designers").id)(state);
      group(state, "designers").members = new Set([owner, 12]);
      for (const each of state.groups.values())
        if (!each.is_system_group) each.settings.can_manage_group = group(state, "role:nobody").id;
    });
    expect(failed).toEqual([]);
    expect(parts).toEqual(["group designers, settings", "group writers, settings", "group designers, members"]);
  });
});

const nobodyElse = (state: State) => {
  const nobody = group(state, "role:nobody").id;
  for (const { is_system_group, settings } of state.groups.values())
    if (!is_system_group) Object.assign(settings, { can_manage_group: nobody, can_add_members_group: nobody });
};

describe("a request of which each list takes a right of its own", () => {
  const text = `
settings: { can_manage_all_groups: makers }
groups:
  - { name: designers, members: { remove: [iris@sandbox.example] }, subgroups: { add: [writers] } }
`;
  const given = (state: State) => {
    nobodyElse(state);
    group(state, "designers").members = new Set([owner, 12]);
    group(state, "writers").members = new Set([owner]);
    Object.assign(group(state, "designers").settings, { can_manage_group: group(state, "designers").id });
    Object.assign(group(state, "makers"), { members: new Set([12]), subgroups: new Set() });
  };

  test("goes before the account loses what it takes after a list of its own has taken the other way to it", async () => {
    const { parts, failed } = await applied(text, (state) => {
      given(state);
      manage(() => group(state, "role:owners").id)(state);
    });
    expect(failed).toEqual([]);
    expect(parts).toEqual(["group designers, members", "settings, can_manage_all_groups"]);
  });

  test("is two where the account would leave the group first, and with it the right to the rest", async () => {
    const { parts, failed } = await applied(text.replace(/settings: .*/, ""), (state) => {
      given(state);
      manage(() => group(state, "role:nobody").id)(state);
    });
    expect(failed).toEqual([]);
    expect(parts).toEqual(["group designers, members", "group designers, members later"]);
  });

  test("is one where the account comes into the group by a right of its own, and so may do the rest", async () => {
    const joining = text.replace(/settings: .*/, "").replace("remove: [iris", "add: [iris");
    const { parts, failed } = await applied(joining, (state) => {
      given(state);
      group(state, "designers").members.delete(owner);
      Object.assign(group(state, "designers").settings, { can_join_group: group(state, "role:owners").id });
      manage(() => group(state, "role:nobody").id)(state);
    });
    expect(failed).toEqual([]);
    expect(parts).toEqual(["group designers, members"]);
  });

  test("goes after the permission that lets the account do the rest once it has come", async () => {
    const joining = text.replace("makers", "designers").replace("remove: [iris", "add: [iris");
    const { parts, failed } = await applied(joining, (state) => {
      given(state);
      group(state, "designers").members.delete(owner);
      const [owners, nobody] = ["role:owners", "role:nobody"].map((name) => group(state, name).id);
      Object.assign(group(state, "designers").settings, { can_manage_group: nobody, can_join_group: owners });
      manage(() => nobody)(state);
    });
    expect(failed).toEqual([]);
    expect(parts).toEqual(["settings, can_manage_all_groups", "group designers, members"]);
  });
});

describe("a private channel that the account is not in", () => {
  const staff = ({ channels }: State) => [...channels.values()].find(({ name }) => name === "staff")!;
  const given = (state: State) => {
    manage(({ groups }) => group({ groups } as State, "role:owners").id)(state);
    staff(state).subscribers = new Set([9]);
    Object.assign(staff(state).settings, {
      can_add_subscribers_group: group(state, "role:nobody").id,
      can_subscribe_group: group(state, "makers").id,
    });
    Object.assign(group(state, "makers"), { members: new Set([12]), subgroups: new Set([group(state, "writers").id]) });
    group(state, "writers").members = new Set([owner]);
  };

  test.each<[how: string, text: string, loses: string]>([
    [
      "leaves a group in the group that reads it",
      "groups: [{ name: writers, members: { remove: [iris@sandbox.example] } }]",
      "group writers, members",
    ],
    [
      "is in a group that leaves the one that reads it",
      "groups: [{ name: makers, subgroups: { remove: [writers] } }]",
      "group makers, members",
    ],
  ])("has its new subscribers before the account %s", async (_, text, loses) => {
    // By the order of the file what takes the right away would go first.
    const both = `channels: [{ name: staff, subscribers: { add: [otis@sandbox.example] } }]\n${text}`;
    const { parts, failed } = await applied(both, given);
    expect(failed).toEqual([]);
    expect(parts).toEqual(["channel staff, subscribe", loses]);
  });

  test("is made public, and people are invited to it, before the account comes to read it no more", async () => {
    const text = `
people: [{ email: new@x.example, invite: true, role: member }]
groups: [{ name: writers, members: { remove: [iris@sandbox.example] } }]
channels: [{ name: staff, is_private: false, subscribers: { add: [new@x.example] } }]
`;
    const sandbox = fresh({ level: 442 });
    given(sandbox.state);
    const files = new Map([["organization.yaml", text]]);
    const { code, sent } = await zulipctl(["org", "apply", "organization.yaml", "--yes"], { sandbox, files });
    expect(code).toBe(0);
    const paths = sent
      .filter(({ method }) => method !== "GET")
      .map(({ url }) => new URL(url).pathname.replace("/api/v1", ""));
    const before = paths.slice(0, paths.indexOf("/user_groups/18/members"));
    expect(before).toEqual(expect.arrayContaining([`/streams/${staff(sandbox.state).stream_id}`, "/invites"]));
  });
});

test.each([
  ["was needed for is not known to be done", "writers, description: New"],
  ["it would have had it by instead is refused", "writers, can_manage_group: makers"],
])("a right is not taken from the account where what %s", async (_, entry) => {
  const sandbox = fresh({ level: 442 });
  const { state } = sandbox;
  nobodyElse(state);
  manage(() => group(state, "role:owners").id)(state);
  group(state, "designers").members.delete(owner);
  group(state, "makers").members.add(owner);
  const text = `settings: { can_manage_all_groups: designers }\ngroups: [{ name: ${entry} }]`;
  const files = new Map([["organization.yaml", text]]);
  // Refused by something that no plan can know of.
  const http = (async (request, ...rest) =>
    sandbox.handle(
      request.url.includes("/user_groups/") ? { ...request, body: "name=role%3Ax" } : request,
      ...rest,
    )) as typeof sandbox.handle;
  const line = ["org", "apply", "organization.yaml", "--allow-lockout", "--yes"];
  const { code, err, sent } = await zulipctl(line, { sandbox, files, http });
  expect(code).toBe(5);
  expect(err).toContain("2 of 2 not done (1 refused, 1 not sent)");
  expect(sent.some(({ url }) => url.endsWith("/realm"))).toBe(false);
  expect(await zulipctl(line, { sandbox, files })).toMatchObject({ code: 0 });
});

describe("requests that ask for less at once", () => {
  test("what others wait for goes first, what takes a right away later", async () => {
    const text = `
groups:
  - { name: makers, members: { remove: [iris@sandbox.example] }, subgroups: { remove: [designers] } }
  - { name: designers, deactivated: true }
`;
    const { parts, failed } = await applied(text, (state) => {
      nobodyElse(state);
      manage(() => group(state, "makers").id)(state);
      group(state, "makers").members.add(owner);
    });
    expect(failed).toEqual([]);
    expect(parts).toEqual(["group makers, members", "group designers, deactivate", "group makers, members later"]);
  });

  test("a permission that takes a right away need not be changed before somebody comes back", async () => {
    const text = `
people: [{ email: dora@sandbox.example, active: true }]
settings: { can_manage_all_groups: designers }
groups: [{ name: writers, members: { add: [dora@sandbox.example] } }]
`;
    const { parts, failed } = await applied(text, (state) => {
      nobodyElse(state);
      manage(() => group(state, "makers").id)(state);
      group(state, "makers").members.add(owner);
    });
    expect(failed).toEqual([]);
    expect(parts).toEqual([
      "person dora@sandbox.example, reactivate",
      "group writers, member 15",
      "settings, can_manage_all_groups",
    ]);
  });
});

describe("what no order can do", () => {
  const nobodys = (state: State) =>
    void Object.assign(state.organization.permissions, { can_create_groups: group(state, "role:nobody").id });
  const text = "groups: [{ name: crew, description: '', members: [] }, { name: writers, description: New }]";

  test("is told by the plan, with the permission that lacks", async () => {
    expect(await refusals(text, { given: nobodys })).toEqual([
      "groups crew: takes can_create_groups, which this account does not have",
    ]);
    expect(await refusals(`settings: { can_create_groups: role:owners }\n${text}`, { given: nobodys })).toEqual([]);
  });

  test("keeps all of it from being sent", async () => {
    const sandbox = fresh({ level: 442 });
    nobodys(sandbox.state);
    const files = new Map([["organization.yaml", text]]);
    const { code, err, sent } = await zulipctl(["org", "apply", "organization.yaml", "--yes"], { sandbox, files });
    expect(code).toBe(1);
    expect(err).toBe(
      "zulipctl: nothing was sent: the server would refuse some of it: group crew: takes can_create_groups, which this account does not have\n",
    );
    expect(sent.some(({ url }) => url.endsWith(createGroup.path))).toBe(false);
    const kept = await zulipctl(["org", "plan", "organization.yaml", "--exit-code", "-o", "json"], { sandbox, files });
    expect(kept.code).toBe(8);
    expect(kept.err).toContain("2 things differ from the file");
    expect(JSON.parse(kept.out)).toMatchObject({
      refused: [{ section: "groups", name: "crew", says: "takes can_create_groups, which this account does not have" }],
    });
  });

  test("a right that has to go before it is needed is told too", async () => {
    // The old group cannot be put away before the setting names it no more, and then nobody here may do that.
    const circle = "settings: { can_manage_all_groups: designers }\ngroups: [{ name: old, deactivated: true }]";
    const given = (state: State) => {
      const nobody = group(state, "role:nobody").id;
      Object.assign(group(state, "writers"), { name: "old", members: new Set([owner]) });
      Object.assign(group(state, "old").settings, { can_manage_group: nobody });
      group(state, "designers").members = new Set([12]);
      for (const each of state.groups.values()) each.subgroups.delete(group(state, "old").id);
      manage(() => group(state, "old").id)(state);
    };
    expect(await refusals(circle, { given })).toEqual([
      "groups old: takes can_manage_group or can_manage_all_groups, which the same plan takes it from this account first: apply that change separately",
    ]);
  });

  test("what servers of this level may or may not ask for is tried", async () => {
    const given = (state: State) =>
      void Object.assign(state.organization.permissions, {
        can_create_private_channel_group: group(state, "role:nobody").id,
      });
    const file = "channels: [{ name: design, is_private: true }]";
    expect(await refusals(file, { given, level: 400 })).toEqual([]);
    expect(await refusals(file, { given, level: 442 })).toEqual([
      "channels design: takes can_create_private_channel_group, which this account does not have",
    ]);
  });
});

test("whoever may join a group, or leave it, needs no more to do so", async () => {
  const given = (state: State) => {
    manage(() => group(state, "role:nobody").id)(state);
    for (const name of ["writers", "designers", "makers"]) {
      const { settings, members } = group(state, name);
      const nobody = group(state, "role:nobody").id;
      Object.assign(settings, { can_manage_group: nobody, can_add_members_group: nobody, can_leave_group: nobody });
      members.delete(owner);
    }
    group(state, "writers").settings.can_join_group = group(state, "role:owners").id;
    group(state, "designers").settings.can_leave_group = group(state, "role:owners").id;
    group(state, "designers").members.add(owner);
  };
  const joins = "{ name: writers, members: { add: [iris@sandbox.example] } }";
  const leaves = "{ name: designers, members: { remove: [iris@sandbox.example] } }";
  expect((await applied(`groups: [${joins}, ${leaves}]`, given)).failed).toEqual([]);
  const others = "{ name: makers, members: { add: [iris@sandbox.example] } }";
  const both = "{ name: writers, members: { add: [iris@sandbox.example, otis@sandbox.example] } }";
  expect(await refusals(`groups: [${others}]`, { given })).toEqual([
    "groups makers: takes can_manage_group or can_add_members_group or can_join_group or can_manage_all_groups, which this account does not have",
  ]);
  expect(
    await refusals(`groups: [${both}]`, {
      given: (state) => {
        given(state);
        group(state, "writers").members.clear();
      },
    }),
  ).toEqual([
    "groups writers: takes can_manage_group or can_add_members_group or can_manage_all_groups, which this account does not have",
  ]);
});
