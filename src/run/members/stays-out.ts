/** `--once`: leaves out people whom an earlier run added and who are out again. A batch says it once for all rows. */

import { counted } from "../../common/counted.ts";
import { programLine } from "../../output/line.ts";
import type { Context } from "../context.ts";
import { oncePerRun } from "../once-per-run.ts";
import type { CurrentLists } from "./requests.ts";
import type { ListChange, MembersSpec, Owner } from "./spec.ts";

/** By list, people who stay out. */
const outOf = oncePerRun((_: Pick<Context, "names">) => new Map<string, Set<number>>());

/** `3 people stay out`. */
export const stayOut = (count: number): string =>
  `${counted(count, "person", "people")} ${count === 1 ? "stays" : "stay"} out`;

/** `--once: 3 people added before have left group "a", and stay out`. */
const leftText = (count: number, where = ""): string =>
  `--once: ${counted(count, "person", "people")} added before ${count === 1 ? "has" : "have"} left${where}, and ${count === 1 ? "stays" : "stay"} out`;

/** Returns whom an earlier run added to a channel or group and who are out again, and says so. */
export async function peopleWhoLeft(
  context: Context,
  { of }: MembersSpec,
  owner: Owner,
  desired: readonly ListChange[],
  lists: CurrentLists | undefined,
): Promise<ReadonlySet<number>> {
  const thing = `${of} ${owner.id}`;
  const { addedEarlier } = await import("./added-earlier.ts");
  const earlier = await addedEarlier(context, thing);
  const left = new Set(
    desired.flatMap(({ list, added }) =>
      list.kind.kind === "user" ? added.filter((id) => earlier.has(id) && !lists?.get(list)?.has(id)) : [],
    ),
  );
  if (!left.size) return left;
  if (context.line === undefined) await context.note(programLine(leftText(left.size, ` ${of} "${owner.typed}"`)));
  else {
    const all = outOf(context);
    all.set(thing, new Set([...(all.get(thing) ?? []), ...left]));
  }
  return left;
}

/** Says how many stay out of how many lists, if any. */
export async function noteStaysOut(context: Context): Promise<void> {
  const lists = [...outOf(context).values()];
  if (!lists.length) return;
  const count = lists.reduce((sum, { size }) => sum + size, 0);
  const where = lists.length === 1 ? "" : ` (${counted(lists.length, "list")})`;
  await context.note(programLine(leftText(count) + where));
}
