/** By which groups somebody is in the value of a setting. */
import type { GroupSetting } from "../api/group-setting.ts";
import { type Facts, partsOf, subgroupsOf } from "./facts.ts";

/** Ids of groups, the outermost first; none where the value names the person. */
export type Path = readonly number[];

/** Every path once, the shortest first, those of one length by the names of their groups. A circle ends the path. */
export function* paths(facts: Facts, value: GroupSetting, person: number): Generator<Path> {
  const { direct_members, direct_subgroups } = partsOf(value);
  if (direct_members.includes(person)) yield [];
  const place = facts.place(person);
  if (place === undefined) return;
  const name = (id: number): string => facts.groups.get(id)?.name ?? "";
  const inside = (ids: readonly number[]): number[] =>
    [...new Set(ids)]
      .filter((id) => facts.groups.has(id) && facts.members(id).has(place))
      .sort((one, other) => (name(one) < name(other) ? -1 : name(one) > name(other) ? 1 : one - other));

  const starts = inside(direct_subgroups);
  const met = [...facts.reached(starts)].filter((id) => facts.groups.has(id) && facts.members(id).has(place));
  const below = new Map(met.map((id) => [id, inside(subgroupsOf(facts.groups.get(id)!))]));
  // Which groups lead to one with the person in as many steps: so no path is begun that leads nowhere.
  let steps = [new Set(met.filter((id) => facts.groups.get(id)!.members.includes(person)))];

  function* on(path: readonly number[], left: number): Generator<Path> {
    if (left === 0) yield path;
    else
      for (const next of below.get(path.at(-1)!) ?? [])
        if (steps[left - 1]?.has(next) && !path.includes(next)) yield* on([...path, next], left - 1);
  }

  for (let length = 0; length < met.length; length++) {
    const last = steps[length];
    if (!last?.size) return;
    for (const start of starts) if (last.has(start)) yield* on([start], length);
    steps = [...steps, new Set(met.filter((id) => below.get(id)!.some((sub) => last.has(sub))))];
  }
}
