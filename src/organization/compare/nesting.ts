/** Groups that would be among their own subgroups, which no server takes. */
import { keyOfKnown, same } from "../canonical.ts";
import type { Difference, Known, Update } from "../difference.ts";
import { reached } from "../reach.ts";
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
    const subgroups = (one.to.subgroups ?? []) as Known[];
    return { key: name, name, subgroups, added: subgroups };
  }
  const { id, fields } = one as Update;
  const change = fields.find(({ field }) => field === "subgroups");
  if (!change) return undefined;
  const [before, subgroups] = [(change.from ?? []) as Known[], change.to as Known[]];
  const added = subgroups.filter((each) => !before.some((other) => same(each, other)));
  return { key: id!, name, subgroups, added };
}

/** Refuses each group that gets a subgroup in which it is itself, whoever has put it there. */
export function refuseNesting({ present, findings, pairings }: Comparing, differences: readonly Difference[]): void {
  const wished = differences.flatMap((one) => wishedBy(one) ?? []);
  const within = new Map<Key, readonly Known[]>(
    present.groups.filter(({ away }) => !away).map((group) => [group.id!, (group.tell("subgroups") ?? []) as Known[]]),
  );
  for (const { key, subgroups } of wished) within.set(key, subgroups);
  const called = (key: Key) => present.groups.find(({ id }) => id === key)?.name ?? key;

  for (const { key, name, added } of wished) {
    const way = added.find((each) => reached([keyOfKnown(each)], (at) => within.get(at)?.map(keyOfKnown)).has(key));
    if (way === undefined) continue;
    const { path } = pairings.groups.pairs.find((each) => (each.thing?.id ?? each.name) === key)!;
    const says = `cannot have the subgroup ${called(keyOfKnown(way))}: it would be a subgroup of itself`;
    findings.refuse({ section: "groups", name, field: "subgroups", says, path: [...path, "subgroups"] });
  }
}
