/** Takes a group out of its own permissions. Servers deactivate no group that a permission names. */
import { deactivateGroup, updateGroup } from "../api/groups.ts";
import type { Change } from "../engine/change.ts";
import { fieldLabel } from "../model/field.ts";
import { groupPermissions } from "../model/group.ts";
import { whoIn } from "../model/permission.ts";
import { changeOf, type Thing } from "./item.ts";
import type { State } from "./state.ts";
import { identified, type Step } from "./things.ts";

/** Returns the change before a step, and a note about it. Both are empty if the step needs none. */
export async function released(
  state: State,
  thing: Thing,
  { operation }: Step,
): Promise<{ changes: readonly Change[]; notes: readonly string[] }> {
  if (operation !== deactivateGroup) return { changes: [], notes: [] };
  const at = identified(updateGroup, thing.id);
  const now = (await state.values(updateGroup, at)) ?? {};
  const nobody = [...(await state.groups()).values()].find(({ name }) => name === "role:nobody")?.id;
  const without = groupPermissions.flatMap((name) => {
    const { direct_members, direct_subgroups } = whoIn(now[name]);
    const others = direct_subgroups.filter((id) => id !== thing.id);
    const isNobody = !direct_members.length && !others.length;
    const kept = isNobody && nobody !== undefined ? nobody : { direct_members, direct_subgroups: others };
    const value = { new: kept, old: now[name] };
    return others.length < direct_subgroups.length ? [[name, value] as const] : [];
  });
  if (!without.length) return { changes: [], notes: [] };
  const what = without.map(([name]) => fieldLabel(name)).join(", ");
  const step = { operation: updateGroup, args: { ...at, ...Object.fromEntries(without) }, says: "updated", what };
  return { changes: [changeOf(thing, step)], notes: [`taken out of its own ${what} before`] };
}
