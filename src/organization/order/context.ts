/** What the sections have in common when they say what a difference takes. */
import type { GroupSetting } from "../../api/group-setting.ts";
import { provisional } from "../../engine/provisional-ids.ts";
import type { Difference, FieldChange, Known, Values, WhoValue } from "../difference.ts";
import type { Snapshot } from "../snapshot.ts";
import type { SectionName } from "../words.ts";
import type { OwnRights } from "./own-rights.ts";

export interface OrderContext {
  readonly snapshot: Snapshot;
  readonly ids: Ids;
  /** Of the caller. */
  readonly me: number;
  readonly rights: OwnRights;
  /** Names that things have for a while, by the number of the difference: others want theirs, and wait in a circle. */
  readonly asides: ReadonlyMap<number, string>;
  /** Nobody can have the name of somebody else at any moment. */
  readonly uniqueNames: boolean;
  /** People who are reactivated: they appear in groups and permissions again, which nobody could see before. */
  readonly returning: ReadonlySet<number>;
  /** People in one request at most. */
  readonly portion: number;
}

/** How requests name things: those that are there by their ids, those that the plan makes by provisional ones. */
export class Ids {
  readonly #made = new Map<string, number>();
  readonly #nobody: number | undefined;

  constructor({ organization }: Snapshot, differences: readonly Difference[]) {
    this.#nobody = organization.realm_user_groups.find(({ name }) => name === "role:nobody")?.id;
    for (const [of, { action, section, name }] of differences.entries())
      if (action === "create") this.#made.set(`${section} ${name}`, this.of(of));
  }

  /** The provisional id of what this difference makes. */
  of(difference: number): number {
    return provisional(difference + 1);
  }

  known(section: SectionName, known: unknown): number {
    if (typeof known === "number") return known;
    const made = this.#made.get(`${section} ${(known as Known & object).new}`);
    if (made === undefined) throw new Error(`the plan makes no ${JSON.stringify(known)} in ${section}`);
    return made;
  }

  all(section: SectionName, list: unknown): number[] {
    return listOf<Known>(list).map((each) => this.known(section, each));
  }

  /** The value of a permission, as requests have it. */
  who(value: unknown): GroupSetting {
    const { users, groups } = value as WhoValue;
    const ids = this.all("groups", groups);
    const [first] = ids;
    if (!users.length && ids.length === 1 && first !== undefined) return first;
    if (!users.length && !ids.length && this.#nobody !== undefined) return this.#nobody;
    return { direct_members: [...users], direct_subgroups: ids };
  }
}

/** A permission to be changed. What it is now is sent along where it has a form, and nobody returns whom it does not show. */
export function permissionArgument({ ids, returning }: OrderContext, to: unknown, old: unknown): unknown {
  const shown =
    typeof old === "number" || Object.values(Object(old)).some((list) => Array.isArray(list) && list.length > 0);
  return { new: ids.who(to), ...(shown && !returning.size && { old }) };
}

/** Attributes of channels and groups that are permissions. */
export const isPermission = (field: string): boolean => /^can_\w+_group$/.test(field);

export const listOf = <T>(value: unknown): readonly T[] => (value ?? []) as readonly T[];

/** By attribute, what is to be. */
export const valuesOf = (fields: readonly FieldChange[]): Values =>
  Object.fromEntries(fields.map(({ field, to }) => [field, to]));

/** Without members that are undefined. */
export const given = (all: Values): Record<string, unknown> =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));

/** What is in the first list and not in the second. */
export function without<T>(list: unknown, other: unknown): T[] {
  const words = new Set(listOf(other).map((each) => JSON.stringify(each)));
  return listOf<T>(list).filter((each) => !words.has(JSON.stringify(each)));
}

const groupsNamed = (value: unknown): unknown =>
  Array.isArray(value) ? value : (value as WhoValue | null | undefined)?.groups;

/** A group can be deactivated once nothing names it any more. */
export const releasedGroups = (from: unknown, to: unknown): string[] =>
  without<Known>(groupsNamed(from), groupsNamed(to)).map((id) => `group ${id} is released`);

/** The groups that the permissions of a record name, once it is archived or deactivated. */
export const releasedBy = (record: object | undefined): string[] =>
  Object.entries(record ?? {})
    .filter(([field]) => isPermission(field))
    .flatMap(([, value]) => (typeof value === "number" ? [value] : listOf<number>(Object(value).direct_subgroups)))
    .map((id) => `group ${id} is released`);

/** What takes a server longer than a minute gets no answer. */
export const largestPortion = 500;

/** What stands in one request each. */
export const portions = <T>({ portion }: OrderContext, all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / portion) }, (_, n) => all.slice(n * portion, (n + 1) * portion));

/** What the requests of one kind are called: `members`, `members 2`. */
export const numbered = (part: string, nth: number): string => (nth === 0 ? part : `${part} ${nth + 1}`);
