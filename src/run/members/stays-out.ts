/** Counts whom `--once` leaves out in a batch: the run says it once. */

import { counted } from "../../common/counted.ts";
import { programLine } from "../../output/line.ts";
import type { Context } from "../context.ts";
import { oncePerRun } from "../once-per-run.ts";

/** By list, people who stay out. */
const outOf = oncePerRun((_: Pick<Context, "names">) => new Map<string, Set<number>>());

/** Keeps that these people stay out of a list. */
export function staysOut(context: Context, list: string, people: ReadonlySet<number>): void {
  const lists = outOf(context);
  lists.set(list, new Set([...(lists.get(list) ?? []), ...people]));
}

/** Says how many stay out of how many lists, if any. */
export async function noteStaysOut(context: Context): Promise<void> {
  const lists = [...outOf(context).values()];
  if (!lists.length) return;
  const count = lists.reduce((sum, { size }) => sum + size, 0);
  const where = lists.length === 1 ? "" : ` (${counted(lists.length, "list")})`;
  await context.note(
    programLine(
      `--once: ${counted(count, "person", "people")} added before ${count === 1 ? "has" : "have"} left, and ${count === 1 ? "stays" : "stay"} out${where}`,
    ),
  );
}
