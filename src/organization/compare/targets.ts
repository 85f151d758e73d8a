/** The things that names in a file may refer to: those that exist, and those that the file creates. */
import { groupBy } from "../../common/group-by.ts";
import type { ThingId } from "../difference.ts";
import type { Pairing } from "./match.ts";

export interface Target {
  readonly id: ThingId;
  readonly name: string;
  /** Archived after the plan: because the file says so, or already. */
  readonly archived?: "by the file" | "already" | undefined;
  /** The file has an entry for it. */
  readonly isListed: boolean;
}

/** Prefers active things, and among these the things that the file lists. */
const rank = ({ archived, isListed }: Target): number => (archived ? 0 : isListed ? 2 : 1);

/** Returns the targets by name, and what things are called after the plan. */
export function targetsOf({ things, pairs }: Pairing) {
  const pairOf = new Map(pairs.map((pair) => [pair.thing, pair]));
  const existing = things.map((thing): Target & { readonly key: string } => {
    const pair = pairOf.get(thing);
    const { name, key } = pair ?? thing;
    const already = pair?.archives !== false && thing.archived ? "already" : undefined;
    const archived = already ?? (pair?.archives ? "by the file" : undefined);
    return { id: thing.id ?? { new: name }, name, key, archived, isListed: pair !== undefined };
  });
  const created = pairs.flatMap(({ thing, name, key, archives }) => {
    const archived = archives ? ("by the file" as const) : undefined;
    return thing ? [] : [{ id: { new: name }, name, key, archived, isListed: true }];
  });
  /** Several targets if active things share a name. */
  const byKey = new Map<string, readonly Target[]>();
  for (const [key, all] of groupBy([...existing, ...created], (each) => each.key)) {
    const best = Math.max(...all.map(rank));
    const preferred = all.filter((each) => rank(each) === best);
    byKey.set(key, best ? preferred : preferred.slice(0, 1));
  }
  /** By current key, the name after the plan. */
  const names = new Map(things.map((thing) => [thing.key, (pairOf.get(thing) ?? thing).name]));
  return { byKey, names };
}
