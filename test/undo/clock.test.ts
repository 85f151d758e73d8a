/** Undo of a run when the clock went back after it. */
import { expect, test } from "vitest";
import { organization } from "./organization.ts";

test("undo finds a run in the log although the clock went back three days after it", async () => {
  const { run, channel, logs } = organization();
  const before = channel("design")?.description;
  await run("channel update design --description x");
  await run("channel update general --description y");
  const path = "/state/log.ndjson";
  const [own = "", later = ""] = (logs.get(path) ?? "").split("\n");
  logs.set(path, `${own}\n${later.replace('"time":"2026-01-15', '"time":"2026-01-12')}\n`);
  const { code, err } = await run("undo 20260115-1");
  expect([code, channel("design")?.description], err).toEqual([0, before]);
});
