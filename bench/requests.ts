/** Many requests through the client, compared with a bare loop over undici. */
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { inTurn, ratio, spread, type Took } from "./measure.ts";
import type { Figure } from "./table.ts";

const count = 2000;

export async function manyRequests({ directory, env, peer }: Bench): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const keep of [true, false]) {
    const where = env(await peer.site({ delay: 5, keep }));
    const many = (who: string) => [process.execPath, join(directory, "many.js"), who, String(count)];
    const took = await inTurn({ client: many("client"), bare: many("bare") }, where, { rounds: 5, quietly: false });
    const rates = (all: Took[]) => all.map(({ out }) => (count * 1000) / Number(out));
    const how = `${count.toLocaleString("en")} changes, one at a time, answers of 5 ms, ${keep ? "with" : "without"} keep-alive`;
    figures.push({
      what: how,
      value: spread(rates(took.client)),
      unit: "requests/s",
      ratios: { "bare undici loop": ratio(rates(took.client), rates(took.bare)) },
    });
  }
  return figures;
}
