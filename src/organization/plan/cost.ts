/** Whom a plan writes to. */
import type { Difference } from "../difference.ts";
import { everybodyOf, type Snapshot } from "../snapshot.ts";

/**
 * How many people get a direct message: those who are put into channels that are there, and into or out of groups that
 * are there. What is made with people in it writes to none, and nobody is written to for what they do themselves.
 */
export function messagesOf({ organization, ...snapshot }: Snapshot, differences: readonly Difference[]): number {
  const bots = new Set(
    everybodyOf({ organization, ...snapshot }).flatMap(({ is_bot, user_id }) => (is_bot ? [user_id] : [])),
  );
  const people = new Set<number>();
  for (const one of differences) {
    if (!("fields" in one) || one.prune) continue;
    for (const { field, from, to } of one.fields) {
      if (field !== "subscribers" && field !== "members") continue;
      const [before, then] = [from, to].map((list) => new Set((list ?? []) as readonly number[]));
      for (const id of then!) if (!before!.has(id)) people.add(id);
      if (field === "members") for (const id of before!) if (!then!.has(id)) people.add(id);
    }
  }
  people.delete(organization.user_id);
  return [...people].filter((id) => !bots.has(id)).length;
}
