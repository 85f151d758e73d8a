/** Groups that would be among their own subgroups, which no server takes. */
import { keyOfKnown, knownIn, same } from "../canonical.ts";
import type { Difference, Known } from "../difference.ts";
import { reached } from "../group-members.ts";
import type { Comparing } from "./comparing.ts";

type Key = number | string;

interface Wished {
  readonly key: Key;
  readonly name: string;
  readonly subgroups: readonly Known[];
  readonly added: readonly Known[];
}

/** What a difference makes of a group's subgroups; undefined where it leaves them. */
function wishedBy(one: Difference): Wished | undefined {
  if (one.section !== "groups") return undefined;
  const { name } = one;
  if (one.action === "create") {
    const subgroups = knownIn(one.to.subgroups);
    return { key: name, name, subgroups, added: subgroups };
  }
  if (!("fields" in one)) return undefined;
  const { id = name, fields } = one;
  const change = fields.find(({ field }) => field === "subgroups");
  if (!change) return undefined;
  const [before, subgroups] = [knownIn(change.from), knownIn(change.to)];
  const added = subgroups.filter((each) => !before.some((other) => same(each, other)));
  return { key: id, name, subgroups, added };
}

/**
 * Refuses each group that gets a subgroup in which it is itself, whoever has put it there. Gives the differences without
 * that where the group is new: there is no order in which groups could be made that are in each other.
 */
export function refuseNesting(
  { present, findings, pairings }: Comparing,
  differences: readonly Difference[],
): readonly Difference[] {
  const wished = differences.flatMap((one) => wishedBy(one) ?? []);
  const within = new Map<Key, readonly Known[]>(
    present.groups
      .filter(({ away }) => !away)
      .map((group) => [group.id ?? group.name, knownIn(group.tell("subgroups"))]),
  );
  for (const { key, subgroups } of wished) within.set(key, subgroups);
  const called = (key: Key) => present.groups.find(({ id }) => id === key)?.name ?? key;

  const refused = new Map<Key, readonly Known[]>();
  for (const { key, name, added } of wished) {
    const ways = added.filter((each) => reached([keyOfKnown(each)], (at) => within.get(at)?.map(keyOfKnown)).has(key));
    const [way] = ways;
    if (way === undefined) continue;
    refused.set(key, ways);
    const { path } = pairings.groups.pairs.find((each) => (each.thing?.id ?? each.name) === key)!;
    const says = `cannot have the subgroup ${called(keyOfKnown(way))}: the group would contain itself`;
    findings.refuse({ section: "groups", name, field: "subgroups", says, path: [...path, "subgroups"] });
  }
  return differences.map((one): Difference => {
    const ways = refused.get(one.name);
    if (!ways || one.section !== "groups" || one.action !== "create") return one;
    return { ...one, to: { ...one.to, subgroups: knownIn(one.to.subgroups).filter((each) => !ways.includes(each)) } };
  });
}
