/** Channels that were archived before the run archived them. */
import { expect, test } from "vitest";
import { organization } from "./organization.ts";

const first = "20260115-1";

test("undo archives a channel that was archived before, although the run archived it without an answer", async () => {
  const { batch, lose, run, channel } = organization();
  expect(channel("attic")).toMatchObject({ is_archived: true });
  lose("request");
  await batch("channel archive attic", "channel unarchive attic");
  expect(channel("attic")).toMatchObject({ is_archived: false });
  const { code, err } = await run(`undo ${first}`);
  expect([code, channel("attic")?.is_archived], err).toEqual([0, true]);
  expect(err).toContain("- channel attic: archived");
});

test("undo does not unarchive a channel that was archived before", async () => {
  const { run, channel } = organization();
  await run("channel archive attic");
  const { code, err } = await run(`undo ${first}`);
  expect([code, channel("attic")?.is_archived], err).toEqual([0, true]);
});

test.each(["design", "1"])("the log has that channel %s was not archived", async (named) => {
  const { run, logs } = organization();
  await run(`channel archive ${named}`);
  expect(JSON.parse(logs.get("/state/log.ndjson") ?? "")).toMatchObject({
    from: { is_archived: false, is_default_stream: false },
  });
});
