import { describe, expect, test } from "vitest";
import { Usage } from "../../src/errors.ts";
import { upper } from "../../src/folding.ts";
import { NamedRecords } from "../../src/resolve/names.ts";

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
      live: ({ dead }) => !dead,
      remark: ({ dead }) => (dead ? "dead" : undefined),
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
  test("is compared without case", async () => {
    expect(await names([{ id: 1, name: "Größe" }]).id("GRÖSSE".replace("SS", "ß"), "--x")).toBe(1);
    expect(await names([{ id: 1, name: "General" }]).id("gENERAL", "--x")).toBe(1);
  });

  test("means the one spelled exactly so where several differ in case alone", async () => {
    const things = names([
      { id: 1, name: "Devs" },
      { id: 2, name: "devs" },
    ]);
    expect(await things.id("devs", "--x")).toBe(2);
    expect(await refusal(() => things.id("DEVS", "--x"))).toEqual({
      message: '--x: "DEVS" matches several things: Devs (1), devs (2)',
      hint: "Pass the id of the one you mean.",
      more: {
        candidates: [
          { id: 1, name: "Devs" },
          { id: 2, name: "devs" },
        ],
      },
    });
  });

  test("means a live thing before a dead one, and a dead one where no live one has it", async () => {
    const things = names([
      { id: 1, name: "devs", dead: true },
      { id: 2, name: "devs" },
      { id: 3, name: "ops", dead: true },
    ]);
    expect(await things.id("devs", "--x")).toBe(2);
    expect(await things.id("DEVS", "--x")).toBe(2);
    expect(await things.id("OPS", "--x")).toBe(3);
  });

  test("means what is spelled exactly so, dead or not, where case matters, and says which was taken otherwise", async () => {
    const things = [
      { id: 1, name: "EV-G1", dead: true },
      { id: 2, name: "ev-g1" },
    ];
    const notes: string[] = [];
    const note = async (line: string) => void notes.push(line);
    expect(await names(things).id("EV-G1", "--x", { note })).toBe(2);
    expect(notes.splice(0)).toEqual(['zulipctl: --x: "EV-G1" is taken as thing ev-g1 (2), not EV-G1 (1, dead)']);
    const apart = names(things, upper, true);
    expect(await apart.id("EV-G1", "--x", { note })).toBe(1);
    expect(await apart.id("ev-g1", "--x", { note })).toBe(2);
    expect(notes).toEqual([]);
    expect(await apart.id("Ev-g1", "--x", { note })).toBe(2);
    expect(notes).toEqual(['zulipctl: --x: "Ev-g1" is taken as thing ev-g1 (2), not EV-G1 (1, dead)']);
  });

  test("to be brought back means a dead thing first", async () => {
    const things = names([
      { id: 1, name: "d" },
      { id: 2, name: "D", dead: true },
      { id: 3, name: "e", dead: true },
      { id: 4, name: "E", dead: true },
      { id: 5, name: "f" },
    ]);
    const restores = true;
    expect(await things.id("D", "--x", { restores })).toBe(2);
    expect(await things.id("d", "--x", { restores })).toBe(2);
    expect(await things.id("E", "--x", { restores })).toBe(4);
    expect(await things.id("f", "--x", { restores })).toBe(5);
    const twice = names([
      { id: 1, name: "d", dead: true },
      { id: 2, name: "d" },
      { id: 3, name: "d", dead: true },
    ]);
    expect((await refusal(() => twice.id("d", "--x", { restores }))).message).toBe(
      '--x: "d" matches several things: d (1, dead), d (3, dead)',
    );
  });

  test("that several dead things have is no one's", async () => {
    const things = names([
      { id: 3, name: "ops", dead: true },
      { id: 4, name: "ops", dead: true },
    ]);
    expect((await refusal(() => things.id("ops", "--x"))).message).toBe(
      '--x: "ops" matches several things: ops (3, dead), ops (4, dead)',
    );
  });

  test("may be exact", async () => {
    const people = names([{ id: 1, name: "Ada Lovelace" }], String);
    expect(await people.id("Ada Lovelace", "--x")).toBe(1);
    expect((await refusal(() => people.id("ada lovelace", "--x"))).hint).toBe("Did you mean: Ada Lovelace (1)?");
  });
});

describe("a name that nothing has", () => {
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

  test("among more than ten is told where to see them all", async () => {
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
