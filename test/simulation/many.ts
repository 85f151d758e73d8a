/** Runs many seeds, with a thread for each processor. */
import { parentPort, Worker, workerData } from "node:worker_threads";
import { checkSeed, type Failed, simulate } from "./law.ts";
import { breach as breachOfMessages } from "./messages.ts";
import { breach as breachOfOffboarding } from "./offboarding.ts";
import { brokenRule } from "./plans/law.ts";
import { playStory } from "./plans/story.ts";
import { brokenRule as brokenByUndo } from "./undo/law.ts";
import { playStory as playUndo } from "./undo/play.ts";
import { report as reportUndo } from "./undo/report.ts";
import type { Theme } from "./undo/themes.ts";

/** What is simulated: batches, `org apply`, `users offboard`, messages, or `undo`. */
const stories = {
  seeds: simulate,
  organization: (seed: number) => checkSeed(seed, async () => brokenRule(await playStory(seed))),
  offboarding: (seed: number) => checkSeed(seed, () => breachOfOffboarding(seed)),
  messages: (seed: number) => checkSeed(seed, () => breachOfMessages(seed)),
  undo: (seed: number, theme?: Theme) =>
    checkSeed(seed, async () => {
      const story = await playUndo(seed, theme);
      const found = brokenByUndo(story);
      return found && `${found}\n${reportUndo(story)}`;
    }),
};
export type Stories = keyof typeof stories;

/**
 * The seeds from `from` on. `portion`: how many a thread takes at a time. `most`: it stops after so many failures. `theme`: of
 * stories of `undo`.
 */
interface Range {
  from: number;
  seeds: number;
  threads: number;
  portion?: number;
  most?: number;
  theme?: Theme | undefined;
}

/** Calls `failed` for each failing seed. */
export async function many(
  of: Stories,
  { from, seeds, threads, portion = 200, most = 20, theme }: Range,
  failed: (one: Failed) => void,
) {
  const began = performance.now();
  let next = from;
  let finished = 0;
  let failures = 0;
  const work = (worker: Worker) =>
    new Promise<void>((resolve, reject) => {
      let taken = 0;
      const take = () => {
        taken = failures < most ? Math.min(portion, from + seeds - next) : 0;
        if (taken > 0) worker.postMessage({ first: next, count: taken });
        else resolve();
        next += taken;
      };
      worker.on("error", reject).on("message", (found: Failed[]) => {
        finished += taken;
        failures += found.length;
        for (const one of found) failed(one);
        take();
      });
      take();
    });
  // The threads run this bundle too.
  const workers = Array.from(
    { length: threads },
    () => new Worker(new URL(import.meta.url), { workerData: { of, theme } }),
  );
  await Promise.all(workers.map(work));
  await Promise.all(workers.map((worker) => worker.terminate()));
  return { lived: finished, failures, seconds: (performance.now() - began) / 1000 };
}

/** Runs seeds in a thread. */
export async function work(): Promise<void> {
  const { of, theme }: { of: Stories; theme?: Theme } = workerData;
  if (!Object.hasOwn(stories, of)) throw new Error("nobody starts other threads");
  const simulateOne = stories[of];
  // Stack traces cost time, and most errors of a story are expected.
  Error.stackTraceLimit = 0;
  parentPort!.on("message", async ({ first, count }: { first: number; count: number }) => {
    const found: Failed[] = [];
    for (let seed = first; seed < first + count; seed++) {
      const failed = await simulateOne(seed, theme);
      if (failed) found.push(failed);
    }
    parentPort!.postMessage(found);
  });
}
