/** The channels of a folder out of five thousand. */
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { type Command, inTurn, ratio, spread, type Took } from "./measure.ts";
import type { Figure } from "./table.ts";

const times = (took: Took[]) => took.map(({ time }) => time);

export async function channels({ program, directory, env, peer }: Bench): Promise<Figure[]> {
  const where = env(await peer.site({ channels: 5000 }));
  const forms = ["json", "ids"];
  const commands: Record<string, Command> = {};
  for (const form of forms) {
    commands[form] = [...program, "channel", "list", "--folder", "Projects", "-o", form];
    commands[`minimal ${form}`] = [process.execPath, join(directory, "folder.mjs"), form];
  }
  const took = await inTurn(commands, where, { rounds: 11 });
  return forms.map((form) => ({
    what: `channel list --folder -o ${form}, 5,000 channels`,
    value: spread(times(took[form]!)),
    unit: "ms",
    ratios: { "minimal script": ratio(times(took[form]!), times(took[`minimal ${form}`]!)) },
  }));
}
