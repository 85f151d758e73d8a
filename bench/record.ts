/** What it costs to keep in the log what a batch replaces. */
import { writeFile } from "node:fs/promises";
import type { Bench } from "./bench.ts";
import { inTurn, ratio, run, spread } from "./measure.ts";
import { requestsAt } from "./sites.ts";
import type { Figure } from "./table.ts";

const count = 10_000;
/** A batch of fewer rows, to count requests. */
const fewer = 100;

export async function record({ program, env, peer, file }: Bench): Promise<Figure[]> {
  const rows = async (size: number) => {
    const path = file(`replaced-${size}.csv`);
    const lines = Array.from({ length: size }, (_, n) => `${n + 1},text ${n}`).join("\n");
    await writeFile(path, `id,text\n${lines}\n`);
    return path;
  };
  const batch = (path: string, ...flags: string[]) => [
    ...[...program, "batch", path, "-o", "none", "--quiet", ...flags],
    ...["--", "channel", "update", "{id}", "--description", "{text}"],
  ];
  const site = await peer.site({ channels: count });
  const some = await rows(fewer);
  const requestsOf = async (...flags: string[]) => {
    await requestsAt(site);
    await run(batch(some, ...flags), env(site));
    return requestsAt(site);
  };
  // The first command reads what the others find in the cache.
  await requestsOf();
  const more = (await requestsOf()) - (await requestsOf("--no-record"));
  const all = await rows(count);
  const took = await inTurn({ recorded: batch(all), bare: batch(all, "--no-record") }, env(site), { rounds: 2 });
  const times = (all: { time: number }[]) => all.map(({ time }) => time);
  return [
    {
      what: `batch: more requests for ${fewer} changes of ${fewer} channels, with what they replace in the log`,
      value: { median: more, low: more, high: more },
      unit: "requests",
      ratios: {},
      limit: { value: 1 },
    },
    {
      what: "batch: 10,000 changes of 10,000 channels, with what they replace in the log",
      value: spread(times(took.recorded)),
      unit: "ms",
      ratios: { "--no-record": ratio(times(took.recorded), times(took.bare)) },
    },
  ];
}
