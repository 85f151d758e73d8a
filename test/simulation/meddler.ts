/** Somebody else, who changes memberships that rows are about. */
import type { Chance } from "./chance.ts";
import type { Story } from "./life.ts";

/** Both ways of asking for one membership. */
export const both = (thing: string): string[] => [thing.replace(" - ", " + "), thing.replace(" + ", " - ")];

export function meddle(chance: Chance, { batches, state, meddled }: Story): void {
  const parts = batches.flatMap(({ wishes }) => wishes.flatMap(({ parts }) => parts));
  const things = parts.flatMap(({ things, membership }) => (membership ? things : []));
  if (!things.length) return;
  const thing = chance.of(things);
  const [group, , user] = thing.split(" ").map(Number) as [number, number, number];
  if (!state.users.has(user)) return;
  const { members } = state.groups.get(group)!;
  if (!members.delete(user)) members.add(user);
  for (const each of both(thing)) meddled.add(each);
}
