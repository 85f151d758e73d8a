/** The same changes have the same effects, in a plan of offboarding and in others. */
import { expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { credentials, fresh } from "../run.ts";
import { testWorld } from "../world.ts";

const leaver = "cora@sandbox.example";

/** Returns the effects that a dry run prints, of each kind of request. */
async function effectsOf(words: readonly string[], before: readonly (readonly string[])[] = []) {
  const sandbox = fresh();
  const world = testWorld({ http: sandbox.handle, env: credentials(sandbox) });
  for (const each of before) expect(await main(each, world), each.join(" ")).toBe(0);
  const start = world.stdout.text.length;
  expect(await main([...words, "--dry-run", "-o", "json"], world), words.join(" ")).toBe(0);
  const requests: { operation: string; effects?: unknown[] }[] = JSON.parse(world.stdout.text.slice(start));
  return Object.fromEntries(requests.map(({ operation, effects = [] }) => [operation, effects]));
}

test("users offboard marks members whom it removes as group members does", async () => {
  const offboarded = await effectsOf(["users", "offboard", leaver]);
  const removed = await effectsOf(["group", "members", "designers", "--delete", leaver]);
  expect(offboarded["group.members"]).toEqual(removed["group.members"]);
});

test("users offboard marks accounts as users deactivate does", async () => {
  const lonely = ["channel", "create", "lonely", "--private", "--subscribe", leaver, "--yes"];
  for (const words of [[], ["--delete", "public-messages"]]) {
    const offboarded = await effectsOf(["users", "offboard", leaver, ...words], [lonely]);
    const deactivated = await effectsOf(["users", "deactivate", leaver, ...words], [lonely]);
    expect(offboarded["users.deactivate"]).toEqual(deactivated["users.deactivate"]);
  }
});

test("a bot that gets another owner first is not among those that a deactivation takes along", async () => {
  const bot = "beep-bot@sandbox.example";
  const given = ["bots", "update", bot, "--owner", leaver];
  const text = "deactivates their bots: Beep Bot";
  const alone = await effectsOf(["users", "offboard", leaver], [given]);
  expect(alone["users.deactivate"]).toContainEqual(expect.objectContaining({ text }));
  const handedOver = await effectsOf(["users", "offboard", leaver, "--to", "otis@sandbox.example"], [given]);
  expect(handedOver["users.deactivate"]).not.toContainEqual(expect.objectContaining({ text }));
});

test("a private channel that nobody could read is named before the question", async () => {
  const sandbox = fresh();
  const world = testWorld({ http: sandbox.handle, env: credentials(sandbox) });
  await main(["channel", "create", "lonely", "--private", "--subscribe", leaver, "--yes"], world);
  const before = world.stderr.text.length;
  expect(await main(["users", "offboard", leaver, "--yes"], world)).toBe(0);
  const said = world.stderr.text.slice(before);
  expect(said).toMatch(
    /^zulipctl: private channel lonely would have no readers: ask Cora Member to add somebody first\n/,
  );
  expect(said.trim()).toMatch(/verified: everything is applied$/);
});
