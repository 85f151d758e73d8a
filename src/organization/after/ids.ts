/** Ids of what a plan makes, as if the server had given them: the next ones of each kind. */
import { keyOfKnown } from "../canonical.ts";
import type { Difference, Known, WhoValue } from "../difference.ts";
import { type LastIds, lastId, lastIds } from "../last-ids.ts";
import type { Snapshot } from "../snapshot.ts";

type Kind = keyof LastIds | "playgrounds";

export class Ids {
  readonly #ids = new Map<string, number>();
  readonly #nobody: number | undefined;

  constructor(snapshot: Snapshot, differences: readonly Difference[]) {
    const { organization } = snapshot;
    const last: Record<Kind, number> = { ...lastIds(snapshot), playgrounds: lastId(organization.realm_playgrounds) };
    for (const { section, name, action } of differences)
      if (action === "create" && Object.hasOwn(last, section))
        this.#ids.set(`${section} ${name}`, ++last[section as Kind]);
    this.#nobody = organization.realm_user_groups.find(({ name }) => name === "role:nobody")?.id;
  }

  of(kind: Kind, known: Known): number {
    return typeof known === "number" ? known : this.#ids.get(`${kind} ${keyOfKnown(known)}`)!;
  }

  all(kind: Kind, known: unknown): number[] {
    return (known as readonly Known[]).map((each) => this.of(kind, each));
  }

  /** As servers keep it: one group alone is its id, and nobody is the group of that role. */
  who(value: WhoValue): number | { direct_members: number[]; direct_subgroups: number[] } {
    const groups = this.all("groups", value.groups);
    if (!value.users.length && groups.length === 1) return groups[0]!;
    if (!value.users.length && !groups.length && this.#nobody !== undefined) return this.#nobody;
    return { direct_members: [...value.users], direct_subgroups: groups };
  }
}
