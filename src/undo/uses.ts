/** Finds groups that servers would not deactivate, since something names them when the rest of the plan is done. */
import { deactivateGroup } from "../api/groups.ts";
import { joinFirst } from "../common/counted.ts";
import { usesIn } from "../organization/compare/whole-lists.ts";
import { applyTo } from "../organization/prediction.ts";
import { accessDifferences } from "./access.ts";
import type { Item } from "./item.ts";
import type { State } from "./state.ts";

/** Returns the items whose groups are still used, and by what. */
export async function usedGroups(items: readonly Item[], state: State): Promise<[item: Item, by: string][]> {
  const leaving = items.filter(({ changes }) => changes.some(({ operation }) => operation === deactivateGroup));
  if (!leaving.length) return [];
  const snapshot = await state.snapshot();
  if (!snapshot) return [];
  const uses = usesIn(applyTo(snapshot, accessDifferences(snapshot, items)));
  return leaving.flatMap((item): [Item, string][] => {
    const by = uses.get(`groups ${item.id}`) ?? [];
    const names = by.map((use) => use.by);
    return by.length ? [[item, joinFirst(names)]] : [];
  });
}
