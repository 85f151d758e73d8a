/** Topics by age, and the batch that reads them. */
import { expect, test } from "vitest";
import { batch } from "../batch/rows.ts";
import { credentials, fresh, zulipctl } from "../run.ts";

test("topic list has channel, topic and the time of the newest message", async () => {
  const { out, sent } = await zulipctl(["topic", "list", "general", "design", "-o", "ndjson"]);
  const records = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(Object.keys(records[0])).toEqual(["channel", "topic", "last_message", "name", "max_id"]);
  expect(new Set(records.map(({ channel }) => channel))).toEqual(new Set(["general", "design"]));
  for (const { last_message } of records) expect(last_message).toMatch(/^\d{4}-.*Z$/);
  // One read of names, one for each channel, and one of messages.
  expect(sent).toHaveLength(4);
});

test("has the time of topics in channels that the account is not subscribed to", async () => {
  const sandbox = fresh();
  const as = (email: string) => ({ sandbox, env: credentials(sandbox, email) });
  await zulipctl(["channel", "create", "lab", "--subscribe", "otis@sandbox.example"], as("otis@sandbox.example"));
  await zulipctl(
    ["messages", "send", "--channel", "lab", "--topic", "t", "--content", "x"],
    as("otis@sandbox.example"),
  );
  const { out, err } = await zulipctl(["topic", "list", "lab", "--jq", ".[].last_message"], { sandbox });
  expect(out, err).toMatch(/^\d{4}-.*Z\n$/);
});

test("filters by age and state, over all channels, and feeds a batch", async () => {
  const sandbox = fresh();
  const day = 24 * 3600 * 1000;
  for (const message of sandbox.state.messages.values()) message.date_sent -= (message.id < 5 ? 200 : 1) * day;
  const list = ["topic", "list", "--all-channels", "--unresolved", "--inactive-for", "180d", "-o", "csv"];
  const { out } = await zulipctl(list, { sandbox });
  expect(out.split("\r\n")[0]).toBe("channel,topic,last_message,name,max_id");
  const count = out.trim().split("\r\n").length - 1;
  expect(count).toBeGreaterThan(0);
  const files = new Map([["old.csv", out]]);
  const run = await batch(["old.csv", "--", "topic", "resolve", "{channel}", "{topic}"], { sandbox, files });
  expect(run.outcomes).toEqual(Array.from({ length: count }, (_, n) => `${n + 1} done`));
  expect(
    (await zulipctl(["topic", "list", "--all-channels", "--resolved", "-o", "ids"], { sandbox })).out
      .trim()
      .split("\n"),
  ).toHaveLength(count + 1);
  expect(await zulipctl(["topic", "list"])).toMatchObject({ code: 2 });
});
