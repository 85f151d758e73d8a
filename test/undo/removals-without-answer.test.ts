/** Removals that had no answer: what is there tells whether they happened. */
import { describe, expect, test } from "vitest";
import { organization } from "./organization.ts";

const things = [
  ["linkifier", "", "linkifier rm 1"],
  ["playground", "playground add rust Play https://p.example/{code}", "playground rm 1"],
  ["domain", "domain add one.example", "domain rm one.example"],
  ["draft", "drafts add --channel general --topic x --content hello", "drafts rm 1"],
] as const;

describe.each(things)("undo of a removal without an answer: %s", (kind, before, removal) => {
  const there = (state: ReturnType<typeof organization>["state"]) =>
    state.linkifiers.length + state.playgrounds.length + state.domains.length + state.drafts.size;

  test.each(["request", "answer"] as const)("its %s was lost", async (lost) => {
    const { state, run, lose } = organization();
    if (before) await run(before);
    const count = there(state);
    lose(lost);
    expect((await run(removal)).code).toBe(7);
    expect(there(state)).toBe(lost === "answer" ? count - 1 : count);
    const { code, err } = await run("undo");
    expect([code, there(state)], err).toEqual([0, count]);
    if (lost === "answer") expect(err).toContain(`+ ${kind} `);
    if (lost === "answer") expect(err).toContain("the run ended without an answer to this");
    else expect(err).toContain("nothing to undo");
  });
});

test.each([
  ["draft", "drafts add --content hello", "drafts edit 1 --content other", "drafts rm 1"],
  ["linkifier", "", "linkifier update 1 --pattern X(?P<id>[0-9]+)", "linkifier rm 1"],
])("undo adds no second %s if a removal without an answer did not happen", async (_, before, change, removal) => {
  const { state, run, lose } = organization();
  if (before) await run(before);
  const count = state.linkifiers.length + state.drafts.size;
  const changed = await run(change);
  expect(changed.code, changed.err).toBe(0);
  lose("request");
  expect((await run(removal)).code).toBe(7);
  const last = before ? 3 : 2;
  const { code, err } = await run(`undo 20260115-${last - 1} 20260115-${last}`);
  expect([code, state.linkifiers.length + state.drafts.size], err).toEqual([1, count]);
  expect(err).toContain("it was not removed, and what was changed before is still so");
});
