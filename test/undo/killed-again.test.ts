/** Undo once more of a run that was killed while it sent a change. */
import { expect, test } from "vitest";
import { organization } from "./organization.ts";

test("undo leaves what an undo of a killed run took back, and somebody else set again", async () => {
  const { run, elsewhere, channel, logs } = organization();
  const before = channel("design")?.description;
  await run("channel update design --description x");
  // It was killed before it could write the log.
  logs.delete("/state/log.ndjson");
  const runs = logs.get("/state/runs.ndjson") ?? "";
  logs.set("/state/runs.ndjson", runs.replace(/^.*"ended".*\n/m, ""));
  expect(await run("undo 20260115-1")).toMatchObject({ code: 0 });
  expect(channel("design")?.description).toBe(before);
  await elsewhere("channel update design --description x");
  const { code, err } = await run("undo 20260115-1");
  expect([code, channel("design")?.description], err).toEqual([6, "x"]);
  expect(err).toContain("description was taken back already, and changed since");
});
