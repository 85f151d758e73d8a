/** Undo of a job once more after an undo of it that failed. */
import { expect, test } from "vitest";
import { organization } from "./organization.ts";

test.each([
  ["whose request was lost", "request", 7],
  ["whose answer was lost", "answer", 7],
  ["that the server refused", "refusal", 5],
] as const)("undo --job completes an undo with a change %s", async (_, fault, failed) => {
  const { run, lose, channel } = organization();
  const described = () => ["design", "general"].map((called) => channel(called)?.description);
  const before = described();
  await run("channel update design --description x --job nightly");
  await run("channel update general --description y --job nightly");
  lose(fault);
  expect(await run("undo --job nightly")).toMatchObject({ code: failed });
  const { code, err } = await run("undo --job nightly");
  expect([code, described()], err).toEqual([0, before]);
  expect(err).not.toMatch(/taken back already|no run that changed something/);
});

test("undo --job names the conflicts again that an undo of it left, until somebody has resolved them", async () => {
  const { run, elsewhere, channel } = organization();
  const before = channel("design")?.description;
  await run("channel update design --description x --job nightly");
  await run("channel update general --description y --job nightly");
  await elsewhere("channel update design --description z");
  const conflict = "channel design: conflict: description was changed since";
  expect(await run("undo --job nightly")).toMatchObject({ code: 6, err: expect.stringContaining(conflict) });
  const { code, err } = await run("undo --job nightly");
  expect([code, err]).toEqual([6, expect.stringContaining(conflict)]);
  expect(err).not.toContain("general");
  await elsewhere("channel update design --description x");
  expect(await run("undo --job nightly")).toMatchObject({ code: 0 });
  expect(channel("design")?.description).toBe(before);
  expect(await run("undo --job nightly")).toMatchObject({
    code: 0,
    err: expect.stringContaining("job nightly was taken back already"),
  });
});
