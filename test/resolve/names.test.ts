import { describe, expect, test } from "vitest";
import { Usage } from "../../src/errors.ts";
import { NamedRecords } from "../../src/resolve/names.ts";

interface Thing {
  id: number;
  name: string;
  dead?: boolean;
}

const names = (things: Thing[], exact = false) =>
  new NamedRecords<Thing>(
    {
      noun: "thing",
      list: "zulipctl thing list",
      id: ({ id }) => id,
      name: ({ name }) => name,
      live: ({ dead }) => !dead,
      remark: ({ dead }) => (dead ? "dead" : undefined),
      exact,
    },
    things,
  );

function refusal(work: () => unknown) {
  try {
    work();
  } catch (error) {
    if (error instanceof Usage) return { message: error.message, ...error.details };
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("a name", () => {
  test("is compared without case", () => {
    expect(names([{ id: 1, name: "Größe" }]).id("GRÖSSE".replace("SS", "ß"), "--x")).toBe(1);
    expect(names([{ id: 1, name: "General" }]).id("gENERAL", "--x")).toBe(1);
  });

  test("means the one spelled exactly so where several differ in case alone", () => {
    const things = names([
      { id: 1, name: "Devs" },
      { id: 2, name: "devs" },
    ]);
    expect(things.id("devs", "--x")).toBe(2);
    expect(refusal(() => things.id("DEVS", "--x"))).toEqual({
      message: '--x: "DEVS" may be any of several things: Devs (1), devs (2)',
      hint: "Give the id of the one you mean.",
      more: {
        candidates: [
          { id: 1, name: "Devs" },
          { id: 2, name: "devs" },
        ],
      },
    });
  });

  test("means a live thing before a dead one, and a dead one where no live one has it", () => {
    const things = names([
      { id: 1, name: "devs", dead: true },
      { id: 2, name: "Devs" },
      { id: 3, name: "ops", dead: true },
    ]);
    expect(things.id("devs", "--x")).toBe(2);
    expect(things.id("OPS", "--x")).toBe(3);
  });

  test("that several dead things have is no one's", () => {
    const things = names([
      { id: 3, name: "ops", dead: true },
      { id: 4, name: "ops", dead: true },
    ]);
    expect(refusal(() => things.id("ops", "--x")).message).toBe(
      '--x: "ops" may be any of several things: ops (3, dead), ops (4, dead)',
    );
  });

  test("may be exact", () => {
    const people = names([{ id: 1, name: "Ada Lovelace" }], true);
    expect(people.id("Ada Lovelace", "--x")).toBe(1);
    expect(refusal(() => people.id("ada lovelace", "--x")).hint).toBe("Near matches: Ada Lovelace (1).");
  });
});

describe("a name that nothing has", () => {
  const things = names([
    { id: 1, name: "general" },
    { id: 2, name: "role:moderators" },
    { id: 3, name: "design", dead: true },
  ]);

  test.each([
    ["genral", "Near matches: general (1)."],
    ["moderators", "Near matches: role:moderators (2)."],
    ["Desing", "Near matches: design (3, dead)."],
    ["nothing at all", "There are: general (1), role:moderators (2), design (3, dead)."],
  ])("%s", (name, hint) => {
    const { message, ...details } = refusal(() => things.id(name, "--x"));
    expect(message).toBe(`--x: there is no thing "${name}" that this account can see`);
    expect(details.hint).toBe(hint);
  });

  test("among more than ten is told where to see them all", () => {
    const many = names(Array.from({ length: 11 }, (_, n) => ({ id: n + 1, name: `thing ${n}` })));
    expect(refusal(() => many.id("nowhere", "--x")).hint).toBe("See what there is: zulipctl thing list");
  });

  test("lists ten candidates and counts the others", () => {
    const many = names(Array.from({ length: 13 }, (_, n) => ({ id: n + 1, name: "same", dead: true })));
    const { message, more } = refusal(() => many.id("same", "--x"));
    expect(message).toContain("same (10, dead) and 3 others");
    expect(more?.candidates).toHaveLength(10);
  });
});
