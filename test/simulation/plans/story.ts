/** One seed's story of an organization that is to be as a file says, while runs die, the network fails and others change things. */
import { setMaxListeners } from "node:events";
import { RetryBudget } from "../../../src/client/retry-budget.ts";
import { Server } from "../../../src/client/server.ts";
import { begin } from "../../../src/commands/org/apply/begin.ts";
import type { Finished } from "../../../src/engine/reorder-buffer.ts";
import { Run } from "../../../src/engine/run.ts";
import { Failure } from "../../../src/errors.ts";
import { keptStep, type Order } from "../../../src/organization/apply/steps.ts";
import { compare } from "../../../src/organization/compare.ts";
import { ordered } from "../../../src/organization/order.ts";
import type { Content } from "../../../src/organization/place.ts";
import { takeSnapshot } from "../../../src/organization/take.ts";
import { createSandbox, type Sandbox } from "../../../src/sandbox/sandbox.ts";
import { Secret, type World } from "../../../src/world.ts";
import { Chance } from "../chance.ts";
import { Disk } from "../disk.ts";
import { Network, type Passage } from "../network.ts";
import { worldOf } from "../place.ts";
import { Process } from "../process.ts";
import { Time } from "../time.ts";
import { contentOf, type Foreign, meddle } from "./wishes.ts";

const site = "https://chat.example";
const noon = Date.UTC(2026, 0, 15, 12);
const verifyWith = "zulipctl org plan";

/** One process that applies the file, or goes on with what an earlier one has begun. */
export interface Attempt {
  readonly passages: Passage[];
  /** When it had read for the first time, and right before the first change. */
  planned: number;
  judged: number;
  readonly finished: Finished[];
  ended: boolean;
  failure?: Failure;
}

export interface Story {
  readonly seed: number;
  readonly attempts: Attempt[];
  readonly foreign: Foreign[];
  readonly state: Sandbox["state"];
  readonly content: Content;
  readonly owner: { readonly email: string; readonly api_key: string };
  /** What differs in the end. */
  left: unknown[];
  bug?: unknown;
}

async function apply(world: World, story: Story, made: Attempt, path: string, resume: boolean): Promise<void> {
  const { owner } = story;
  const account = { site, email: owner.email, tls: {}, key: async () => new Secret(owner.api_key) };
  const manner = { timeout: 30_000, level: 442, allowIgnored: false, grace: 30_000, many: true };
  const server = new Server(world, account, { ...manner, retryBudget: new RetryBudget(120_000) });
  const read = () => takeSnapshot(server, { command: "org apply", now: world.clock.now() });
  try {
    const first = await read();
    made.planned = world.clock.monotonic();
    const run = await Run.open(world, path, resume, "zulipctl org apply");
    try {
      let order = run.earlier?.header?.plan as Order | undefined;
      if (!order) {
        const { differences } = compare(first, story.content);
        order = { differences, steps: ordered(first, differences, { verifyWith }).map(keptStep) };
      }
      if (!order.differences.length) {
        made.ended = true;
        return;
      }
      const snapshot = await read();
      made.judged = world.clock.monotonic();
      const { engine, rows } = await begin({ server, run, name: path, order, snapshot, verifyWith, concurrency: 3 });
      for await (const finished of engine.run(rows)) made.finished.push(finished);
      made.ended = true;
      if (engine.stopped) made.failure = engine.stopped;
    } finally {
      await run.close();
    }
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    made.failure = failure;
  } finally {
    await server.close();
  }
}

export async function live(seed: number): Promise<Story> {
  const chance = new Chance(seed);
  const time = new Time();
  const disk = new Disk(chance);
  const sandbox = createSandbox({
    site,
    rateLimits: false,
    clock: { now: () => time.now + noon },
    random: () => chance.next(),
  });
  const owner = sandbox.info().users.find(({ role }) => role === 100)!;
  const story: Story = {
    seed,
    owner,
    attempts: [],
    foreign: [],
    state: sandbox.state,
    content: contentOf(chance, sandbox.state),
    left: [],
  };
  const weather = { trouble: chance.of([0, 0.1, 0.3]), closed: false };
  const network = new Network(time, chance, weather, (request) => sandbox.handle(request));
  const attempt = async (path: string, resume: boolean, calm = false): Promise<void> => {
    const lifetime = calm || chance.hits(0.3) ? Number.POSITIVE_INFINITY : chance.whole(20, 200);
    const process = new Process(time, chance, lifetime);
    const stop = new AbortController();
    setMaxListeners(0, stop.signal);
    const made: Attempt = {
      passages: [],
      planned: Number.POSITIVE_INFINITY,
      judged: Number.POSITIVE_INFINITY,
      finished: [],
      ended: false,
    };
    story.attempts.push(made);
    const now = () => time.now + noon;
    const world = worldOf(
      { process, stop: stop.signal, disk, time, now, chance, network, passages: made.passages },
      calm,
    );
    // The law is told in the story's own time.
    const told: World = { ...world, clock: { ...world.clock, monotonic: () => time.now } };
    const work = apply(told, story, made, path, resume).catch((error) => {
      story.bug ??= error;
    });
    await Promise.race([work, process.death]);
  };
  const told = async () => {
    for (let n = chance.whole(0, 3); n > 0; n--)
      time.after(chance.whole(0, 3000), () => story.foreign.push(...meddle(chance, story, time.now)));
    let path = "";
    for (let n = chance.whole(1, 4); n > 0; n--) {
      const known = path !== "" && disk.text(path) !== undefined;
      const resume = known && chance.hits(0.6);
      if (!resume) path = `/state/${story.attempts.length}.jsonl`;
      await attempt(path, resume);
    }
    weather.trouble = 0;
    // What is still on its way arrives before the last runs.
    await time.sleep(300_000);
    for (let n = 0; n < 3; n++) await attempt(`/state/last-${n}.jsonl`, false, true);
    const process = new Process(time, chance, Number.POSITIVE_INFINITY);
    const last: Passage[] = [];
    const world = worldOf(
      {
        process,
        stop: new AbortController().signal,
        disk,
        time,
        now: () => time.now + noon,
        chance,
        network,
        passages: last,
      },
      true,
    );
    const account = { site, email: owner.email, tls: {}, key: async () => new Secret(owner.api_key) };
    const manner = { timeout: 30_000, level: 442, allowIgnored: false, grace: 30_000, many: true };
    const server = new Server(world, account, { ...manner, retryBudget: new RetryBudget(120_000) });
    story.left = [...compare(await takeSnapshot(server, { command: "org plan", now: 0 }), story.content).differences];
  };
  await time.until(told());
  return story;
}
