/** Counts whom `--once` leaves out in a batch: the run says it once. */

import { counted } from "../../common/counted.ts";
import { programLine } from "../../output/line.ts";
import type { Context } from "../context.ts";

/** By run and list, people who stay out. */
const left = new WeakMap<Context["names"], Map<string, Set<number>>>();

/** Keeps that these people stay out of a list. */
export function staysOut({ names }: Context, list: string, people: ReadonlySet<number>): void {
  const lists = left.get(names) ?? new Map<string, Set<number>>();
  left.set(names, lists);
  lists.set(list, new Set([...(lists.get(list) ?? []), ...people]));
}

/** Says how many stay out of how many lists, if any. */
export async function noteStaysOut({ names, note }: Context): Promise<void> {
  const lists = [...(left.get(names)?.values() ?? [])];
  if (!lists.length) return;
  const count = lists.reduce((sum, { size }) => sum + size, 0);
  const where = lists.length === 1 ? "" : ` (${counted(lists.length, "list")})`;
  await note(
    programLine(
      `--once: ${counted(count, "person", "people")} added before ${count === 1 ? "has" : "have"} left, and ${count === 1 ? "stays" : "stay"} out${where}`,
    ),
  );
}
