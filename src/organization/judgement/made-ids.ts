/** The ids of what a plan makes, as far as it is there, in the place of the names by which the plan speaks of it. */
import { keyOfKnown } from "../canonical.ts";
import type { Creation, Difference, FieldChange, Known, Values, WhoValue } from "../difference.ts";
import type { SectionName } from "../words.ts";

export const bySize = (a: number, b: number): number => a - b;

const byId = (all: readonly unknown[]): unknown[] => [
  ...all.filter((each) => typeof each === "number").sort(bySize),
  ...all.filter((each) => typeof each !== "number"),
];

/** Permissions, also those of the organization, which may be of several things: `can_create_groups`. */
const isPermission = (field: string): boolean => /_group$/.test(field) || /^can_\w+$/.test(field);

/** A value with something else for each of the names by which the plan speaks of what it makes. */
function mapped(
  section: SectionName,
  field: string,
  value: unknown,
  by: (known: Known & object, of: SectionName) => unknown,
): unknown {
  const known = (each: unknown, of: SectionName): unknown =>
    typeof each === "object" && each !== null && "new" in each ? by(each as Known & object, of) : each;
  if (field === "folder") return known(value, "folders");
  if (section === "settings" && !isPermission(field)) return known(value, "channels");
  if (field === "subgroups") return (value as Known[]).map((each) => known(each, "groups"));
  if (section === "people" && (field === "groups" || field === "channels"))
    return (value as Known[]).map((each) => known(each, field));
  if (!isPermission(field)) return value;
  const { users, groups } = value as WhoValue;
  return { users, groups: byId(groups.map((each) => known(each, "groups"))) };
}

export class MadeIds {
  readonly #ids = new Map<string, number>();

  add({ section, name }: Difference, id: number): void {
    this.#ids.set(`${section} ${name}`, id);
  }

  /** Undefined where it is not there. */
  of(section: SectionName, known: Known): number | undefined {
    return this.#ids.get(`${section} ${keyOfKnown(known)}`);
  }

  /** A value that was planned. */
  resolved(section: SectionName, field: string, value: unknown): unknown {
    return mapped(section, field, value, (known, of) => this.of(of, known) ?? known);
  }

  /** The first of these, `channels design`, that something names and that is not there. */
  lackingIn(left: Difference, among: ReadonlySet<string>): string | undefined {
    const { section } = left;
    const found: string[] = [];
    const see = (known: Known, of: SectionName) => {
      const called = `${of} ${keyOfKnown(known)}`;
      if (among.has(called) && this.of(of, known) === undefined) found.push(called);
      return known;
    };
    if (left.action === "reorder") for (const each of left.to) if (typeof each === "object") see(each, section);
    if ("fields" in left)
      for (const { field, to, of } of left.fields) {
        if (of && typeof of.field === "object") see(of.field, "profile_fields");
        mapped(section, field, to, see);
      }
    if (left.action === "create" || left.action === "invite")
      for (const [field, to] of Object.entries(left.to)) mapped(section, field, to, see);
    return found[0];
  }

  identified(left: Difference): Difference {
    const { section } = left;
    const value = (field: string, to: unknown) => this.resolved(section, field, to);
    if ("fields" in left) {
      const fields = left.fields.map((change): FieldChange => {
        const id = change.of && typeof change.of.field !== "number" && this.of("profile_fields", change.of.field);
        return {
          ...change,
          to: value(change.field, change.to),
          ...(change.of && typeof id === "number" && { of: { ...change.of, field: id } }),
        };
      });
      return { ...left, fields };
    }
    return left.action === "create" || left.action === "invite" ? { ...left, to: this.values(left) } : left;
  }

  /** What something is to be made with. */
  values({ section, to }: Creation): Values {
    return Object.fromEntries(
      Object.entries(to).map(([field, value]) => [field, this.resolved(section, field, value)]),
    );
  }
}
