/** `zulipctl batch`: how few requests, how fast, how much memory. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { inTurn, ratio, run, spread } from "./measure.ts";
import { changesAt } from "./sites.ts";
import type { Figure } from "./table.ts";

const lines = (count: number, line: (n: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at + 1)).join("\n");

export async function batches({ program, directory, env, peer, file }: Bench): Promise<Figure[]> {
  const batch = (path: string, words: string[]) => [...program, "batch", path, "-o", "none", "--quiet", ...words];
  const alone = (path: string) => batch(path, ["--", "channel", "update", "{id}", "--description", "{text}"]);
  const figures: Figure[] = [];

  const members = file("members.csv");
  await writeFile(members, `group,user\n${lines(5000, (n) => `${11 + (n % 3)},${1000 + n}`)}\n`);
  const quick = await peer.site({ users: 34_000 });
  await changesAt(quick);
  const merged = await run(batch(members, ["--", "group", "members", "{group}", "--add", "{user}"]), env(quick));
  const sent = await changesAt(quick);
  figures.push({
    what: `batch: 5,000 additions to three groups, in ${(merged.time / 1000).toFixed(1)} s`,
    value: { median: sent, low: sent, high: sent },
    unit: "requests",
    ratios: {},
  });

  const subscribers = file("subscribers.csv");
  await writeFile(subscribers, `channel,user\n${lines(5000, (n) => `${1 + (n % 3)},${1000 + n}`)}\n`);
  const words = ["--", "channel", "subscribers", "{channel}", "--add", "{user}"];
  const three = await peer.site({ users: 6000, channels: 3 });
  const taken = await run(batch(subscribers, words), env(three));
  const subscribing = await changesAt(three);
  figures.push({
    what: `batch: 5,000 subscriptions to three channels, in ${(taken.time / 1000).toFixed(1)} s`,
    value: { median: subscribing, low: subscribing, high: subscribing },
    unit: "requests",
    ratios: {},
  });

  const count = 10_000;
  const some = file("some.csv");
  await writeFile(some, `id,text\n${lines(count, (n) => `${n},channel ${n}`)}\n`);
  const slow = env(await peer.site({ delay: 5 }));
  const loop = [process.execPath, join(directory, "many.js"), "bare", String(count)];
  const necessary = [process.execPath, join(directory, "necessary.js"), some, file("necessary.ndjson")];
  const took = await inTurn({ batch: alone(some), loop, necessary }, slow, { rounds: 2 });
  const rates = (all: { time: number }[]) => all.map(({ time }) => (count * 1000) / time);
  figures.push({
    what: "batch: 10,000 changes, one at a time, answers of 5 ms, with the journal; whole processes",
    value: spread(rates(took.batch)),
    unit: "requests/s",
    ratios: {
      "bare undici loop": ratio(rates(took.batch), rates(took.loop)),
      "the same with a journal": ratio(rates(took.batch), rates(took.necessary)),
    },
  });

  const quickly = env(await peer.site({}));
  const built = (name: string) => [
    process.execPath,
    join(directory, `${name}.js`),
    "batch",
    some,
    "--dry-run",
    ...alone(some).slice(program.length + 2),
  ];
  const twice = await inTurn({ judged: built("judged"), unjudged: built("unjudged") }, quickly, { rounds: 3 });
  const times = (all: { time: number }[]) => all.map(({ time }) => time);
  const without = "the same without a judgment";
  figures.push({
    what: "batch: 10,000 rows checked, with a judgment of what they do",
    value: spread(times(twice.judged)),
    unit: "ms",
    ratios: { [without]: ratio(times(twice.judged), times(twice.unjudged)) },
    limit: { ratios: { [without]: 1.1 } },
  });

  const addition = ["--", "group", "members", "{group}", "--add", "{user}"];
  const rowsOf = async (rows: number): Promise<string> => {
    const path = file(`${rows}.csv`);
    const line = (n: number) => `${11 + (n % 3)},${8 + Math.floor(n / 3)},${n % 2 ? "Active" : "Suspended"}`;
    await writeFile(path, `group,user,Status\n${lines(rows, line)}\n`);
    return path;
  };
  const peaks: number[] = [];
  for (const { rows, value } of [
    { rows: 1000, value: 200 },
    { rows: 100_000, value: 380 },
  ]) {
    const { peak } = await run(batch(await rowsOf(rows), addition), env(quick));
    if (peak === undefined) continue;
    peaks.push(peak);
    figures.push({
      what: `batch: memory of ${rows.toLocaleString("en")} rows`,
      value: { median: peak, low: peak, high: peak },
      unit: "MiB",
      ratios: peaks.length > 1 ? { "1,000 rows": spread([peak / peaks[0]!]) } : {},
      limit: { value },
    });
  }

  const many = await rowsOf(100_000);
  const checked = (...where: string[]) => run(batch(many, ["--dry-run", ...where, ...addition]), env(quick));
  const all = await checked();
  for (const [which, { time, peak = 0 }] of [
    ["all of them", all],
    ["half of them by --where", await checked("--where", "Status=Active")],
    ["none of them by --where", await checked("--where", "Status=Archived")],
  ] as const)
    figures.push({
      what: `batch: 100,000 rows checked, ${which}, with ${peak.toFixed(0)} MiB`,
      value: spread([time]),
      unit: "ms",
      ratios: time === all.time ? {} : { "all of them": spread([time / all.time]) },
    });
  return figures;
}
