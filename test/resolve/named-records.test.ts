import { describe, expect, test } from "vitest";
import { upper } from "../../src/common/folding.ts";
import { Usage } from "../../src/errors.ts";
import { NamedRecords } from "../../src/resolve/named-records.ts";

interface Thing {
  id: number;
  name: string;
  dead?: boolean;
}

const names = (things: Thing[], fold = upper, caseMatters = false) =>
  new NamedRecords<Thing>(
    {
      noun: "thing",
      list: "zulipctl thing list",
      id: ({ id }) => id,
      name: ({ name }) => name,
      state: ({ dead }) => dead && "dead",
      fold,
      caseMatters,
    },
    things,
  );

async function refusal(work: () => Promise<unknown>) {
  try {
    await work();
  } catch (error) {
    if (error instanceof Usage) return { message: error.message, ...error.details };
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("a name", () => {
  const things: Thing[] = [
    { id: 1, name: "Devs" },
    { id: 2, name: "devs" },
    { id: 3, name: "ops", dead: true },
    { id: 4, name: "Web", dead: true },
    { id: 5, name: "web" },
    { id: 6, name: "old", dead: true },
    { id: 7, name: "old", dead: true },
    { id: 8, name: "old" },
    { id: 9, name: "Größe" },
  ];
  const otherwise = 'zulipctl: --x: "Web" is taken as thing web (5), not Web (4, dead)';

  test.each<[string, { restores?: true; caseMatters?: true }, number | string, string?]>([
    ["GRÖßE", {}, 9],
    ["devs", {}, 2],
    ["DEVS", {}, '--x: "DEVS" matches several things: Devs (1), devs (2)'],
    // A dead thing is found only if no live one has the name.
    ["OPS", {}, 3],
    ["web", {}, 5],
    ["Web", {}, 5, otherwise],
    ["Web", { caseMatters: true }, 4],
    ["WEB", { caseMatters: true }, 5, otherwise.replace('"Web"', '"WEB"')],
    ["old", {}, 8],
    // Restoring prefers dead things.
    ["web", { restores: true }, 4],
    ["Devs", { restores: true }, 1],
    ["old", { restores: true }, '--x: "old" matches several things: old (6, dead), old (7, dead)'],
  ])("%s with %j", async (name, { caseMatters = false, ...search }, expected, said) => {
    const notes: string[] = [];
    const note = async (line: string) => void notes.push(line);
    const find = () => names(things, upper, caseMatters).id(name, "--x", { ...search, note });
    if (typeof expected === "number") expect(await find()).toBe(expected);
    else expect(await refusal(find)).toMatchObject({ message: expected, hint: "Pass the id of the one you mean." });
    if (!search.restores) expect(notes).toEqual(said === undefined ? [] : [said]);
  });

  test("can be case-sensitive", async () => {
    const people = names([{ id: 1, name: "Ada Lovelace" }], String);
    expect(await people.id("Ada Lovelace", "--x")).toBe(1);
    expect((await refusal(() => people.id("ada lovelace", "--x"))).hint).toBe("Did you mean: Ada Lovelace (1)?");
  });
});

describe("an unknown name", () => {
  const things = names([
    { id: 1, name: "general" },
    { id: 2, name: "role:moderators" },
    { id: 3, name: "design", dead: true },
  ]);

  test.each([
    ["genral", "Did you mean: general (1)?"],
    ["moderators", "Did you mean: role:moderators (2)?"],
    ["Desing", "Did you mean: design (3, dead)?"],
    ["nothing at all", "Available: general (1), role:moderators (2), design (3, dead)."],
  ])("%s", async (name, hint) => {
    const { message, ...details } = await refusal(() => things.id(name, "--x"));
    expect(message).toBe(`--x: thing "${name}" not found, or not visible to this account`);
    expect(details.hint).toBe(hint);
  });

  test("among more than ten names has a hint with the list command", async () => {
    const many = names(Array.from({ length: 11 }, (_, n) => ({ id: n + 1, name: `thing ${n}` })));
    expect((await refusal(() => many.id("nowhere", "--x"))).hint).toBe("List them with: zulipctl thing list");
  });

  test("lists ten candidates and counts the others", async () => {
    const many = names(Array.from({ length: 13 }, (_, n) => ({ id: n + 1, name: "same", dead: true })));
    const { message, more } = await refusal(() => many.id("same", "--x"));
    expect(message).toContain("same (10, dead) and 3 others");
    expect(more?.candidates).toHaveLength(10);
  });
});
