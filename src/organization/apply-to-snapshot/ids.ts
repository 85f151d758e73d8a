/** Ids of what a plan creates, as if the server had given them: the next ones of each section. */
import { keyOfKnown } from "../canonical.ts";
import type { Difference, Known, WhoValue } from "../difference.ts";
import { sections, thingSections } from "../file.ts";
import type { RecordIds } from "../sections/section.ts";
import type { Snapshot } from "../snapshot.ts";
import type { ThingSection } from "../words.ts";

export class Ids implements RecordIds {
  readonly #ids = new Map<string, number>();
  readonly #nobody: number | undefined;

  constructor(snapshot: Snapshot, differences: readonly Difference[]) {
    const { realm_user_groups } = snapshot.organization;
    for (const section of thingSections) {
      const names = differences.flatMap((one) =>
        one.section === section && one.action === "create" ? [one.name] : [],
      );
      if (!names.length) continue;
      const { records, id } = sections[section];
      // System groups share the ids of groups.
      const ids = section === "groups" ? realm_user_groups.map((group) => group.id) : records(snapshot).map(id);
      let last = ids.reduce((most: number, each = 0) => Math.max(most, each), 0);
      for (const name of names) this.#ids.set(`${section} ${name}`, ++last);
    }
    this.#nobody = realm_user_groups.find(({ name }) => name === "role:nobody")?.id;
  }

  of(section: ThingSection, known: Known): number {
    return typeof known === "number" ? known : (this.#ids.get(`${section} ${keyOfKnown(known)}`) ?? 0);
  }

  all(section: ThingSection, known: readonly Known[]): number[] {
    return known.map((each) => this.of(section, each));
  }

  /** As servers keep it: one group alone is its id, and nobody is the group of that role. */
  who(value: WhoValue): number | { direct_members: number[]; direct_subgroups: number[] } {
    const groups = this.all("groups", value.groups);
    const [only] = groups;
    if (!value.users.length && only !== undefined && groups.length === 1) return only;
    if (!value.users.length && !groups.length && this.#nobody !== undefined) return this.#nobody;
    return { direct_members: [...value.users], direct_subgroups: groups };
  }
}
