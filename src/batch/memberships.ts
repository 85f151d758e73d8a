/** What the rows of a run say of memberships: none may say a thing twice, or take it back. */
import type { Change } from "../engine/change.ts";

export class Memberships {
  /** By list and member, the line that adds it, or the negative of the line that removes it. */
  readonly #said = new Map<string, Map<number, number>>();

  /** What contradicts an earlier row, in words; where nothing does, the row counts for later ones. */
  examine(line: number, changes: readonly Change[]): string | undefined {
    const all = changes.flatMap(({ operation, args }) => operation.memberships?.(args) ?? []);
    for (const { list, added, removed, flags } of all) {
      const said = this.#said.get(list);
      for (const [ids, flag, sign] of [
        [added, flags.added, 1],
        [removed, flags.removed, -1],
      ] as const) {
        const id = said && ids.find((each) => said.has(each));
        if (id === undefined) continue;
        const before = said!.get(id)!;
        const same = before * sign > 0;
        return `${flag} ${id}: line ${Math.abs(before)} ${same ? "does the same already" : "does the opposite"}`;
      }
    }
    for (const { list, added, removed } of all) {
      const said = this.#said.get(list) ?? new Map<number, number>();
      this.#said.set(list, said);
      for (const id of added) said.set(id, line);
      for (const id of removed) said.set(id, -line);
    }
    return undefined;
  }
}
