/**
 * What `npm run simulate` does: `--seeds <n> [--from <seed>]` runs many stories, `--seed <seed>` tells one of them,
 * `--kill <n>` kills the built program n times, at moments that `--seed` chooses.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { kill } from "../kill/kill.ts";
import { breach } from "./law.ts";
import { live } from "./life.ts";
import { simulate } from "./simulate.ts";
import { tell } from "./tell.ts";

const { values } = parseArgs({
  options: { seeds: { type: "string" }, from: { type: "string" }, seed: { type: "string" }, kill: { type: "string" } },
});

function count(name: keyof typeof values, otherwise: number): number {
  const value = Number(values[name] ?? otherwise);
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${name} takes a whole number`);
  return value;
}

/** After so many failing seeds one knows enough. */
const most = 20;

if (values.kill !== undefined) {
  const { breaches, ...tally } = await kill(
    join(process.cwd(), "bin/zulipctl.js"),
    count("kill", 200),
    count("seed", 1),
  );
  console.log(tally);
  for (const breach of breaches) console.log(breach);
  process.exitCode = breaches.length ? 1 : 0;
} else if (values.seed !== undefined) {
  const story = await live(count("seed", 0));
  const found = breach(story);
  console.log(`${tell(story)}\n${found ?? "Nothing is wrong."}`);
  process.exitCode = found ? 1 : 0;
} else {
  // Most failures of a story are foreseen, and nobody reads where they were made.
  Error.stackTraceLimit = 0;
  const from = count("from", 1);
  const seeds = count("seeds", 10_000);
  const began = performance.now();
  let lived = 0;
  let failures = 0;
  while (lived < seeds && failures < most) {
    const failed = await simulate(from + lived++);
    if (!failed) continue;
    failures++;
    console.log(`seed ${failed.seed}: ${failed.breach}`);
  }
  const seconds = (performance.now() - began) / 1000;
  const pace = `${seconds.toFixed(1)} s (${(lived / seconds).toFixed(0)} a second)`;
  console.log(`seeds ${from} to ${from + lived - 1} in ${pace}: ${failures || "none"} failed`);
  process.exitCode = failures ? 1 : 0;
}
