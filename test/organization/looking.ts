/** A plan looked at once more, beside a sandbox in which things may have happened meanwhile: a line for each difference. */
import type { Difference, FieldChange } from "../../src/organization/difference.ts";
import type { Judgement, MadeSoFar } from "../../src/organization/judgement/verdict.ts";
import { judge } from "../../src/organization/judgement.ts";
import { addGroup, type State } from "../../src/sandbox/index.ts";
import { fresh } from "../run.ts";
import { snapshotIn } from "./snapshots.ts";

export interface Meanwhile {
  readonly level?: number;
  readonly given?: (state: State) => void;
  readonly known?: Partial<MadeSoFar>;
}

const nothingMade: MadeSoFar = {
  made: new Map(),
  asked: new Map(),
  given: new Map(),
  gone: new Set(),
  emptied: new Map(),
};

const change = ({ field, of, from, to }: FieldChange): string =>
  `${field}${of ? ` ${JSON.stringify(of.field)}` : ""}: ${JSON.stringify(from)} → ${JSON.stringify(to)}`;

function left(difference: Difference): string {
  const { section, action, name } = difference;
  const one = `${action} ${section} ${name}`;
  if ("fields" in difference) return [`${one} (${difference.id})`, ...difference.fields.map(change)].join("; ");
  if (action === "remove") return `${one} (${difference.id})`;
  if (action === "reorder") return `${one}: ${JSON.stringify(difference.from)} → ${JSON.stringify(difference.to)}`;
  return `${one}: ${JSON.stringify(difference.to)}`;
}

const told = (judgement: Judgement): string =>
  judgement.is === "open"
    ? left(judgement.left)
    : judgement.is === "conflict"
      ? `it ${judgement.says}`
      : `${judgement.is}${judgement.id === undefined ? "" : `, ${judgement.id}`}`;

export async function judged(
  differences: readonly Difference[],
  { level = 478, given, known }: Meanwhile = {},
): Promise<string[]> {
  const sandbox = fresh({ level });
  given?.(sandbox.state);
  return judge(await snapshotIn(sandbox), differences, { ...nothingMade, ...known }).map(told);
}

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
