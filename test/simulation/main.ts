/**
 * `npm run simulate`. `--seeds <n> [--from <seed>] [--jobs <n>]` runs many stories, `--seed <seed>` prints one.
 * `--organization` simulates `org apply`, `--offboarding` `users offboard`, `--messages` messages,
 * `--undo` runs that are taken back: `--theme <theme>` chooses what happens often in them. `--first` stops at the first
 * failure. `--faults` puts faults into undo, each of which must be found. `--kill <n>` kills the built program n times, at moments that `--seed` chooses.
 */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { isMainThread } from "node:worker_threads";
import { kill } from "../kill/kill.ts";
import { brokenRule } from "./law.ts";
import { playStory } from "./life.ts";
import { many, type Stories, work } from "./many.ts";
import { breach as breachOfMessages } from "./messages.ts";
import { breach as breachOfOffboarding } from "./offboarding.ts";
import { brokenRule as breachOfPlan } from "./plans/law.ts";
import { report as reportPlan } from "./plans/report.ts";
import { playStory as livePlan } from "./plans/story.ts";
import { report } from "./report.ts";
import { brokenRule as brokenByUndo } from "./undo/law.ts";
import { playStory as playUndo } from "./undo/play.ts";
import { report as reportUndo } from "./undo/report.ts";
import { everyTheme } from "./undo/themes.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string" },
    from: { type: "string" },
    seed: { type: "string" },
    kill: { type: "string" },
    jobs: { type: "string" },
    organization: { type: "boolean" },
    offboarding: { type: "boolean" },
    messages: { type: "boolean" },
    undo: { type: "boolean" },
    first: { type: "boolean" },
    theme: { type: "string" },
  },
});

function count(name: keyof typeof values, otherwise: number): number {
  const value = Number(values[name] ?? otherwise);
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${name} takes a whole number`);
  return value;
}

const theme = everyTheme.find((each) => each === values.theme);
if (values.theme !== undefined && !theme) throw new Error(`--theme takes one of: ${everyTheme.join(", ")}`);

const stories = (["organization", "offboarding", "messages", "undo"] as const).find((each) => values[each]) ?? "seeds";

/** By kind, a story in words and what is wrong with it. */
const printed: Record<Stories, (seed: number) => Promise<{ text: string; found: string | undefined }>> = {
  seeds: async (seed) => {
    const story = await playStory(seed);
    return { text: report(story), found: brokenRule(story) };
  },
  organization: async (seed) => {
    const plan = await livePlan(seed);
    return { text: reportPlan(plan), found: breachOfPlan(plan) };
  },
  undo: async (seed) => {
    const story = await playUndo(seed, theme);
    return { text: reportUndo(story), found: brokenByUndo(story) };
  },
  offboarding: async (seed) => ({ text: "", found: await breachOfOffboarding(seed) }),
  messages: async (seed) => ({ text: "", found: await breachOfMessages(seed) }),
};

if (!isMainThread) await work();
else if (values.kill !== undefined) {
  const { violations, ...tally } = await kill(
    join(process.cwd(), "bin/zulipctl.js"),
    count("kill", 200),
    count("seed", 1),
  );
  console.log(tally);
  for (const violation of violations) console.log(violation);
  process.exitCode = violations.length ? 1 : 0;
} else if (values.seed !== undefined) {
  const { text, found } = await printed[stories](count("seed", 0));
  console.log(`${text}\n${found ?? "Nothing is wrong."}`.trimStart());
  process.exitCode = found ? 1 : 0;
} else {
  const range = {
    from: count("from", 1),
    seeds: count("seeds", 10_000),
    threads: count("jobs", availableParallelism()),
    theme,
    ...(values.first && { portion: 10, most: 1 }),
  };
  const found = await many(stories, range, (failed) => console.log(`seed ${failed.seed}: ${failed.breach}`));
  const pace = `${found.seconds.toFixed(1)} s (${(found.lived / found.seconds).toFixed(0)} a second)`;
  console.log(`${found.lived} seeds from ${count("from", 1)} on in ${pace}: ${found.failures || "none"} failed`);
  process.exitCode = found.failures ? 1 : 0;
}
