/** What runs changed and set back themselves, and somebody else has changed since. */
import { expect, test } from "vitest";
import { organization } from "./organization.ts";

const first = "20260115-1";
const isBack = /zulipctl: nothing to undo: everything that runs? .* changed is back/;

const cases: readonly [name: string, change: string, back: string, since: string, says: string][] = [
  [
    "an account",
    "users reactivate dora@sandbox.example",
    "users deactivate dora@sandbox.example",
    "users reactivate dora@sandbox.example",
    "is_active was changed since",
  ],
  [
    "a value",
    "channel update general --topics-policy disable_empty_topic",
    "channel update general --topics-policy inherit",
    "channel update general --topics-policy disable_empty_topic",
    "topics_policy was changed since",
  ],
  [
    "a member",
    "group members designers --add mona@sandbox.example",
    "group members designers --delete mona@sandbox.example",
    "group members designers --add mona@sandbox.example",
    "Mona Moderator was added again since",
  ],
];

test.each(cases)(
  "undo of runs that set back %s says that it was changed since",
  async (_, change, back, since, says) => {
    const { run, elsewhere } = organization();
    for (const line of [change, back]) expect(await run(line)).toMatchObject({ code: 0 });
    const undo = `undo ${first} 20260115-2`;
    const before = await run(undo);
    expect(before.code, before.err).toBe(0);
    expect(before.err).toMatch(isBack);
    await elsewhere(since);
    const { code, err } = await run(undo);
    expect([code, err.includes(says)], err).toEqual([6, true]);
  },
);

test("undo of a run that added a domain, and one that replaced it by the same, removes it", async () => {
  const { batch, run, state } = organization();
  await run("domain add a.example");
  expect(await batch("domain rm a.example", "domain add a.example")).toMatchObject({ code: 0 });
  const { code, err } = await run(`undo ${first} 20260115-2`);
  expect([code, state.domains], err).toEqual([0, []]);
});

test("undo of two runs that replaced a domain removes it once", async () => {
  const { batch, run, state } = organization();
  await run("domain add a.example --allow-subdomains");
  const replaced = ["domain rm a.example", "domain add a.example --no-allow-subdomains"];
  for (let runs = 0; runs < 2; runs++) expect(await batch(...replaced)).toMatchObject({ code: 0 });
  const { code, err } = await run("undo 20260115-2 20260115-3");
  expect([code, state.domains.map((domain) => domain.allow_subdomains)], err).toEqual([0, [true]]);
  expect(err).toContain("2 of 2 changes done");
});

test("undo of runs that moved messages there and back says that they were moved on since", async () => {
  const { run, elsewhere } = organization();
  await run("topic rename design logo other");
  await run("topic rename design other logo");
  await elsewhere("topic rename design logo third");
  const { code, err } = await run(`undo ${first} 20260115-2`);
  expect([code, err.includes("topic logo: conflict: 2 messages of it: gone, or in another topic now")], err).toEqual([
    6,
    true,
  ]);
});

test("undo of runs that moved messages there and back leaves the notice of the first move where it is", async () => {
  const { run, state } = organization();
  await run("topic rename design logo other");
  await run("topic rename design other logo");
  const { code, err } = await run(`undo ${first} 20260115-2`);
  expect(code, err).toBe(0);
  expect(err).toMatch(isBack);
  expect([...state.messages.values()].filter(({ topic }) => topic === "other")).toEqual([]);
});

test("undo of the second move takes the notice of the first one along", async () => {
  const { run, state } = organization();
  await run("topic rename design logo other");
  await run("topic rename design other logo");
  const { code, err } = await run("undo 20260115-2");
  expect(code, err).toBe(0);
  const there = [...state.messages.values()].filter(({ topic }) => topic === "other");
  expect(there.length, err).toBeGreaterThan(2);
});

test("undo of a batch that set a value back names the run that changed it since", async () => {
  const { batch, run, channel } = organization();
  const before = channel("design")?.description;
  await batch("channel update design --description x", `channel update design --description '${before}'`);
  await run("channel update design --description y");
  const { code, err } = await run(`undo ${first}`);
  expect([code, channel("design")?.description], err).toEqual([6, "y"]);
  expect(err).toContain("channel design: conflict: description was changed by run 20260115-2 since");
});

test("undo ignores a value that a run set although it was there already", async () => {
  const { run, elsewhere, channel } = organization();
  await run(`channel update general --topics-policy inherit`);
  await elsewhere("channel update general --topics-policy disable_empty_topic");
  const { code, err } = await run(`undo ${first}`);
  expect([code, channel("general")?.topics_policy], err).toEqual([0, "disable_empty_topic"]);
});
