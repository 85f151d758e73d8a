/** An export that is fetched: as fast as curl fetches it, in memory that does not grow with it. */
import type { Bench } from "./bench.ts";
import { type Command, inTurn, ratio, run, spread } from "./measure.ts";
import type { Figure } from "./table.ts";

const sizes = { "50": 5, "500": 5 };

export async function downloads({ program, env, peer, file }: Bench): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [megabytes, rounds] of Object.entries(sizes)) {
    const where = env(await peer.site({ exported: Number(megabytes) * 1_000_000 }));
    const into = file(`export-${megabytes}`);
    const commands: Record<"zulipctl" | "curl", Command> = {
      zulipctl: [...program, "export", "download", "1", "--to", into, "--overwrite"],
      curl: ["curl", "--silent", "--fail", "--output", `${into}.curl`, `${where.ZULIP_SITE}/files/export`],
    };
    const took = await inTurn(commands, where, { rounds });
    await run(["rm", "-f", into, `${into}.curl`], where);
    const [own, curl] = [took.zulipctl, took.curl].map((all) => all.map(({ time }) => time)) as [number[], number[]];
    const what = `export download, ${megabytes} MB`;
    figures.push({ what, value: spread(own), unit: "ms", ratios: { curl: ratio(own, curl) } });
    const peaks = took.zulipctl.flatMap(({ peak }) => peak ?? []);
    if (peaks.length) figures.push({ what: `${what}, memory`, value: spread(peaks), unit: "MiB", ratios: {} });
  }
  return figures;
}
