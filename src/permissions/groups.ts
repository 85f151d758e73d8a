/** What is in a group, and what uses it. */
import type { Group, Person } from "../organization/snapshot.ts";
import { subgroupsOf } from "./facts.ts";
import type { Cell, Judgement } from "./judgement.ts";

/** The groups that the value of a setting names. */
export const groupsNamedBy = ({ granted_to }: Pick<Cell, "granted_to">): readonly number[] =>
  granted_to === null ? [] : typeof granted_to === "number" ? [granted_to] : granted_to.direct_subgroups;

/** Everybody in a group who is active, directly or through other groups; bots too. */
export const peopleIn = ({ facts }: Judgement, group: number): Person[] => facts.people(facts.members(group));

/** The groups that are in a group directly. */
export const subgroups = ({ facts }: Judgement, group: Group): Group[] =>
  subgroupsOf(group).flatMap((id) => facts.groups.get(id) ?? []);

/** A group and those that it is in, directly or through others. */
export const containing = ({ facts }: Judgement, group: number): Set<number> =>
  new Set([...facts.groups.keys()].filter((id) => facts.reached([id]).has(group)));

/** The permissions whose setting names a group, or one that it is in: what changes for those who join or leave it. */
export function usesOf(judgement: Judgement, group: number): Cell[] {
  const all = containing(judgement, group);
  return [...judgement.cells()].filter((cell) => groupsNamedBy(cell).some((id) => all.has(id)));
}
