/** Looks up ids: real ids of existing things, provisional ids of things that the plan creates. */
import type { GroupSetting } from "../api/group-setting.ts";
import { provisional } from "../engine/provisional-ids.ts";
import { keyOfKnown, knownIn, nobodyIn } from "./canonical.ts";
import type { Difference, Known, WhoValue } from "./difference.ts";
import type { Snapshot } from "./snapshot.ts";
import type { SectionName, ThingSection } from "./words.ts";

export class Ids {
  readonly #made = new Map<string, number>();
  readonly #nobody: number | undefined;

  constructor(snapshot: Snapshot, differences: readonly Difference[]) {
    this.#nobody = nobodyIn(snapshot);
    for (const [n, { action, section, name }] of differences.entries())
      if (action === "create") this.#made.set(`${section} ${name}`, provisional(n + 1));
  }

  of(section: SectionName, known: Known): number {
    if (typeof known === "number") return known;
    const made = this.#made.get(`${section} ${keyOfKnown(known)}`);
    if (made === undefined) throw new Error(`the plan makes no ${JSON.stringify(known)} in ${section}`);
    return made;
  }

  all(section: ThingSection, list: unknown): number[] {
    return knownIn(list).map((each) => this.of(section, each));
  }

  /** Returns a permission as servers write it: an id for one group alone, and `role:nobody` for nobody. */
  who({ users, groups }: WhoValue): GroupSetting {
    const ids = this.all("groups", groups);
    const [first] = ids;
    if (!users.length && ids.length === 1 && first !== undefined) return first;
    if (!users.length && !ids.length && this.#nobody !== undefined) return this.#nobody;
    return { direct_members: [...users], direct_subgroups: ids };
  }
}
