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
