/** One seed's story: processes that run batches, die, and resume until everything is done. */
import { setMaxListeners } from "node:events";
import { Interrupted } from "../../src/errors.ts";
import { Chance } from "./chance.ts";
import { Disk } from "./disk.ts";
import { Network, type Transfer } from "./network.ts";
import { Desired, organization, peopleOf } from "./organization.ts";
import { worldOf } from "./place.ts";
import { Process } from "./process.ts";
import { run } from "./run.ts";
import type { Attempt, Batch, Story } from "./story.ts";
import { Time } from "./time.ts";

const noon = Date.UTC(2026, 0, 15, 12);
const lifetime = (chance: Chance) =>
  chance.hits(0.2) ? Number.POSITIVE_INFINITY : chance.whole(1, chance.of([15, 60, 200]));

export async function playStory(seed: number): Promise<Story> {
  const chance = new Chance(seed);
  const time = new Time();
  const disk = new Disk(chance);
  let skew = noon;
  const now = () => time.now + skew;
  const sandbox = organization(() => time.now + noon);
  const people = peopleOf(sandbox);
  const weather = { faultRate: chance.of([0, 0.1, 0.3, 0.6]), rejectsAll: false };
  const network = new Network(time, chance, weather, (request) => sandbox.handle(request));
  const planned = new Desired(chance, people);
  const batch = (path: string, n: number): Batch => ({
    path,
    planned: planned.rows(chance.whole(1, chance.of([4, 8, 16])), n),
    merge: chance.hits(0.85),
    portion: chance.of([1, 3, 4096, 4096]),
    retryUnknown: chance.hits(0.2),
    attempts: [],
  });
  const batches = [batch("/state/one.jsonl", 0)];
  if (chance.hits(0.15)) batches.push(batch("/state/two.jsonl", 1));
  const story: Story = { seed, batches, people, state: sandbox.state, disk };

  const attempt = async (of: Batch, calm = false): Promise<void> => {
    const process = new Process(time, chance, calm ? Number.POSITIVE_INFINITY : lifetime(chance));
    const stop = new AbortController();
    setMaxListeners(0, stop.signal);
    const passages: Transfer[] = [];
    const made: Attempt = {
      process,
      passages,
      retryUnknown: of.retryUnknown && of.attempts.length > 0,
      calm,
      began: time.now,
      over: Number.POSITIVE_INFINITY,
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
    const world = worldOf({ process, stop: stop.signal, disk, time, now, chance, network, passages }, calm);
    const work = run(world, of, made, people, chance).catch((error) => {
      story.bug ??= error;
    });
    await Promise.race([work, process.death]);
    made.over = time.now;
  };

  const told = async () => {
    const started = batches.map(async (of, n) => {
      if (n > 0) await time.sleep(chance.whole(0, 5000));
      await attempt(of);
    });
    // Somebody starts the same batch again while the first run may still be active.
    if (chance.hits(0.15))
      started.push(time.sleep(chance.whole(0, chance.of([12, 2000]))).then(() => attempt(batches[0]!)));
    // The first process pauses, or somebody removes its lock. Then another one is started.
    if (chance.hits(0.15)) {
      const { path, attempts } = batches[0]!;
      const when = chance.whole(20, chance.of([50, 5000]));
      const still = chance.hits(0.7) ? chance.whole(20_000, 120_000) : 0;
      time.after(when, () => {
        if (still) attempts[0]?.process.freeze(still);
        else disk.unlock(path);
      });
      started.push(time.sleep(when + chance.whole(0, 100)).then(() => attempt(batches[0]!)));
    }
    if (chance.hits(0.1))
      time.after(chance.whole(0, 60_000), () => {
        skew += chance.whole(-7_200_000, 7_200_000);
      });
    if (chance.hits(0.05)) {
      const shut = chance.whole(0, 5000);
      time.after(shut, () => {
        weather.rejectsAll = true;
      });
      time.after(shut + chance.whole(0, 60_000), () => {
        weather.rejectsAll = false;
      });
    }
    await Promise.all(started);
    for (const of of batches) {
      for (let n = chance.whole(0, 3); n > 0; n--) {
        if (chance.hits(0.3)) stopMachine(batches, disk);
        await attempt(of);
      }
    }
    if (chance.hits(0.3)) stopMachine(batches, disk);
    weather.faultRate = 0;
    // Requests on their way arrive before the last runs.
    await time.sleep(300_000);
    for (const of of batches) await attempt(of, true);
  };
  await time.until(told());
  return story;
}

/** The machine loses power. All processes die. */
function stopMachine(batches: readonly Batch[], disk: Disk): void {
  for (const { attempts } of batches) for (const { process } of attempts) process.die();
  disk.lose();
}
