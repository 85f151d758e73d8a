/** Runs that are taken back once more after their undo was taken back. */
import { expect, test } from "vitest";
import { organization } from "./organization.ts";

const first = "20260115-1";
const create = "profile-field create Desk --type short_text";

test("undo calls what an undo removed back, although the undo of that undo could not make it again", async () => {
  const { batch, run, state } = organization();
  await batch(create, "channel update design --description x");
  expect(await run(`undo ${first}`)).toMatchObject({ code: 0 });
  expect(await run("undo 20260115-2")).toMatchObject({ code: 5 });
  const { code, err } = await run(`undo ${first}`);
  expect([code, err.includes("Desk")], err).toEqual([0, false]);
  expect(state.profile_fields.some(({ name }) => name === "Desk")).toBe(false);
});

test("undo tells of what somebody else removed", async () => {
  const { batch, run, elsewhere } = organization();
  await batch(create, "channel update design --description x");
  await elsewhere("profile-field rm Desk");
  const { code, err } = await run(`undo ${first}`);
  expect([code, err.includes("profile field Desk: conflict: it is gone, or not visible")], err).toEqual([6, true]);
});

test("undo of an order ignores a linkifier that was added again and removed since", async () => {
  const { run, state } = organization();
  await run("linkifier add C-(?P<id>[0-9]+) https://c.example/{id}");
  const patterns = () => state.linkifiers.map(({ pattern }) => pattern);
  const [a = "", b = ""] = patterns();
  await run("linkifier rm 3");
  await run("linkifier reorder 2 1");
  expect(patterns()).toEqual([b, a]);
  expect(await run("undo 20260115-2")).toMatchObject({ code: 6 });
  expect(await run("undo 20260115-4")).toMatchObject({ code: 0 });
  const { code, err } = await run("undo 20260115-3");
  expect([code, patterns()], err).toEqual([0, [a, b]]);
});

test("undo leaves a domain alone that somebody else added between its undo and the undo of that", async () => {
  const { batch, run, elsewhere, state } = organization();
  await batch("domain add one.example", "channel update design --description x");
  expect(await run(`undo ${first}`)).toMatchObject({ code: 0 });
  await elsewhere("domain add one.example");
  await run("undo 20260115-2");
  const { code, err } = await run(`undo ${first}`);
  expect(err).toContain("domain one.example: conflict: it was taken back already, and added since");
  expect([code, state.domains.map(({ domain }) => domain)], err).toEqual([6, ["one.example"]]);
});

const made: readonly [thing: string, creation: string, again: readonly string[]][] = [
  ["a draft", "drafts add --content x", []],
  ["a folder", "folder create Work", []],
  ["a group", "group create team --description x", []],
  ["an emoji", "emoji add party party.png", []],
  ["a domain", "domain add one.example", []],
  ["an invitation", "invite add one@x.example --channel general", []],
  [
    "an invitation, although another one is open",
    "invite add one@x.example --channel general",
    ["invite add one@x.example --channel general"],
  ],
  ["a link, although there is another one", "invite link --channel general", ["invite link --channel general"]],
];

test.each(made)("undo calls %s back that an undo without an answer took away", async (_, creation, again) => {
  const { run, lose, elsewhere } = organization();
  expect(await run(creation)).toMatchObject({ code: 0 });
  lose("answer");
  expect(await run("undo")).toMatchObject({ code: 7 });
  for (const line of again) await elsewhere(line);
  const { code, err } = await run("undo");
  expect([code, err.includes("is back")], err).toEqual([0, true]);
});
