/** What the plan of an undo says is destructive, and what cannot be undone. */
import { expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { credentials, fresh } from "../run.ts";
import { testWorld } from "../world.ts";

/** Runs commands, the last of which is `undo`. Returns what that prints on stderr. */
async function undone(...commands: string[]): Promise<string> {
  const sandbox = fresh();
  const world = testWorld({ http: sandbox.handle, env: credentials(sandbox) });
  for (const command of commands)
    expect(await main([...command.split(" "), "--yes"], world), world.stderr.text).toBe(0);
  const before = world.stderr.text.length;
  await main(["undo"], world);
  return world.stderr.text.slice(before);
}

test("the values of a profile field are deleted", async () => {
  const err = await undone("profile-field create Nick --type short_text");
  expect(err).toContain(
    "\n- profile field Nick: removed\n  !! deletes everybody's values of it, and cannot be undone again\n",
  );
  expect(err).toContain("Undo 1 change (1 destructive, 1 irreversible) of run 20260115-1 on chat.example?");
});

test("an old value opens a channel, and another one deletes messages", async () => {
  const err = await undone(
    "channel update design --message-retention-days 30",
    "channel update design --private --message-retention-days unlimited",
  );
  expect(err).toContain("    message_retention_days: unlimited → 30 days\n");
  expect(err).toContain("\n  !! deletes messages after 30 days\n  ! makes it public: everyone can read it\n");
  expect(err).toContain(
    "(1 destructive, 1 irreversible) of run 20260115-2 on chat.example? channel design: deletes messages",
  );
});

test.each([
  ["unlimited", true],
  ["5", false],
])("a channel with a retention of %s gets back the organization's of 10 days", async (retention, deletes) => {
  const err = await undone(
    "settings update message_retention_days=10",
    `channel update design --message-retention-days ${retention}`,
  );
  expect(err.includes("\n  !! deletes messages after 10 days\n")).toBe(deletes);
  expect(err.includes("irreversible")).toBe(deletes);
});

test("what can be undone again has the other mark", async () => {
  const err = await undone("channel create sketches");
  expect(err).toContain("\n- channel sketches: archived\n  ! takes the channel from its subscribers\n");
  expect(err).toContain("Undo 1 change (1 destructive) of run");
});
