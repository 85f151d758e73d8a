/**
 * Makes things free to go. Servers deactivate no group that a permission names, its own ones too, and archive no folder that
 * has channels, archived ones too.
 */
import { updateChannel } from "../api/channels.ts";
import { updateFolder } from "../api/folders.ts";
import { deactivateGroup, updateGroup } from "../api/groups.ts";
import { joinFirst } from "../common/counted.ts";
import type { Change } from "../engine/change.ts";
import { fieldLabel } from "../model/field.ts";
import { groupPermissions } from "../model/group.ts";
import { whoIn } from "../model/permission.ts";
import { changeOf } from "./item.ts";
import { identified, type Step } from "./kind-steps.ts";
import type { Planning } from "./planning.ts";
import type { State } from "./state.ts";
import type { Thing } from "./thing.ts";

const nobodyIn = async (state: State): Promise<number | undefined> =>
  [...(await state.groups()).values()].find(({ name }) => name === "role:nobody")?.id;

/** Returns a permission without a group. The other groups are sorted, and nobody is left out. */
const without = (value: unknown, ids: readonly unknown[]) => {
  const { direct_members, direct_subgroups } = whoIn(value);
  return {
    direct_members: [...direct_members].sort(),
    direct_subgroups: direct_subgroups.filter((id) => !ids.includes(id)).sort(),
  };
};

/** Returns whether two values of a permission differ in the group itself alone: an earlier undo has taken it out. */
export async function differsByItself(state: State, id: unknown, one: unknown, other: unknown): Promise<boolean> {
  const ids = [id, await nobodyIn(state)];
  return JSON.stringify(without(one, ids)) === JSON.stringify(without(other, ids));
}

interface Release {
  readonly changes: readonly Change[];
  readonly notes: readonly string[];
}

/** Takes archived channels out of a folder. Others are in use there. */
async function emptied({ state, removed }: Planning, folder: Thing): Promise<Release> {
  const leaving = [...(await state.channels()).values()].filter(
    ({ folder_id, stream_id, is_archived }) =>
      folder_id === folder.id && (is_archived || removed.has(`channel ${stream_id}`)),
  );
  const changes = leaving.map(({ name, stream_id }) => {
    const args = { stream_id, folder_id: null };
    const step = { operation: updateChannel, args, says: "updated", what: fieldLabel("folder_id") };
    return changeOf({ kind: "channel", name, run: folder.run }, step);
  });
  const names = leaving.map(({ name }) => name);
  return { changes, notes: names.length ? [`taken out of it before: ${joinFirst(names, 10)}`] : [] };
}

/** Returns the changes before a step, and a note about them. Both are empty if the step needs none. */
export async function released(planning: Planning, thing: Thing, { operation, args }: Step): Promise<Release> {
  const { state } = planning;
  if (operation === updateFolder && args.is_archived === true) return emptied(planning, thing);
  if (operation !== deactivateGroup) return { changes: [], notes: [] };
  const at = identified(updateGroup, thing.id);
  const now = (await state.values(updateGroup, at)) ?? {};
  const nobody = await nobodyIn(state);
  const values = groupPermissions.flatMap((name) => {
    if (!whoIn(now[name]).direct_subgroups.some((id) => id === thing.id)) return [];
    const who = without(now[name], [thing.id]);
    const isNobody = !who.direct_members.length && !who.direct_subgroups.length;
    return [[name, { new: isNobody && nobody !== undefined ? nobody : who, old: now[name] }] as const];
  });
  if (!values.length) return { changes: [], notes: [] };
  const what = values.map(([name]) => fieldLabel(name)).join(", ");
  const step = { operation: updateGroup, args: { ...at, ...Object.fromEntries(values) }, says: "updated", what };
  return { changes: [changeOf(thing, step)], notes: [`taken out of its own ${what} before`] };
}
