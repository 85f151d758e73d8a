/** Things that are looked at once more: those that are there, gone, put away, or called otherwise; removals and orders. */
import { describe, expect, test } from "vitest";
import type { Difference } from "../../src/organization/difference.ts";
import type { State } from "../../src/sandbox/index.ts";
import { create, group, judged, type Meanwhile, set, update } from "./looking.ts";

describe("a thing", () => {
  const folder = (id: number, name: string, action: "archive" | "unarchive") => update("folders", id, name, [], action);

  test.each<[what: string, difference: Difference, says: string, meanwhile?: Meanwhile]>([
    ["that is to be put away", folder(1, "Projects", "archive"), "archive folders Projects (1)"],
    ["that is archived already", folder(2, "Past", "archive"), "done"],
    ["that is to be brought back", folder(2, "Past", "unarchive"), "unarchive folders Past (2)"],
    ["that already exists", folder(1, "Projects", "unarchive"), "done"],
    [
      "that is archived already, and is to change besides",
      update("folders", 2, "Past", [{ field: "description", from: "Folders nobody needs", to: "x" }], "archive"),
      'update folders Past (2); description: "Folders nobody needs" → "x"',
    ],
    [
      "that changes, and stays where it is",
      update("folders", 2, "Past", [{ field: "description", from: "Folders nobody needs", to: "x" }]),
      'update folders Past (2); description: "Folders nobody needs" → "x"',
    ],
    [
      "a group that is to be put away",
      update("groups", 17, "designers", [], "deactivate"),
      "deactivate groups designers (17)",
    ],
    [
      "a group that is archived already",
      update("groups", 17, "designers", [], "deactivate"),
      "done",
      { given: (state) => set(group(state, "designers"), { deactivated: true }) },
    ],
    [
      "a group that is to be brought back",
      update("groups", 17, "designers", [], "reactivate"),
      "reactivate groups designers (17)",
      { given: (state) => set(group(state, "designers"), { deactivated: true }) },
    ],
    ["somebody who is gone already", update("people", 15, "Dora Departed", [], "deactivate"), "done"],
    [
      "somebody who is to come back",
      update("people", 15, "Dora Departed", [], "reactivate"),
      "reactivate people Dora Departed (15)",
    ],
    ["that is not there, and is to change", update("folders", 9, "Gone", []), "it no longer exists"],
    ["that is not there, and is to come back", folder(9, "Gone", "unarchive"), "it no longer exists"],
    ["that is not shown, and is to be put away", folder(9, "Gone", "archive"), "done"],
    ["a group that is not shown, and is to be put away", update("groups", 99, "gone", [], "deactivate"), "done"],
    [
      "that another has renamed",
      update("folders", 1, "Work", [{ field: "description", from: "What we are **making**", to: "x" }]),
      'it is now named "Projects"',
    ],
    [
      "that another has renamed, and that is to be put away",
      folder(1, "Work", "archive"),
      'it is now named "Projects"',
    ],
    ["whose name differs by case alone", folder(1, "PROJECTS", "archive"), "archive folders PROJECTS (1)"],
    [
      "that the plan renames",
      update("folders", 1, "Work", [{ field: "name", from: "Projects", to: "Work" }]),
      'update folders Work (1); name: "Projects" → "Work"',
    ],
    [
      "that the plan renames, and another has renamed",
      update("folders", 1, "Work", [{ field: "name", from: "Before", to: "Work" }]),
      'it now has another name: "Projects"',
    ],
    [
      "that the run has called otherwise for a while",
      update("folders", 1, "Work", [{ field: "name", from: "Before", to: "Work" }]),
      'update folders Work (1); name: "zulipctl renames 1" → "Work"',
      { given: ({ folders }) => set(folders.get(1)!, { name: "zulipctl renames 1" }) },
    ],
    [
      "that another run has called otherwise for a while",
      update("folders", 1, "Work", [{ field: "name", from: "Before", to: "Work" }]),
      'it now has another name: "zulipctl renames 2"',
      { given: ({ folders }) => set(folders.get(1)!, { name: "zulipctl renames 2" }) },
    ],
    [
      "with another attribute of that value",
      update("folders", 1, "Projects", [{ field: "description", from: "Before", to: "x" }]),
      'it now has another description: "zulipctl renames 1"',
      { given: ({ folders }) => set(folders.get(1)!, { description: "zulipctl renames 1" }) },
    ],
    [
      "somebody, whatever their name is by now",
      update("people", 11, "Someone", [{ field: "role", from: "member", to: "guest" }]),
      'update people Someone (11); role: "member" → "guest"',
    ],
  ])("%s", async (_, difference, says, meanwhile) => {
    expect(await judged([difference], meanwhile)).toEqual([says]);
  });

  const domains = (state: State) => void state.domains.push({ id: 1, domain: "a.example", allow_subdomains: false });

  test.each<[what: string, difference: Difference, says: string]>([
    [
      "changed",
      update("domains", undefined, "A.example", [{ field: "allow_subdomains", from: false, to: true }]),
      "update domains A.example (undefined); allow_subdomains: false → true",
    ],
    [
      "not there",
      update("domains", undefined, "b.example", [{ field: "allow_subdomains", from: false, to: true }]),
      "it no longer exists",
    ],
    [
      "removed",
      { section: "domains", name: "A.example", action: "remove", from: { allow_subdomains: false } },
      "remove domains A.example (undefined)",
    ],
    [
      "removed already",
      { section: "domains", name: "b.example", action: "remove", from: { allow_subdomains: false } },
      "done",
    ],
    [
      "removed, and another by now",
      { section: "domains", name: "a.example", action: "remove", from: { allow_subdomains: true } },
      "it now has another allow_subdomains",
    ],
    ["made already", create("domains", "a.example", { domain: "a.example", allow_subdomains: false }), "done"],
  ])("a domain, which is known by its name: %s", async (_, difference, says) => {
    expect(await judged([difference], { given: domains })).toEqual([says]);
  });

  const playground = (state: State, id: number, url: string) =>
    void state.playgrounds.push({
      id,
      name: "Try",
      pygments_language: "Rust",
      url_template: `https://${url}.example/{code}`,
    });
  const template = (url: string) => `https://${url}.example/{code}`;
  const anew: Difference = update("playgrounds", 1, "Try (Rust)", [
    { field: "name", from: "Try", to: "Try" },
    { field: "pygments_language", from: "Rust", to: "Rust" },
    { field: "url_template", from: template("a"), to: template("b") },
  ]);

  test.each<[what: string, says: string, meanwhile: Meanwhile]>([
    [
      "there",
      `update playgrounds Try (Rust) (1); url_template: "${template("a")}" → "${template("b")}"`,
      { given: (state) => playground(state, 1, "a") },
    ],
    ["made anew", "done", { given: (state) => playground(state, 2, "b") }],
    [
      "made anew, and another by now",
      `it now has another url_template: "${template("c")}"`,
      { given: (state) => playground(state, 2, "c") },
    ],
    ["gone", "it no longer exists", {}],
    [
      "removed by this run",
      'update playgrounds Try (Rust) (1); name: "Try" → "Try"; pygments_language: "Rust" → "Rust"; ' +
        `url_template: "${template("a")}" → "${template("b")}"`,
      { known: { gone: new Set([0]) } },
    ],
    [
      "with another of its name and another language",
      "it no longer exists",
      {
        given: ({ playgrounds }) =>
          void playgrounds.push({ id: 2, name: "Try", pygments_language: "C", url_template: template("b") }),
      },
    ],
  ])("a playground, which is changed by making it anew: %s", async (_, says, meanwhile) => {
    expect(await judged([anew], meanwhile)).toEqual([says]);
  });

  test("that is called by two attributes is never renamed", async () => {
    const one = update("playgrounds", 1, "Else", [{ field: "url_template", from: template("a"), to: template("b") }]);
    expect(await judged([one], { given: (state) => playground(state, 1, "a") })).toEqual([
      `update playgrounds Else (1); url_template: "${template("a")}" → "${template("b")}"`,
    ]);
  });
});

describe("a removal", () => {
  const remove = (id: number, from: object): Difference => ({
    section: "linkifiers",
    name: "#(?P<id>[0-9]+)",
    id,
    action: "remove",
    from: { ...from },
  });
  const here = { pattern: "#(?P<id>[0-9]+)", url_template: "https://tracker.example/issues/{id}" };

  test.each<[what: string, difference: Difference, says: string]>([
    ["of what is as it was", remove(1, here), "remove linkifiers #(?P<id>[0-9]+) (1)"],
    ["of what is gone", remove(9, here), "done"],
    ["of what is another", remove(1, { ...here, url_template: "x" }), "it now has another url_template"],
    [
      "of what has nothing there, as before",
      remove(1, { ...here, example_input: null }),
      "remove linkifiers #(?P<id>[0-9]+) (1)",
    ],
    [
      "of what has something there now",
      remove(1, { ...here, reverse_template: "x" }),
      "it now has another reverse_template",
    ],
  ])("%s", async (_, difference, says) => {
    expect(await judged([difference])).toEqual([says]);
  });
});

describe("an order", () => {
  const order = (from: unknown[], to: unknown[]): Difference => ({
    section: "linkifiers",
    name: "linkifiers",
    action: "reorder",
    from: from as number[],
    to: to as number[],
  });
  const added = { new: "A" };
  const made = create("linkifiers", "A", { pattern: "A", url_template: "x" });
  const gone: Difference = { section: "linkifiers", name: "x", id: 2, action: "remove", from: {} };
  const third = ({ linkifiers }: State) =>
    void linkifiers.push({ ...linkifiers[0]!, id: 3, pattern: "A", url_template: "x" });

  test.each<[what: string, differences: Difference[], says: string, given?: (state: State) => void]>([
    ["as it was", [order([1, 2], [2, 1])], "reorder linkifiers linkifiers: [1,2] → [2,1]"],
    ["as it is to be", [order([2, 1], [1, 2])], "done"],
    ["of more than there were", [order([1], [1])], "it now has other contents"],
    ["of fewer than there were", [order([1, 2, 3], [3, 2, 1])], "it now has other contents"],
    ["of others than there were", [order([1, 3], [3, 1])], "it now has other contents"],
    ["another", [order([3, 1, 2], [3, 2, 1])], "it changed meanwhile", third],
    [
      "as it was, beside something of another section that goes",
      [order([1, 2], [2, 1]), { ...gone, section: "profile_fields" }],
      "reorder linkifiers linkifiers: [1,2] → [2,1]",
    ],
    [
      "as it was, beside something that changes",
      [order([1, 2], [2, 1]), update("linkifiers", 2, "x", [])],
      "reorder linkifiers linkifiers: [1,2] → [2,1]",
    ],
    [
      "not that of ids",
      [order([2, 1], [1, 2])],
      "reorder linkifiers linkifiers: [2,1] → [1,2]",
      ({ linkifiers }) => void linkifiers.reverse(),
    ],
    ["as it was, beside something that goes", [order([1], [1]), gone], "done"],
    [
      "as it was, beside something that comes",
      [order([1, 2, added], [added, 2, 1]), made],
      'reorder linkifiers linkifiers: [1,2,{"new":"A"}] → [{"new":"A"},2,1]',
    ],
    [
      "as it was, when what comes is there",
      [order([1, 2, added], [added, 2, 1]), made],
      "reorder linkifiers linkifiers: [1,2,3] → [3,2,1]",
      third,
    ],
  ])("%s", async (_, differences, says, given) => {
    expect((await judged(differences, given && { given }))[0]).toBe(says);
  });
});
