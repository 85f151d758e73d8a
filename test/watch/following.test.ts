/** The reported changes are those that the server made. */
import { expect, test } from "vitest";
import { RetryBudget } from "../../src/client/retry.ts";
import { Server } from "../../src/client/server.ts";
import { groupBy } from "../../src/common/group-by.ts";
import { Failure } from "../../src/errors.ts";
import { takeSnapshot } from "../../src/organization/fetch-snapshot.ts";
import { createSandbox, type SandboxState } from "../../src/sandbox/index.ts";
import { inSentences } from "../../src/watch/change-sentence.ts";
import { type Event, tableChanges } from "../../src/watch/event-changes.ts";
import { follow } from "../../src/watch/follow.ts";
import { recordOf, type WatchedChange } from "../../src/watch/watch-records.ts";
import { WatchedState } from "../../src/watch/watched-state.ts";
import { type Http, NoAnswer, Secret } from "../../src/world/world.ts";
import { Chance } from "../simulation/chance.ts";
import { callerOf, noon, organization, site } from "../simulation/plans/organization.ts";
import { Other } from "../simulation/plans/others.ts";
import { testWorld } from "../world.ts";
import { type Facts, factsOf, type Step, stepsBetween, stepsOf } from "./facts.ts";

const serverOptions = { timeout: 30_000, allowIgnored: false, grace: 2000 };

function serverOf(state: SandboxState, http: Http) {
  const { delivery_email, api_key } = callerOf(state);
  const account = { site, email: delivery_email, tls: {}, key: async () => new Secret(api_key) };
  const world = testWorld({ http });
  return { world, server: new Server(world, account, { ...serverOptions, retryBudget: new RetryBudget(120_000) }) };
}

/** Runs `watch` while other people change the organization and the network fails. */
async function watchOrganization(seed: number) {
  const chance = new Chance(seed);
  const { state } = organization(chance, () => noon);
  const level = chance.of([371, 442, 500]);
  const sandbox = createSandbox({
    site,
    rateLimits: false,
    clock: { now: () => noon },
    random: () => chance.next(),
    level,
    state,
  });
  const others = [new Other(sandbox, chance, {} as never), new Other(sandbox, chance, {} as never)];
  const isAllowed = () => callerOf(state).is_active && callerOf(state).role <= 200;

  /** The facts after each change, and the last event of each queue then. */
  const history: { facts: Facts; lastEvents: Map<string, number> }[] = [];
  const note = () => {
    const lastEvents = new Map([...state.queues].map(([id, queue]) => [id, queue.next - 1]));
    history.push({ facts: factsOf(state, level), lastEvents });
  };
  note();
  const act = async () => {
    if (!isAllowed()) return;
    await chance.of(others).act();
    note();
  };

  /** The facts that `watch` can see one after the other. From a time without events it sees only the last ones. */
  const visible: Facts[] = [];
  /** By queue, the length of the history at its registration. */
  const registrations = new Map<string, number>();
  let [current, seen] = ["", 0];
  const hasRead = (queue: string, lastEvent: number) => {
    if (queue !== current) {
      seen = registrations.get(queue)!;
      visible.push(history[seen - 1]!.facts);
    }
    current = queue;
    for (; seen < history.length && history[seen]!.lastEvents.get(queue)! <= lastEvent; seen++)
      visible.push(history[seen]!.facts);
  };

  let waitsLeft = 40;
  let lostQueues = 0;
  let isConnecting = true;
  const handle: Http = async (request) => {
    // Sometimes the network fails while something is read.
    if (waitsLeft > 0 && waitsLeft < 40 && chance.hits(0.1)) throw new NoAnswer("connection refused", "refused", false);
    if (isConnecting && lostQueues > 0 && waitsLeft > 0 && request.method === "GET" && chance.hits(0.2)) await act();
    const answer = await sandbox.handle(request);
    for (const id of state.queues.keys()) if (!registrations.has(id)) registrations.set(id, history.length);
    return answer;
  };
  const http: Http = async (request) => {
    const query = new URL(request.url).searchParams;
    if (request.method !== "GET" || !request.url.includes("/api/v1/events") || query.has("dont_block"))
      return handle(request);
    hasRead(String(query.get("queue_id")), Number(query.get("last_event_id")));
    isConnecting = false;
    const acts = waitsLeft > 0 ? chance.whole(0, 4) : 0;
    waitsLeft--;
    for (let n = 0; n < acts; n++) await act();
    if (waitsLeft > 0 && chance.hits(0.1)) {
      // The server restarted, or this machine slept for hours.
      state.queues.clear();
      isConnecting = true;
      lostQueues++;
    }
    if (chance.hits(0.1)) throw new NoAnswer("connection refused", "refused", false);
    const answer = await sandbox.handle({ ...request, url: `${request.url}&dont_block=true` });
    if (chance.hits(0.1)) throw new NoAnswer("the answer was cut off", "cut", true);
    return answer;
  };
  const { world, server } = serverOf(state, http);
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
      if (waitsLeft < -5 && burst.length === 0) break;
    }
  } catch (error) {
    // Somebody removed the account's role, or deactivated it.
    if (isAllowed() || !(error instanceof Failure)) throw error;
    return {
      changes,
      visible: [...visible, ...history.slice(seen).map(({ facts }) => facts)],
      lostQueues,
      isCut: true,
    };
  }
  return { changes, visible, lostQueues, isCut: false };
}

/** By fact, its values one after the other. */
const valuesOf = (steps: readonly Step[]) =>
  new Map([...groupBy(steps, ({ fact }) => fact)].map(([fact, all]) => [fact, all.map(({ from, to }) => [from, to])]));

const kindOf = (fact: string) => fact.replace(/^(\S+) (\S+) (\S+).*$/, "$1 $3");

/** Returns the values of a fact that `watch` can report. */
function reportable(fact: string, values: readonly unknown[], found: readonly unknown[] = []) {
  // Events about invitations have no details, and the list is read later: some come and go unseen.
  return fact.startsWith("invitation ") && values.length > 1 ? values.slice(values.length - found.length) : values;
}

/** Returns when each of the steps happened, by their order in `times`. A read can be ahead of the events. */
function timesOf(steps: readonly Step[], times: ReadonlyMap<string, readonly number[]>): (number | undefined)[] {
  const count = new Map<string, number>();
  return steps
    .filter(({ fact }) => !/^invitation| (subscribers|members) | can_/.test(fact))
    .map(({ fact }) => {
      const n = count.get(fact) ?? 0;
      count.set(fact, n + 1);
      return times.get(fact)?.[n];
    });
}

const seeds = Number(process.env.SEEDS ?? 60);
const stepsChecked = new Map<number, number>();

test.each(Array.from({ length: seeds }, (_, seed) => seed))(
  "reports every change once and in its order, and no other (seed %i)",
  async (seed) => {
    const { changes, visible, lostQueues, isCut } = await watchOrganization(seed);
    const kinds = new Set(visible.flatMap((facts) => [...facts.keys()].map(kindOf)));
    const reported = changes
      .flatMap(({ change }) => (change ? stepsOf(change) : []))
      .filter(({ fact }) => kinds.has(kindOf(fact)));
    const happened = visible
      .slice(1)
      .flatMap((facts, n) => stepsBetween(visible[n]!, facts).map((step) => ({ ...step, n })));
    const found = valuesOf(reported);
    const expected = new Map(
      [...valuesOf(happened)]
        .map(([fact, values]) => [fact, reportable(fact, values, found.get(fact))] as const)
        .map(([fact, values]) => [fact, isCut ? values.slice(0, found.get(fact)?.length ?? 0) : values] as const)
        .filter(([, values]) => values.length),
    );
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
    const times = new Map(
      [...groupBy(happened, ({ fact }) => fact)].map(([fact, all]) => [fact, all.map(({ n }) => n)]),
    );
    const order = timesOf(reported, times);
    expect(order).toEqual(order.toSorted((a, b) => Number(a) - Number(b)));
    if (lostQueues === 0) expect(changes.filter(({ record }) => record.missed)).toEqual([]);
    stepsChecked.set(seed, reported.length);
  },
);

test("the seeds check something", () => {
  expect([...stepsChecked.values()].filter((count) => count >= 10).length).toBeGreaterThan(stepsChecked.size * 0.7);
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
  const [change, ...more] = tableChanges(state, { id: 1, ...event } as Event);
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
  expect([...tableChanges(state, { ...event, op: "add", emoji })]).toHaveLength(1);
  const removed = [...tableChanges(state, { ...event, op: "update_one", emoji_id: "77", data: { deactivated: true } })];
  expect(removed).toMatchObject([{ table: "emoji", key: "77", field: null, to: null }]);
});
