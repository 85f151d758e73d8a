/** Runs stories from the command line. */
import { parseArgs } from "node:util";
import { live } from "./life.ts";
import { simulate } from "./simulate.ts";

const { values } = parseArgs({
  options: { seeds: { type: "string" }, from: { type: "string", default: "1" }, seed: { type: "string" } },
});

if (values.seed !== undefined) {
  const seed = Number(values.seed);
  const story = await live(seed);
  for (const { path, attempts } of story.batches) {
    console.log(`${path}\n${story.disk.text(path)}`);
    for (const { began, ended, failure, passages, finished, process } of attempts) {
      console.log(
        `run at ${began.toFixed(0)}: ${ended ? "ended" : process.alive ? "failed" : "died"} ${failure?.message ?? ""}`,
      );
      for (const { left, request, served, answered } of passages)
        console.log(
          `  ${left.toFixed(0)} ${request.method} ${new URL(request.url).pathname} ${request.body ?? ""} -> ${served ? `${served.at.toFixed(0)} ${served.status} ${served.text.trim()}` : "-"}${answered ? "" : " (no answer)"}`,
        );
      console.log(`  ${finished.map(({ row, deliveries }) => `${row.row} ${deliveries[0]!.outcome}`).join(", ")}`);
    }
  }
  const failed = await simulate(seed);
  console.log(failed ? failed.breach : "Nothing is wrong.");
  process.exitCode = failed ? 1 : 0;
} else {
  // Most failures of a story are foreseen, and nobody reads where they were made.
  Error.stackTraceLimit = 0;
  const from = Number(values.from);
  const seeds = Number(values.seeds ?? 10_000);
  const began = performance.now();
  let failures = 0;
  for (let seed = from; seed < from + seeds; seed++) {
    const failed = await simulate(seed);
    if (!failed) continue;
    console.log(`seed ${failed.seed}: ${failed.breach}`);
    if (++failures >= 20) break;
  }
  const seconds = (performance.now() - began) / 1000;
  console.log(
    `${seeds} seeds in ${seconds.toFixed(1)} s (${(seeds / seconds).toFixed(0)} a second), ${failures} failed`,
  );
  process.exitCode = failures ? 1 : 0;
}
