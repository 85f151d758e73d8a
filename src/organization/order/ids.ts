/** How requests name things: those that are there by their ids, those that the plan makes by provisional ones. */
import type { GroupSetting } from "../../api/group-setting.ts";
import { provisional } from "../../engine/provisional-ids.ts";
import type { Difference, Known, WhoValue } from "../difference.ts";
import type { Snapshot } from "../snapshot.ts";
import type { SectionName } from "../words.ts";

export class Ids {
  readonly #made = new Map<string, number>();
  readonly #nobody: number | undefined;

  constructor({ organization }: Snapshot, differences: readonly (Difference | undefined)[]) {
    this.#nobody = organization.realm_user_groups.find(({ name }) => name === "role:nobody")?.id;
    for (const [of, difference] of differences.entries())
      if (difference?.action === "create") this.#made.set(`${difference.section} ${difference.name}`, this.of(of));
  }

  /** The provisional id of what this difference makes. */
  of(difference: number): number {
    return provisional(difference + 1);
  }

  known(section: SectionName, known: Known): number {
    if (typeof known === "number") return known;
    const made = this.#made.get(`${section} ${known.new}`);
    if (made === undefined) throw new Error(`the plan makes no "${known.new}" in ${section}`);
    return made;
  }

  all(section: SectionName, list: unknown): number[] {
    return (list as readonly Known[]).map((each) => this.known(section, each));
  }

  /** The value of a permission, as requests have it. */
  who(value: unknown): GroupSetting {
    const { users, groups } = value as WhoValue;
    const ids = this.all("groups", groups);
    if (!users.length && ids.length === 1) return ids[0]!;
    if (!users.length && !ids.length && this.#nobody !== undefined) return this.#nobody;
    return { direct_members: [...users], direct_subgroups: ids };
  }
}
