/** The reported changes turn the first snapshot into the last. */
import { expect, test } from "vitest";
import { getExports } from "../../src/api/exports.ts";
import { RetryBudget } from "../../src/client/retry.ts";
import { Server } from "../../src/client/server.ts";
import { Failure } from "../../src/errors.ts";
import { takeSnapshot } from "../../src/organization/fetch-snapshot.ts";
import type { State } from "../../src/sandbox/index.ts";
import { changesOf, type Event } from "../../src/watch/events.ts";
import { follow } from "../../src/watch/follow.ts";
import { recordOf, type WatchedChange } from "../../src/watch/records.ts";
import { inSentences } from "../../src/watch/sentence.ts";
import { WatchedState } from "../../src/watch/state.ts";
import type { Change } from "../../src/watch/things.ts";
import { type Http, NoAnswer, Secret } from "../../src/world/world.ts";
import { Chance } from "../simulation/chance.ts";
import { callerOf, noon, organization, site } from "../simulation/plans/organization.ts";
import { Other } from "../simulation/plans/others.ts";
import { testWorld } from "../world.ts";

const serverOptions = { timeout: 30_000, allowIgnored: false, grace: 2000 };

function serverOf(state: State, http: Http) {
  const { delivery_email, api_key } = callerOf(state);
  const account = { site, email: delivery_email, tls: {}, key: async () => new Secret(api_key) };
  const world = testWorld({ http });
  return { world, server: new Server(world, account, { ...serverOptions, retryBudget: new RetryBudget(120_000) }) };
}

/** Runs `watch` while other people change the organization and the network fails. */
async function watchOrganization(seed: number) {
  const chance = new Chance(seed);
  const sandbox = organization(chance, () => noon);
  const others = [new Other(sandbox, chance, {} as never), new Other(sandbox, chance, {} as never)];
  const isAllowed = () => callerOf(sandbox.state).is_active && callerOf(sandbox.state).role <= 200;
  let eventsLeft = 40;
  let lostQueues = 0;
  const http: Http = async (request) => {
    if (!request.url.includes("/api/v1/events") || request.method !== "GET") {
      // Sometimes the network fails while a snapshot is read.
      if (eventsLeft > 0 && eventsLeft < 40 && chance.hits(0.1))
        throw new NoAnswer("connection refused", "refused", false);
      return sandbox.handle(request);
    }
    const acts = eventsLeft > 0 ? chance.whole(0, 4) : 0;
    eventsLeft--;
    for (let n = 0; n < acts && isAllowed(); n++) await chance.of(others).act();
    if (chance.hits(0.1)) {
      // The server restarted, or this machine slept for hours.
      sandbox.state.queues.clear();
      lostQueues++;
    }
    if (chance.hits(0.1)) throw new NoAnswer("connection refused", "refused", false);
    const answer = await sandbox.handle({ ...request, url: `${request.url}&dont_block=true` });
    if (chance.hits(0.1)) throw new NoAnswer("the answer was cut off", "cut", true);
    return answer;
  };
  const { world, server } = serverOf(sandbox.state, http);
  const now = async () => ({
    snapshot: await takeSnapshot(server, { command: "watch", now: noon }),
    exports: (await server.call(getExports, {}, { command: "watch" })).exports,
  });
  const first = await now();
  const { signals, clock } = world;
  const changes: WatchedChange[] = [];
  const following = follow({
    server,
    clock,
    signals,
    messages: false,
    until: undefined,
    notice: async () => undefined,
  });
  try {
    for await (const burst of following) {
      changes.push(...burst);
      if (eventsLeft < -5 && burst.length === 0) break;
    }
  } catch (error) {
    // Somebody removed the account's role, or deactivated it.
    if (isAllowed() || !(error instanceof Failure)) throw error;
  }
  return {
    first,
    changes,
    lostQueues,
    last: isAllowed() ? await now() : undefined,
  };
}

const seeds = Number(process.env.SEEDS ?? 60);

test.each(Array.from({ length: seeds }, (_, seed) => seed))("reports every change (seed %i)", async (seed) => {
  const { first, changes, lostQueues, last } = await watchOrganization(seed);
  if (!last) return;
  const state = new WatchedState(first.snapshot, first.exports);
  for (const { change, record } of changes) {
    if (change) state.apply(change as Change);
    if (lostQueues === 0) expect(record.missed).toBe(false);
  }
  expect([...state.catchUp(last.snapshot, last.exports)]).toEqual([]);
});

/** Events that the sandbox never sends. */
const finishedExport = { id: 4, acting_user_id: 8, export_time: 1, export_type: 1, pending: true };

test.each<[object, string, string, boolean]>([
  [
    { type: "realm", op: "update_dict", property: "icon", data: { icon_url: "/new.png", icon_source: "U" } },
    "organization.icon_changed",
    "the icon of the organization was changed",
    false,
  ],
  [{ type: "realm", op: "deactivated" }, "organization.deactivated", "the organization was deactivated", true],
  [
    { type: "realm_export", exports: [{ ...finishedExport, pending: false }] },
    "export.finished",
    "export 4 was finished",
    false,
  ],
  [
    {
      type: "realm",
      op: "update_dict",
      property: "default",
      data: { description: "New", rendered_description: "<p>New</p>" },
    },
    "setting.changed",
    'description changed from "" to New',
    false,
  ],
  [
    { type: "realm_emoji", op: "add", emoji: { id: "77", name: "party", author_id: 8, deactivated: false } },
    "emoji.added",
    "emoji party was added",
    false,
  ],
  [
    { type: "realm_export", exports: [{ ...finishedExport, failed_timestamp: 2 }] },
    "export.failed",
    "export 4 failed",
    false,
  ],
])("reports %j", async (event, action, sentence, destructive) => {
  const sandbox = organization(new Chance(1), () => noon);
  const { server } = serverOf(sandbox.state, (request) => sandbox.handle(request));
  const state = new WatchedState(await takeSnapshot(server, { command: "watch", now: 0 }), [finishedExport]);
  const [change, ...more] = changesOf(state, { id: 1, ...event } as Event);
  expect(more).toEqual([]);
  const noticed = recordOf(state, change!, { now: 0, event: event as Event });
  const lines = inSentences([noticed]).map((line) => line.sentence);
  expect([noticed.record.action, lines, noticed.record.destructive]).toEqual([action, [sentence], destructive]);
});

test("removes an emoji by an event about it alone", async () => {
  const sandbox = organization(new Chance(1), () => noon);
  const { server } = serverOf(sandbox.state, (request) => sandbox.handle(request));
  const state = new WatchedState(await takeSnapshot(server, { command: "watch", now: 0 }), []);
  const emoji = { id: "77", name: "party", author_id: 8, deactivated: false };
  const event = { id: 1, type: "realm_emoji" };
  expect([...changesOf(state, { ...event, op: "add", emoji })]).toHaveLength(1);
  const removed = [...changesOf(state, { ...event, op: "update_one", emoji_id: "77", data: { deactivated: true } })];
  expect(removed).toMatchObject([{ table: "emoji", key: "77", field: null, to: null }]);
});
