/** One seed's story: processes that run batches, die, and resume until everything is done. */
import { setMaxListeners } from "node:events";
import { Patience } from "../../src/client/patience.ts";
import { Server } from "../../src/client/server.ts";
import { carrier } from "../../src/engine/carrier.ts";
import type { Header } from "../../src/engine/journal.ts";
import { type Key, keyOf } from "../../src/engine/piece.ts";
import { Run } from "../../src/engine/run.ts";
import type { Finished } from "../../src/engine/window.ts";
import { Failure, Interrupted } from "../../src/errors.ts";
import { NoAnswer, Secret, type World } from "../../src/world.ts";
import { captured } from "../world.ts";
import { Chance } from "./chance.ts";
import { Disk } from "./disk.ts";
import { Network, type Passage } from "./network.ts";
import { organization, type People, peopleOf, site, type Wish, Wishes } from "./organization.ts";
import { Process } from "./process.ts";
import { Time } from "./time.ts";

/** Everything of one journal. */
export interface Batch {
  path: string;
  wishes: Wish[];
  concurrency: number;
  merge: boolean;
  /** Later runs repeat what is unknown. */
  retryUnknown: boolean;
  attempts: Attempt[];
}

export interface Attempt {
  process: Process;
  /** Passages from this one on, and of this process. */
  passages: Passage[];
  retryUnknown: boolean;
  calm: boolean;
  /** In milliseconds of virtual time. */
  began: number;
  finished: Finished[];
  /** It ran to its end. */
  ended: boolean;
  failure?: Failure;
  interrupted: boolean;
}

export interface Story {
  seed: number;
  batches: Batch[];
  people: People;
  state: ReturnType<typeof organization>["state"];
  disk: Disk;
  time: Time;
  /** Whatever was thrown that is no failure. */
  bug?: unknown;
}

const lifetime = (chance: Chance) => chance.whole(1, chance.of([15, 60, 200]));

export async function live(seed: number): Promise<Story> {
  const chance = new Chance(seed);
  const time = new Time();
  const disk = new Disk(chance);
  // The system's clock, which somebody may set.
  let skew = Date.UTC(2026, 0, 15, 12);
  const now = () => time.now + skew;
  const sandbox = organization(() => time.now + Date.UTC(2026, 0, 15, 12));
  const people = peopleOf(sandbox);
  const network = new Network(time, chance, { trouble: chance.of([0, 0.1, 0.3, 0.6]) }, (request) =>
    sandbox.handle(request),
  );
  const wishes = new Wishes(chance, people);
  const batch = (path: string): Batch => ({
    path,
    wishes: wishes.rows(chance.whole(1, chance.of([4, 8, 16]))),
    concurrency: chance.whole(1, 4),
    merge: chance.hits(0.85),
    retryUnknown: chance.hits(0.2),
    attempts: [],
  });
  const batches = [batch("/state/one.jsonl")];
  if (chance.hits(0.15)) batches.push(batch("/state/two.jsonl"));
  const story: Story = { seed, batches, people, state: sandbox.state, disk, time };

  const attempt = async (of: Batch, calm = false): Promise<Attempt> => {
    const process = new Process(time, chance, calm || chance.hits(0.2) ? Number.POSITIVE_INFINITY : lifetime(chance));
    const stop = new AbortController();
    setMaxListeners(0, stop.signal);
    const passages: Passage[] = [];
    const made: Attempt = {
      process,
      passages,
      retryUnknown: of.retryUnknown && of.attempts.length > 0,
      calm,
      began: time.now,
      finished: [],
      ended: false,
      interrupted: false,
    };
    of.attempts.push(made);
    if (!calm && chance.hits(0.1))
      time.after(chance.whole(0, 90_000), () => {
        made.interrupted = true;
        stop.abort(new Interrupted("SIGTERM"));
      });
    const world = worldOf({ process, stop: stop.signal, disk, time, now, chance, network, passages });
    const work = run(world, of, made, people).catch((error) => {
      if (error instanceof Failure) made.failure = error;
      else story.bug ??= error;
    });
    await Promise.race([work, process.death]);
    return made;
  };

  const story_ = async () => {
    const started = batches.map(async (of, n) => {
      if (n > 0) await time.sleep(chance.whole(0, 5000));
      await attempt(of);
    });
    // Somebody is impatient and starts the same batch again while the first may still be at work.
    if (chance.hits(0.15))
      started.push(time.sleep(chance.whole(0, 2000)).then(async () => void (await attempt(batches[0]!))));
    if (chance.hits(0.1))
      time.after(chance.whole(0, 60_000), () => {
        skew += chance.whole(-7_200_000, 7_200_000);
      });
    await Promise.all(started);
    for (const of of batches) {
      for (let n = chance.whole(0, 3); n > 0; n--) {
        if (chance.hits(0.3)) stopMachine(batches, disk);
        await attempt(of);
      }
    }
    if (chance.hits(0.3)) stopMachine(batches, disk);
    network.weather.trouble = 0;
    // What is still on its way arrives before the last runs.
    await time.sleep(300_000);
    for (const of of batches) await attempt(of, true);
  };
  await time.until(story_());
  return story;
}

/** The machine loses its power. All processes of the story have ended or die with it. */
function stopMachine(batches: readonly Batch[], disk: Disk): void {
  for (const { attempts } of batches) for (const { process } of attempts) process.die();
  disk.lose();
}

interface Place {
  process: Process;
  stop: AbortSignal;
  disk: Disk;
  time: Time;
  now: () => number;
  chance: Chance;
  network: Network;
  passages: Passage[];
}

function worldOf({ process, stop, disk, time, now, chance, network, passages }: Place): World {
  const base = time.now - 1;
  return {
    version: "0",
    platform: "simulation",
    env: {},
    places: { home: "/home", cache: "/cache", state: "/state" },
    stdin: { isTerminal: false, bytes: async function* () {} },
    stdout: captured(),
    stderr: captured(),
    clock: {
      now,
      monotonic: () => time.now - base,
      random: () => chance.next(),
      sleep: (ms, signal) => process.outlive(time.sleep(ms, signal)),
    },
    connect: async () => ({
      request: async (request) => {
        const { settled } = await process.step(() => {
          const at = network.passages.length;
          const going = network.request(request);
          passages.push(network.passages[at]!);
          return {
            settled: going.then(
              (response) => () => response,
              (error) => () => {
                throw error;
              },
            ),
          };
        });
        const stopped = new Promise<() => never>((resolve) => {
          request.signal?.addEventListener("abort", () =>
            resolve(() => {
              throw new NoAnswer("interrupted", "stopped", true);
            }),
          );
        });
        const outcome = await process.outlive(Promise.race([settled, stopped]));
        return process.step(outcome);
      },
      close: async () => undefined,
    }),
    prompts: { confirm: async () => true, password: async () => new Secret(""), text: async () => "" },
    keychain: { get: async () => undefined, set: async () => undefined, forget: async () => false },
    files: disk.of(process),
    settings: { path: "/config", load: async () => undefined, save: async () => undefined },
    signals: { stop, underway: 0 },
    run: async () => ({ code: 1, stdout: "", stderr: "" }),
    host: () => Promise.reject(new Error("no programs in this world")),
    embed: () => Promise.reject(new Error("no embedded server in this world")),
  };
}

async function run(world: World, of: Batch, made: Attempt, { owner }: People): Promise<void> {
  const account = { site, email: owner.email, tls: {}, key: async () => new Secret(owner.key) };
  const manner = {
    timeout: 30_000,
    patience: new Patience(120_000),
    level: 442,
    allowIgnored: false,
    grace: 30_000,
    many: true,
  };
  const server = new Server(world, account, manner);
  const known = (await world.files.read(of.path)) !== undefined;
  const taken = await Run.open(world, of.path, known);
  try {
    const header: Header = {
      journal: "zulipctl batch",
      version: 1,
      run: of.path,
      site,
      account: owner.email,
      input: "hash",
      words: "hash",
      rows: of.wishes.length,
      began: "2026-01-15T12:00:00Z",
    };
    const unanswered = taken.earlier?.unanswered() ?? new Set<Key>();
    const changes = new Map(
      of.wishes.flatMap(({ row }) => {
        const key = keyOf(row.row, 0);
        return unanswered.has(key) ? [[key, row.changes[0]!] as const] : [];
      }),
    );
    const engine = await taken.begin(header, [], changes, carrier(server), {
      concurrency: of.concurrency,
      merge: of.merge,
      settle: 60_000,
      retryUnknown: made.retryUnknown,
    });
    for await (const finished of engine.run(of.wishes.map(({ row }) => row))) made.finished.push(finished);
    made.ended = true;
    made.failure = engine.stopped;
  } finally {
    await taken.close();
    await server.close();
  }
}
