/** What the rows of a run say of memberships: none may say a thing twice, or take it back. */
import { type Change, desiredMemberships } from "../engine/change.ts";
import type { Earlier } from "../resolve/rosters.ts";

export interface Contradiction {
  message: string;
  /** The flag that says so. */
  at: string;
}

export class Memberships implements Earlier {
  /** By list and member, the line that adds it, or the negative of the line that removes it. */
  readonly #said = new Map<string, Map<number, number>>();
  /** By list, the line that says who is in it. */
  readonly #whole = new Map<string, number>();

  says(list: string, id: number): boolean | undefined {
    const line = this.#said.get(list)?.get(id);
    return line === undefined ? undefined : line > 0;
  }

  *all(list: string): Generator<[id: number, added: boolean]> {
    for (const [id, line] of this.#said.get(list) ?? []) yield [id, line > 0];
  }

  /** What contradicts an earlier row; where nothing does, the row counts for later ones. */
  examine(line: number, changes: readonly Change[]): Contradiction | undefined {
    const all = changes.flatMap((change) =>
      desiredMemberships(change).map((membership) => ({ ...membership, change })),
    );
    for (const { list, added, removed, flags, change } of all) {
      const said = this.#said.get(list);
      const whole = this.#whole.get(list);
      const sets = change.whole?.includes(list);
      if (whole !== undefined && (sets || added.length + removed.length > 0)) {
        const flag = sets ? flags.whole : added.length ? flags.added : flags.removed;
        return { message: `${flag}: line ${whole} says who is in the list already`, at: flag };
      }
      for (const [ids, flag, sign] of [
        [added, flags.added, 1],
        [removed, flags.removed, -1],
      ] as const) {
        const id = said && ids.find((each) => said.has(each));
        if (id === undefined) continue;
        const before = said?.get(id) ?? 0;
        const does = before * sign > 0 ? "does the same already" : "does the opposite";
        const at = sets ? flags.whole : flag;
        return { message: `${at} ${id}: line ${Math.abs(before)} ${does}`, at };
      }
    }
    for (const { list, added, removed, change } of all) {
      const said = this.#said.get(list) ?? new Map<number, number>();
      this.#said.set(list, said);
      for (const id of added) said.set(id, line);
      for (const id of removed) said.set(id, -line);
      if (change.whole?.includes(list)) this.#whole.set(list, line);
    }
    return undefined;
  }
}
