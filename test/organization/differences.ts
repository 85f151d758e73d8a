/** Differences, and what an organization is like. */
import type { Difference, FieldChange } from "../../src/organization/difference.ts";
import type { State } from "../../src/sandbox/index.ts";
import { addGroup } from "../../src/sandbox/index.ts";

export const group = (state: State, name: string) => [...state.groups.values()].find((each) => each.name === name)!;

/** Gives it other members. */
export const set = <T extends object>(one: T, members: Partial<T>): void => void Object.assign(one, members);

export const update = (
  section: Difference["section"],
  id: number | undefined,
  name: string,
  fields: FieldChange[],
  action: "update" | "archive" | "unarchive" | "deactivate" | "reactivate" = "update",
): Difference => ({ section, name, action, fields, ...(id !== undefined && { id }) });

export const create = (section: Difference["section"], name: string, to: object): Difference => ({
  section,
  name,
  action: "create",
  to: { ...to },
});

export const groups = (...some: unknown[]) => ({ users: [], groups: some });
export const crew = { new: "crew" };

/** A group that is there by now, which the plan was to make. */
export const crewIsThere = (state: State) => {
  addGroup(state, { now: 0 }, { name: "crew", description: "All of us", creator_id: 8, members: [] });
};
export const crewMade = create("groups", "crew", { name: "crew", description: "All of us", members: [] });
