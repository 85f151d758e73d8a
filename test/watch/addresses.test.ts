/** An address that others see is sent twice: as the account's address, and as the one that others see. */
import { expect, test } from "vitest";
import { readSnapshot } from "../../src/organization/snapshot.ts";
import { tableChanges } from "../../src/watch/event-changes.ts";
import { recordOf } from "../../src/watch/watch-records.ts";
import { WatchedState } from "../../src/watch/watched-state.ts";
import { credentials, fresh, zulipctl } from "../run.ts";

async function watched(sandbox: ReturnType<typeof fresh>) {
  const files = new Map<string, string>();
  await zulipctl(["org", "snapshot", "--to", "all.json"], { http: sandbox.handle, files, env: credentials(sandbox) });
  return readSnapshot(files.get("all.json") ?? "", "all.json");
}

function recordsOf(state: WatchedState, person: Record<string, unknown>) {
  const all = [...tableChanges(state, { id: 1, type: "realm_user", op: "update", person })];
  return all.map((change) => {
    const { action, property, from, to } = recordOf(state, change, { now: 0, event: null }).record;
    return [action, property, from, to];
  });
}

const before = "beep-bot@sandbox.example";
const after = "boop-bot@sandbox.example";
const changed = ["bot.email_changed", "delivery_email", before, after];

test("a new address of a bot is one change", async () => {
  const state = new WatchedState(await watched(fresh({ level: 468 })), []);
  expect([
    recordsOf(state, { user_id: 14, delivery_email: after }),
    recordsOf(state, { user_id: 14, new_email: after }),
  ]).toEqual([[changed], []]);
});

test("a new address that is found after a reconnection is one change", async () => {
  const sandbox = fresh({ level: 468 });
  const state = new WatchedState(await watched(sandbox), []);
  sandbox.state.users.get(14)!.delivery_email = after;
  const later = await watched(sandbox);
  const all = [...state.catchUp(later, [])].map((change) => recordOf(state, change, { now: 0, event: null }).record);
  expect(all.map(({ action, property, from, to }) => [action, property, from, to])).toEqual([changed]);
});

test("an address that others see from now on is a change", async () => {
  const state = new WatchedState(await watched(fresh({ level: 468 })), []);
  const hidden = "user14@chat.example";
  expect([
    recordsOf(state, { user_id: 14, new_email: hidden }),
    recordsOf(state, { user_id: 14, new_email: before }),
  ]).toEqual([[["bot.email_changed", "email", before, hidden]], [["bot.email_changed", "email", hidden, before]]]);
});
