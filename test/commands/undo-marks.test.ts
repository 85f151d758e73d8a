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
  expect(err).toContain("\n- profile field Nick: removed\n  !! deletes everybody's values of it\n");
  expect(err).toContain("Undo 1 change (1 destructive, 1 irreversible) of run 20260115-1 on chat.example?");
});

test("an old value opens a channel, and another one deletes messages", async () => {
  const err = await undone(
    "channel update design --message-retention-days 30",
    "channel update design --private --message-retention-days unlimited",
  );
  expect(err).toContain("    message_retention_days: unlimited → 30 days\n");
  expect(err).toContain(
    "\n  !! deletes messages older than 30 days\n  ! opens it to everybody but guests: its whole history, 2 people more\n",
  );
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
  expect(err.includes("\n  !! deletes messages older than 10 days\n")).toBe(deletes);
  expect(err.includes("irreversible")).toBe(deletes);
});

test("what can be undone again has the other mark", async () => {
  const err = await undone("channel create sketches");
  expect(err).toContain("\n- channel sketches: archived\n  ! takes access from its subscribers\n");
  expect(err).toContain("Undo 1 change (1 destructive) of run");
});

test("a permission goes back to everyone, and is taken from others", async () => {
  const err = await undone(
    "settings update can_mention_many_users_group=role:everyone can_invite_users_group=role:administrators",
    "settings update can_mention_many_users_group=role:administrators can_invite_users_group=role:members",
  );
  expect(err).toContain(`
~ settings
    can_invite_users_group: role:members → role:administrators
    can_mention_many_users_group: role:administrators → role:everyone
  ! gives can_mention_many_users_group to everyone, guests too
  ! takes can_invite_users_group from 3 people and 1 bot
`);
});

test("what servers give to everyone by default is not marked", async () => {
  const err = await undone("channel update design --can-send-message-group role:moderators");
  expect(err).toContain("    can_send_message_group: role:moderators → role:everyone\n");
  expect(err).not.toContain("  ! ");
});

test("a subgroup that includes everyone comes back", async () => {
  const err = await undone(
    "group members writers --add-subgroups role:everyone",
    "group members writers --delete-subgroups role:everyone",
  );
  expect(err).toContain("    subgroups: + role:everyone\n  ! makes everyone a member of the group, guests too\n");
});
