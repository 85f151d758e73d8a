/** Lists of people of several lengths in several forms: time, memory, and how both grow. */
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { type Command, inTurn, ratio, slope, spread, type Took } from "./measure.ts";
import type { Figure } from "./table.ts";

const forms = ["json", "ndjson", "ids", "csv"] as const;
const sizes = { 10: 9, 1000: 7, 10000: 5, 100000: 3 };

/** For 100,000 people, the largest multiples of the minimal script's time and memory. */
const limits = {
  json: { time: 1.2, peak: 0.55 },
  ndjson: { time: 0.5, peak: 0.4 },
  ids: { time: 0.8, peak: 0.4 },
  csv: { time: 0.8, peak: 0.4 },
};

const times = (took: Took[]) => took.map(({ time }) => time);
const peaks = (took: Took[]) => took.map(({ peak }) => peak).filter((peak) => peak !== undefined);

export async function lists({ program, directory, env, peer, python }: Bench): Promise<Figure[]> {
  const figures: Figure[] = [];
  const grown = Object.fromEntries(forms.map((form) => [form, { time: [], peak: [] }])) as unknown as Record<
    (typeof forms)[number],
    { time: [number, number][]; peak: [number, number][] }
  >;
  for (const [size, rounds] of Object.entries(sizes)) {
    const where = env(await peer.site({ users: Number(size) }));
    const commands: Record<string, Command> = {
      curl: ["curl", "--silent", "--fail", `${where.ZULIP_SITE}/api/v1/users`],
    };
    if (python) commands.python = [python, join(directory, "client.py")];
    for (const form of forms) {
      commands[form] = [...program, "users", "list", "-o", form];
      commands[`minimal ${form}`] = [process.execPath, join(directory, "minimal.mjs"), form];
    }
    const took = await inTurn(commands, where, { rounds });
    const count = Number(size).toLocaleString("en");
    for (const form of forms) {
      const others = {
        "minimal script": took[`minimal ${form}`]!,
        curl: took.curl!,
        ...(python && { python: took.python! }),
      };
      const ratios = (of: (took: Took[]) => number[]) =>
        Object.fromEntries(Object.entries(others).map(([name, other]) => [name, ratio(of(took[form]!), of(other))]));
      const time = spread(times(took[form]!));
      const isLargest = size === "100000";
      figures.push({
        what: `users list -o ${form}, ${count} users`,
        value: time,
        unit: "ms",
        ratios: ratios(times),
        ...(isLargest && { limit: { ratios: { "minimal script": limits[form].time } } }),
      });
      grown[form].time.push([Number(size) / 1000, time.median]);
      if (!peaks(took[form]!).length) continue;
      const peak = spread(peaks(took[form]!));
      figures.push({
        what: `  its memory`,
        value: peak,
        unit: "MiB",
        ratios: ratios(peaks),
        ...(size === "10" && { limit: { value: 60 } }),
        ...(isLargest && { limit: { ratios: { "minimal script": limits[form].peak } } }),
      });
      grown[form].peak.push([Number(size) / 1000, peak.median]);
    }
  }
  for (const form of forms)
    for (const [what, unit] of [
      ["time", "ms per 1,000"],
      ["peak", "MiB per 1,000"],
    ] as const) {
      const points = grown[form][what];
      if (!points.length) continue;
      const value = slope(points);
      figures.push({
        what: `users list -o ${form}, each 1,000 users more`,
        value: { median: value, low: value, high: value },
        unit,
        ratios: {},
      });
    }
  return figures;
}
