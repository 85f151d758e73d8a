/** `zulipctl each`: 20 organizations from one process, next to a process for each. */
import { mkdirSync, writeFileSync } from "node:fs";
import type { Bench } from "./bench.ts";
import { inTurn, ratio, spread } from "./measure.ts";
import type { Figure } from "./table.ts";

const count = 20;

const loopName = `shell loop of ${count} processes`;

export async function each({ program, env, peer, file }: Bench): Promise<Figure[]> {
  const sites: string[] = [];
  while (sites.length < count) sites.push(await peer.site({ users: 100, channels: 50, delay: 20 }));
  const directory = file("organizations");
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeFileSync(`${directory}/key`, "abcdefghijklmnopqrstuvwxyz012345", { mode: 0o600 });
  const profile = (site: string) => ({ site, email: "ada@chat.example", store: "file", key_file: "key" });
  const profiles = Object.fromEntries(sites.map((site, n) => [`org${n}`, profile(site)]));
  writeFileSync(`${directory}/config.json`, JSON.stringify({ profiles }), { mode: 0o600 });
  const { ZULIP_SITE: _, ZULIP_EMAIL: __, ZULIP_API_KEY: ___, ...rest } = env("");
  const where = { ...rest, ZULIPCTL_CONFIG_DIR: directory };
  const figures: Figure[] = [];
  const cases = {
    "a list": ["channel", "list", "-o", "ndjson"],
    "a change": ["folder", "create", "Work", "--yes"],
  };
  for (const [what, words] of Object.entries(cases)) {
    const quoted = [...program, "--profile", "$name", ...words].map((word) =>
      word === "$name" ? '"$name"' : `'${word}'`,
    );
    const loop = `for n in $(seq 0 ${count - 1}); do name=org$n; ${quoted.join(" ")}; done`;
    const commands = {
      each: [...program, "each", "--quiet", "--", ...words],
      loop: ["sh", "-c", loop],
    };
    const took = await inTurn(commands, where, { rounds: 2 });
    const times = (name: keyof typeof commands) => took[name].map(({ time }) => time);
    figures.push({
      what: `each: ${what} of ${count} organizations, answers of 20 ms`,
      value: spread(times("each")),
      unit: "ms",
      ratios: { [loopName]: ratio(times("each"), times("loop")) },
      limit: { ratios: { [loopName]: 0.25 } },
    });
    const peaks = took.each.flatMap(({ peak }) => peak ?? []);
    if (peaks.length)
      figures.push({
        what: `each: memory of ${what} of ${count} organizations`,
        value: spread(peaks),
        unit: "MiB",
        ratios: {},
      });
  }
  return figures;
}
