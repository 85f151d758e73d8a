/** The plan of an undo, compared with the check of the batch that it takes back. */
import { writeFile } from "node:fs/promises";
import type { Bench } from "./bench.ts";
import { inTurn, ratio, run, spread } from "./measure.ts";
import { serving } from "./organization.ts";
import type { Figure } from "./table.ts";

const size = { people: 4000, channels: 0, groups: 4 };
const all = <T>(count: number, one: (n: number) => T) => Array.from({ length: count }, (_, n) => one(n));
const address = (person: number) => `p${person}@chat.example`;

const world = () =>
  JSON.stringify({
    users: all(size.people, (n) => ({
      key: `p${n}`,
      full_name: `Person Number ${n}`,
      email: address(n),
      role: n ? 400 : 100,
    })),
    groups: all(size.groups, (n) => ({ name: `group ${n}`, description: "", members: [] })),
  });

/** The number of changes. */
const count = 10_000;

export async function undo({ program, env, file }: Bench): Promise<Figure[]> {
  const { account, close } = await serving(size, { again: false, text: world() });
  try {
    const where = { ...env(""), ...account };
    const rows = file("added.csv");
    const row = (n: number) => `group ${n % size.groups},${address(1 + Math.floor(n / size.groups))}`;
    await writeFile(rows, `group,person\n${all(count, row).join("\n")}\n`);
    const batch = [...program, "batch", rows, "-o", "none", "--quiet", "--yes"];
    const words = ["--", "group", "members", "{group}", "--add", "{person}"];
    await run([...batch, ...words], where);
    const commands = {
      undo: [...program, "undo", "last", "--dry-run", "--max-removals", "100%"],
      batch: [...batch, "--dry-run", ...words],
    };
    const took = await inTurn(commands, where, { rounds: 3 });
    const times = (name: keyof typeof took) => took[name].map(({ time }) => time);
    return [
      {
        what: `undo: the plan of ${count.toLocaleString("en")} changes`,
        value: spread(times("undo")),
        unit: "ms",
        ratios: { "the batch checked": ratio(times("undo"), times("batch")) },
        limit: { value: 3000 },
      },
    ];
  } finally {
    await close();
  }
}
