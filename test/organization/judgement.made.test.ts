/** What is to be made, and what names it, when the organization is looked at once more. */
import { describe, expect, test } from "vitest";
import type { Difference } from "../../src/organization/difference.ts";
import { judge } from "../../src/organization/judgement.ts";
import type { State } from "../../src/sandbox/index.ts";
import { fresh } from "../run.ts";
import { invited } from "./given.ts";
import { create, crew, crewIsThere, crewMade, group, groups, judged, type Meanwhile, set, update } from "./looking.ts";
import { snapshotIn } from "./snapshots.ts";

describe("what is to be made", () => {
  const work = create("folders", "Work", { name: "Work", description: "x" });
  const there =
    (description: string, name = "Work") =>
    (state: State) =>
      void state.folders.set(3, { ...state.folders.get(1)!, id: 3, name, description, order: 3 });

  test.each<[what: string, says: string, meanwhile?: Meanwhile]>([
    ["is not there", 'create folders Work: {"name":"Work","description":"x"}'],
    ["is there as it is to be", "done, 3", { given: there("x") }],
    [
      "is there, but for the case of its name, which makes it another's",
      "it was created by somebody else meanwhile",
      { given: there("x", "WORK") },
    ],
    ["is there otherwise, and not of this run", "it was created by somebody else meanwhile", { given: there("y") }],
    [
      "is there otherwise, of this run, which has not said that yet",
      'update folders Work (3); description: "y" → "x"',
      { given: there("y"), known: { made: new Map([[0, 3]]) } },
    ],
    [
      "is there otherwise, of this run, which has said that",
      'it now has another description: "y"',
      { given: there("y"), known: { made: new Map([[0, 3]]), given: new Map([[0, ["name", "description"]]]) } },
    ],
    [
      "was made, and now has another name that was not said",
      'update folders Work (3); name: "Labour" → "Work"',
      { given: there("x", "Labour"), known: { made: new Map([[0, 3]]), given: new Map([[0, ["description"]]]) } },
    ],
    ["was created, then removed", "it was created, then removed", { known: { made: new Map([[0, 3]]) } }],
    [
      "is there, and the request for it, which said that, got no answer",
      "it was created by somebody else meanwhile",
      { given: there("y"), known: { asked: new Map([[0, ["name", "description"]]]) } },
    ],
    [
      "is there, and the request for it, which did not say that, got no answer",
      'update folders Work (3); description: "y" → "x"',
      { given: there("y"), known: { asked: new Map([[0, ["name"]]]) } },
    ],
    [
      "is not there, and the request for it got no answer",
      'create folders Work: {"name":"Work","description":"x"}',
      { known: { asked: new Map([[0, ["name"]]]) } },
    ],
  ])("%s", async (_, says, meanwhile) => {
    expect(await judged([work], meanwhile)).toEqual([says]);
  });

  test("is another's where the request for it, which got no answer, said some of what is otherwise", async () => {
    const all = create("groups", "crew", { name: "crew", description: "x", can_join_group: groups(14) });
    const known = { asked: new Map([[0, ["name", "description"]]]) };
    expect(await judged([all], { given: crewIsThere, known })).toEqual(["it was created by somebody else meanwhile"]);
  });

  test.each<[what: string, others: Difference[], says: string]>([
    [
      "another is to give up",
      [update("folders", 1, "Labour", [{ field: "name", from: "Projects", to: "Labour" }])],
      'create folders Projects: {"description":"x"}',
    ],
    [
      "another is to give up, as it was planned by another spelling",
      [update("folders", 1, "Labour", [{ field: "name", from: "PROJECTS", to: "Labour" }])],
      'create folders Projects: {"description":"x"}',
    ],
    [
      "another is to give up that has been given another name",
      [update("folders", 1, "Labour", [{ field: "name", from: "Before", to: "Labour" }])],
      "it was created by somebody else meanwhile",
    ],
    [
      "another of another kind is to give up",
      [update("groups", 1, "Labour", [{ field: "name", from: "Projects", to: "Labour" }])],
      "it was created by somebody else meanwhile",
    ],
    [
      "something else is to give up",
      [update("folders", 2, "Labour", [{ field: "name", from: "Projects", to: "Labour" }])],
      "it was created by somebody else meanwhile",
    ],
    [
      "something keeps that is to change otherwise",
      [update("folders", 1, "Projects", [{ field: "description", from: "Projects", to: "Labour" }])],
      "it was created by somebody else meanwhile",
    ],
  ])("with a name that %s", async (_, others, says) => {
    expect((await judged([create("folders", "Projects", { description: "x" }), ...others]))[0]).toBe(says);
  });

  test("is known by what the plan calls it, where it says no name", async () => {
    const made = create("folders", "Work", { description: "x" });
    expect(await judged([made], { given: there("x") })).toEqual(["done, 3"]);
  });

  test("names what the plan makes by its id, as soon as that is there", async () => {
    const inner = create("groups", "inner", {
      name: "inner",
      description: "",
      members: [8],
      subgroups: [crew],
      can_manage_group: groups(18, crew),
    });
    const others = [
      inner,
      create("channels", "deck", { name: "deck", folder: { new: "Work" }, can_send_message_group: groups(crew) }),
      update("settings", undefined, "settings", [
        { field: "can_create_groups", from: groups(14), to: groups(crew) },
        { field: "new_stream_announcements_stream_id", from: null, to: { new: "deck" } },
      ]),
      {
        section: "people",
        name: "new@x.example",
        action: "invite",
        to: { email: "new@x.example", groups: [crew], channels: [{ new: "deck" }] },
      },
    ] as Difference[];
    const given = (state: State) => {
      crewIsThere(state);
      there("x")(state);
    };
    expect(await judged([crewMade, work, ...others], { given })).toEqual([
      "done, 20",
      "done, 3",
      'create groups inner: {"name":"inner","description":"","members":[8],"subgroups":[20],"can_manage_group":{"users":[],"groups":[18,20]}}',
      'create channels deck: {"name":"deck","folder":3,"can_send_message_group":{"users":[],"groups":[20]}}',
      'update settings settings (undefined); can_create_groups: {"users":[],"groups":[14]} → {"users":[],"groups":[20]}; ' +
        'new_stream_announcements_stream_id: null → {"new":"deck"}',
      'invite people new@x.example: {"email":"new@x.example","groups":[20],"channels":[{"new":"deck"}]}',
    ]);
  });

  test("names groups by size of their ids, and after them those that are not there yet", async () => {
    const inner = create("groups", "inner", { description: "", can_join_group: groups(22, crew, { new: "late" }) });
    const late = create("groups", "late", { description: "" });
    expect((await judged([crewMade, inner, late], { given: crewIsThere }))[1]).toBe(
      'create groups inner: {"description":"","can_join_group":{"users":[],"groups":[20,22,{"new":"late"}]}}',
    );
  });

  test("names channels by their ids, in settings of the organization and in invitations", async () => {
    const deck = create("channels", "deck", { name: "deck", description: "x" });
    const announcing = update("settings", undefined, "settings", [
      { field: "new_stream_announcements_stream_id", from: null, to: { new: "deck" } },
    ]);
    const invite: Difference = {
      section: "people",
      name: "new@x.example",
      action: "invite",
      to: { email: "new@x.example", channels: [1, { new: "deck" }] },
    };
    const given = ({ channels }: State) =>
      void channels.set(9, { ...channels.get(1)!, stream_id: 9, name: "deck", description: "x" });
    expect(await judged([deck, announcing, invite], { given })).toEqual([
      "done, 9",
      "update settings settings (undefined); new_stream_announcements_stream_id: null → 9",
      'invite people new@x.example: {"email":"new@x.example","channels":[1,9]}',
    ]);
  });

  test("is not taken for what has an id that is its name", async () => {
    const named = create("linkifiers", "1", { pattern: "1", url_template: "x" });
    const order: Difference = {
      section: "linkifiers",
      name: "linkifiers",
      action: "reorder",
      from: [1, 2, { new: "1" }],
      to: [2, 1, { new: "1" }],
    };
    const field = create("profile_fields", "1", { name: "1" });
    const value = update("people", 12, "Otis", [
      { field: "profile", of: { field: 1, name: "Phone" }, from: null, to: "x" },
    ]);
    const given = ({ linkifiers, profile_fields }: State) => {
      linkifiers.push({ ...linkifiers[0]!, id: 3, pattern: "1", url_template: "x" });
      profile_fields.push({ ...profile_fields[0]!, id: 5, order: 5, name: "1" });
    };
    expect(await judged([named, order, field, value], { given })).toEqual([
      "done, 3",
      "reorder linkifiers linkifiers: [1,2,3] → [2,1,3]",
      "done, 5",
      'update people Otis (12); profile 1: null → "x"',
    ]);
    const gone = { made: new Map([0, 2].map((n) => [n, 99])) };
    const from: Difference = { ...order, from: [1, 2], to: [2, 1] };
    expect(await judged([named, from, field, value], { known: gone })).toEqual([
      "it was created, then removed",
      "reorder linkifiers linkifiers: [1,2] → [2,1]",
      "it was created, then removed",
      'update people Otis (12); profile 1: null → "x"',
    ]);
  });

  test("may name itself", async () => {
    const own = create("groups", "crew", { description: "All of us", can_manage_group: groups(crew) });
    const given = (state: State) => {
      crewIsThere(state);
      group(state, "crew").settings.can_manage_group = 20;
    };
    expect(await judged([own], { given })).toEqual(["done, 20"]);
    expect(await judged([own], { given: crewIsThere, known: { made: new Map([[0, 20]]) } })).toEqual([
      'update groups crew (20); can_manage_group: {"users":[8],"groups":[]} → {"users":[],"groups":[20]}',
    ]);
    const known = { made: new Map([[0, 20]]), given: new Map([[0, ["can_manage_group"]]]) };
    expect(await judged([own], { given: crewIsThere, known })).toEqual([
      'it now has another can_manage_group: {"users":[8],"groups":[]}',
    ]);
  });
});

describe("what was asked for without an answer, where another of the plan has the name that it may have been given", () => {
  const last = { channels: 5, groups: 19, folders: 2, linkifiers: 2, profile_fields: 4 };
  const work = create("folders", "Work", { name: "Work", description: "x" });
  const open = (name: string, description: string) =>
    `create folders ${name}: ${JSON.stringify({ name, description })}`;
  const play = (description: string) => create("folders", "Play", { name: "Play", description });
  const there =
    (description: string, creator_id = 8) =>
    (state: State) =>
      void state.folders.set(3, {
        ...state.folders.get(1)!,
        id: 3,
        name: "Play",
        description,
        order: 3,
        creator_id,
      });
  const lost = new Map([[0, ["name", "description"]]]);
  const both = new Map([...lost, [1, ["name", "description"]]]);
  const held =
    'it may be called "Play" by now: its request got no answer, and that was made since; if it is the same, say "id: 3"';
  const theirs = "it was created by somebody else meanwhile";

  test.each<[what: string, of: Difference[], meanwhile: Meanwhile, says: string[]]>([
    ["that was not asked for", [work, play("y")], { given: there("x"), known: { asked: lost, last } }, [held, theirs]],
    [
      "that was not asked for, and is as that is to be",
      [work, play("x")],
      { given: there("x"), known: { asked: lost, last } },
      [held, "done, 3"],
    ],
    [
      "that was asked for otherwise",
      [work, play("y")],
      { given: there("x"), known: { asked: both, last } },
      [held, theirs],
    ],
    [
      "that was asked for as it is there, and so seems to be made",
      [work, play("x")],
      { given: there("x"), known: { asked: both, last } },
      [open("Work", "x"), "done, 3"],
    ],
    [
      "that was made",
      [work, play("y")],
      { given: there("x"), known: { asked: lost, last, made: new Map([[1, 3]]) } },
      [open("Work", "x"), 'update folders Play (3); description: "x" → "y"'],
    ],
    [
      "but somebody else has made that",
      [work, play("y")],
      { given: there("x", 9), known: { asked: lost, last } },
      [open("Work", "x"), theirs],
    ],
    [
      "but that was there before the run",
      [work, play("y")],
      { given: there("x"), known: { asked: lost, last: { ...last, folders: 3 } } },
      [open("Work", "x"), theirs],
    ],
  ])("%s", async (_, of, meanwhile, says) => {
    expect(await judged(of, meanwhile)).toEqual(says);
  });
});

test("what was asked for without an answer is told from what is of another kind, or only changes", async () => {
  const work = create("folders", "Work", { name: "Work", description: "x" });
  const known = {
    asked: new Map([[0, ["name", "description"]]]),
    last: { channels: 5, groups: 19, folders: 2, linkifiers: 2, profile_fields: 4 },
    made: new Map([[1, 3]]),
  };
  const given = ({ folders }: State) => {
    folders.set(3, { ...folders.get(1)!, id: 3, name: "Play", description: "x", order: 3, creator_id: 8 });
  };
  const others = [create("groups", "crew", { description: "x" }), update("folders", 3, "Play", [])];
  expect(await judged([work, ...others], { given, known })).toEqual([
    'it may be called "Play" by now: its request got no answer, and that was made since; if it is the same, say "was: Play"',
    "it was created, then removed",
    "done",
  ]);
});

test("a value of a field that was made meanwhile is sent for that field, under its name", async () => {
  const field = create("profile_fields", "Phone", { name: "Phone", type: "short_text" });
  const of = { field: { new: "Phone" }, name: "Phone" };
  const value = update("people", 12, "otis@sandbox.example", [{ field: "profile", of, from: null, to: "x" }]);
  const snapshot = await snapshotIn(fresh({ level: 478 }));
  const none = { asked: new Map(), given: new Map(), gone: new Set<number>(), emptied: new Map() };
  const [, told] = judge(snapshot, [field, value], { ...none, made: new Map([[0, 1]]) });
  expect(told).toMatchObject({ left: { fields: [{ field: "profile", of: { field: 1, name: "Phone" }, to: "x" }] } });
});

describe("an invitation", () => {
  const invite: Difference = {
    section: "people",
    name: "new@x.example",
    action: "invite",
    to: { email: "New@x.example", role: "guest" },
  };
  const open = 'invite people New@x.example: {"email":"New@x.example","role":"guest"}';

  test.each<[what: string, says: string, given?: (state: State) => void]>([
    ["is open", open],
    ["is open where others are invited", open, invited("other@x.example")],
    ["is there already", "done", invited("NEW@x.example")],
    [
      "is open no more when they have joined",
      "it has joined meanwhile",
      ({ users }) => set(users.get(12)!, { delivery_email: "NEW@x.example" }),
    ],
  ])("%s", async (_, says, given) => {
    expect(await judged([invite], given && { given })).toEqual([says]);
  });
});

describe("what names a thing that will not be made", () => {
  const refused = create("groups", "crew", { description: "x" });
  const known = { made: new Map([[0, 99]]) };

  test.each<[what: string, difference: Difference, says?: string]>([
    ["in a permission", update("channels", 1, "design", [{ field: "can_send_message_group", to: groups(crew) }])],
    ["in a list", update("groups", 19, "makers", [{ field: "subgroups", from: [17, 18], to: [17, 18, crew] }])],
    ["in a new thing", create("groups", "inner", { description: "", subgroups: [crew] })],
    [
      "in an invitation",
      { section: "people", name: "n", action: "invite", to: { email: "n@x.example", groups: [crew] } },
    ],
  ])("%s is not touched either", async (_, difference) => {
    expect(await judged([refused, difference], { known })).toEqual([
      "it was created, then removed",
      "it names group crew, which no longer exists",
    ]);
  });

  test("and what names those in turn", async () => {
    const inner = create("groups", "inner", { description: "", subgroups: [crew] });
    const outer = create("groups", "outer", { description: "", subgroups: [{ new: "inner" }] });
    expect(await judged([refused, outer, inner], { known })).toEqual([
      "it was created, then removed",
      "it names group inner, which no longer exists",
      "it names group crew, which no longer exists",
    ]);
  });

  test("but what names it is, where another has made one of that name", async () => {
    const difference = update("channels", 1, "design", [
      { field: "can_send_message_group", from: groups(15), to: groups(crew) },
    ]);
    expect(await judged([refused, difference], { given: crewIsThere })).toEqual([
      "it was created by somebody else meanwhile",
      'update channels design (1); can_send_message_group: {"users":[],"groups":[15]} → {"users":[],"groups":[20]}',
    ]);
  });

  test("but what names something else is", async () => {
    const folder = create("channels", "deck", { name: "deck", folder: crew });
    const other = update("groups", 19, "makers", [{ field: "description", from: "", to: "crew" }]);
    const said = await judged([refused, folder, other], { known });
    expect(said[1]).toBe('create channels deck: {"name":"deck","folder":{"new":"crew"}}');
  });

  test("in a profile or an order", async () => {
    const field = create("profile_fields", "Team", { name: "Team", type: "short_text" });
    const value = update("people", 12, "Otis", [
      { field: "profile", of: { field: { new: "Team" }, name: "Team" }, from: null, to: "x" },
    ]);
    expect((await judged([field, value], { known }))[1]).toBe("it names profile field Team, which no longer exists");
    const made = create("linkifiers", "A", { pattern: "A" });
    const order: Difference = {
      section: "linkifiers",
      name: "linkifiers",
      action: "reorder",
      from: [1, 2, { new: "A" }],
      to: [{ new: "A" }, 1, 2],
    };
    expect((await judged([made, order], { known }))[1]).toBe("it names linkifier A, which no longer exists");
  });
});
