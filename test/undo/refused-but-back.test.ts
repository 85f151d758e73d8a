/** Requests of an undo that the server refuses because somebody else has made the same change. */
import { expect, test } from "vitest";
import { organization } from "./organization.ts";

const offboarded = async () => {
  const { batch, run, state } = organization();
  await run("users offboard cora@sandbox.example --to otis@sandbox.example");
  const designers = [...state.groups.values()].find(({ name }) => name === "designers");
  const cora = [...state.users.values()].find(({ delivery_email }) => delivery_email === "cora@sandbox.example");
  if (!designers || !cora || designers.members.has(cora.user_id)) throw new Error("she is a member");
  // Lists do not show deactivated people, so the plan of the undo adds her.
  designers.members.add(cora.user_id);
  return { batch, run, state, isBack: () => cora.is_active && designers.members.has(cora.user_id) };
};

const refusal = "designers: User 11 is already a member of this group";

test("undo ends with 0 if all is back that the server refused", async () => {
  const { run, isBack } = await offboarded();
  const { code, err } = await run("undo 20260115-1");
  expect([code, isBack()], err).toEqual([0, true]);
  expect(err).toContain(
    `zulipctl: 1 of 2 not done (1 refused): ${refusal}. Verified: everything that could go back is back`,
  );
});

test("undo ends with 5 if the server refused a change, and something else is left alone", async () => {
  const { run, state, isBack } = await offboarded();
  await run("channel update design --description x");
  for (const channel of state.channels.values()) if (channel.name === "design") channel.description = "theirs";
  const { code, err } = await run("undo 20260115-1 20260115-2");
  expect([code, isBack(), err.includes(refusal)], err).toEqual([5, true, true]);
});

test("undo ends with 0 if all is back that the server refused, and it deactivates somebody else", async () => {
  const { batch, run, state, isBack } = await offboarded();
  for (const user of state.users.values()) user.can_create_users = true;
  const created = await batch("users create --email new@x.example --full-name New --random-password");
  expect(created.code, created.err).toBe(0);
  const { code, err } = await run("undo 20260115-1 20260115-2");
  expect([code, isBack()], err).toEqual([0, true]);
});

test("undo ends with 5 if the server refused to take somebody out of a list whom it deactivated then", async () => {
  const { run, lose } = organization();
  await run("users offboard cora@sandbox.example --to otis@sandbox.example");
  await run("undo 20260115-1");
  lose("refusal");
  const { code, err } = await run("undo 20260115-2");
  expect(code, err).toBe(5);
  expect(err).toContain("1 of 2 not done (1 refused): designers: No");
});
