/** Somebody else, who changes memberships that rows are about. */
import type { Chance } from "./chance.ts";
import type { Story } from "./life.ts";
import { targetOf } from "./organization.ts";

/** Both ways of asking for one membership. */
export const both = (thing: string): string[] => [thing.replace(" - ", " + "), thing.replace(" + ", " - ")];

export function meddle(chance: Chance, { batches, state, meddled, people }: Story): void {
  const parts = batches.flatMap(({ wishes }) => wishes.flatMap(({ parts }) => parts));
  const things = parts.flatMap(({ things, membership }) => (membership ? things : []));
  if (!things.length) return;
  const thing = chance.of(things);
  const user = Number(thing.split(" ")[2]);
  if (!state.users.has(user)) return;
  const of = targetOf(thing);
  const channel = people.channels.find(({ name }) => `#${name}` === of);
  const members = channel ? state.channels.get(channel.id)!.subscribers : state.groups.get(Number(of))!.members;
  if (!members.delete(user)) members.add(user);
  for (const each of both(thing)) meddled.add(each);
}
