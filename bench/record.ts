/** What it costs to keep in the log what a batch replaces. */
import { writeFile } from "node:fs/promises";
import type { Bench } from "./main.ts";
import { inTurn, ratio, spread } from "./measure.ts";
import type { Figure } from "./table.ts";

const count = 10_000;

export async function record({ program, env, peer, file }: Bench): Promise<Figure[]> {
  const rows = file("replaced.csv");
  const lines = Array.from({ length: count }, (_, n) => `${n + 1},text ${n}`).join("\n");
  await writeFile(rows, `id,text\n${lines}\n`);
  const batch = (...flags: string[]) => [
    ...[...program, "batch", rows, "-o", "none", "--quiet", ...flags],
    ...["--", "channel", "update", "{id}", "--description", "{text}"],
  ];
  const site = env(await peer.site({ channels: count }));
  const took = await inTurn({ recorded: batch(), bare: batch("--no-record") }, site, { rounds: 2 });
  const times = (all: { time: number }[]) => all.map(({ time }) => time);
  return [
    {
      what: "batch: 10,000 changes of 10,000 channels, with what they replace in the log",
      value: spread(times(took.recorded)),
      unit: "ms",
      ratios: { "--no-record": ratio(times(took.recorded), times(took.bare)) },
    },
  ];
}
