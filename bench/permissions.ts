/** Who may do what in a large organization, out of a kept snapshot: all of it, and one answer that takes the same reading. */
import { writeFile } from "node:fs/promises";
import { large } from "../test/permissions/report/large.ts";
import type { Bench } from "./bench.ts";
import { inTurn, ratio, spread } from "./measure.ts";
import type { Figure } from "./table.ts";

const size = { people: 5000, channels: 500, groups: 300 };

export async function permissions({ program, env, file }: Bench): Promise<Figure[]> {
  const path = file("organization.json");
  await writeFile(path, JSON.stringify(large(size)));
  const command = (...words: string[]) => [...program, "permissions", ...words, "--from", path];
  const took = await inTurn(
    {
      all: command("list", "-o", "json"),
      one: command("list", "--scope", "organization", "--permission", "can_create_groups", "-o", "json"),
    },
    env(""),
    { rounds: 7 },
  );
  const times = (name: keyof typeof took) => took[name].map(({ time }) => time);
  const peaks = took.all.map(({ peak }) => peak).filter((peak) => peak !== undefined);
  const [people, channels, groups] = Object.values(size).map((count) => count.toLocaleString("en"));
  return [
    {
      what: `permissions list -o json, ${people} people, ${channels} channels, ${groups} groups`,
      value: spread(times("all")),
      unit: "ms",
      ratios: { "one permission": ratio(times("all"), times("one")) },
    },
    ...(peaks.length ? [{ what: "  its memory", value: spread(peaks), unit: "MiB" as const, ratios: {} }] : []),
  ];
}
