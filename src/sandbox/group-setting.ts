/** Updates of permissions: `{"new": …, "old": …}` with a group, or people and groups together. */
import type { GroupSetting, GroupSettingUpdate } from "../api/group-setting.ts";
import { ApiError, Broken, refused } from "./api-error.ts";
import { aList, anInteger, type Check, type Decoder, fromJson, member } from "./decode.ts";
import { type SystemGroup, shownSetting, systemGroup } from "./groups.ts";
import { isObject, type Json } from "./json.ts";
import type { PermissionRule } from "./permission-rules.ts";
import type { State } from "./state.ts";

// Of the two types the server tries, it reports the failure of the first, a whole number.
const aSetting: Check<GroupSetting> = (value, path) => {
  if (!isObject(value)) return anInteger(value, `${path}["int"]`);
  try {
    return {
      direct_members: member(value, "direct_members", path, aList(anInteger)),
      direct_subgroups: member(value, "direct_subgroups", path, aList(anInteger)),
    };
  } catch {
    throw refused(`${path}["int"] is not an integer`);
  }
};

/** A bare value, as things that are made take it. */
export const bareSetting: Decoder<GroupSetting> = (text, name, level) => {
  const value = fromJson<Json>((parsed) => parsed)(text, name, level);
  return aSetting(value, name);
};

/** Unknown members are dropped, and an `old` of null is none. Before a level a bare id is the only form. */
const updateFrom =
  (first: number): Decoder<GroupSettingUpdate> =>
  (text, name, level) => {
    const value = fromJson<Json>((parsed) => parsed)(text, name, level);
    if (level < first) return { new: anInteger(value, name) };
    if (!isObject(value)) {
      // The level at which this stopped being an unhandled error is not known; 371 breaks.
      if (level <= 371) throw new Broken();
      throw refused(`${name} does not have the expected format`);
    }
    const update: GroupSettingUpdate = { new: member(value, "new", name, aSetting) };
    if (value.old !== undefined && value.old !== null) update.old = aSetting(value.old, `${name}["old"]`);
    return update;
  };

/** Of a channel. */
export const settingUpdate = updateFrom(320);
/** Of a group, or of the organization. */
export const namedSettingUpdate = updateFrom(260);

/** One group alone becomes its id and nobody at all the id of `role:nobody`; a group given twice stays a list. */
export function canonical(state: State, value: GroupSetting): GroupSetting {
  if (typeof value !== "object") return value;
  const { direct_members, direct_subgroups } = value;
  if (direct_members.length > 0 || direct_subgroups.length > 1) {
    return { direct_members: [...new Set(direct_members)], direct_subgroups: [...new Set(direct_subgroups)] };
  }
  return direct_subgroups[0] ?? systemGroup(state, "role:nobody");
}

const sameIds = (a: readonly number[], b: readonly number[]): boolean =>
  new Set(a).size === new Set(b).size && a.every((id) => b.includes(id));

/** Ids as numbers, lists as sets; an id never equals a list. */
export const sameSetting = (a: GroupSetting, b: GroupSetting): boolean =>
  typeof a === "object" && typeof b === "object"
    ? sameIds(a.direct_members, b.direct_members) && sameIds(a.direct_subgroups, b.direct_subgroups)
    : a === b;

/** A group that may be named: it is there and active. */
function namedGroup(state: State, id: number, unknown: string) {
  const group = state.groups.get(id);
  if (!group) throw refused(unknown);
  if (group.deactivated) throw refused("User group is deactivated.");
  return group;
}

function checkGroup(state: State, name: string, id: number, { only, everyone, somebody }: PermissionRule): void {
  const group = namedGroup(state, id, "Invalid user group");
  if (only && !group.is_system_group) throw systemGroupRequired(name);
  if (!group.is_system_group) return;
  const is = group.name as SystemGroup;
  const forbidden =
    is === "role:internet" ||
    (is === "role:nobody" && somebody) ||
    (is === "role:everyone" && !everyone) ||
    (only && !only.includes(is));
  if (forbidden) throw refused(`'${name}' setting cannot be set to '${is}' group.`);
}

const systemGroupRequired = (setting_name: string) =>
  new ApiError(400, "SYSTEM_GROUP_REQUIRED", `'${setting_name}' must be a system user group.`, { setting_name });

/** Refuses a canonical value that a permission cannot have. */
export function checkSetting(state: State, name: string, value: GroupSetting, rule: PermissionRule): void {
  if (typeof value !== "object") {
    checkGroup(state, name, value, rule);
    return;
  }
  if (rule.only) throw systemGroupRequired(name);
  const stranger = value.direct_members.find((id) => !state.users.get(id)?.is_active);
  if (stranger !== undefined) throw refused(`Invalid user ID: ${stranger}`);
  const unknown = value.direct_subgroups.find((id) => !state.groups.has(id));
  if (unknown !== undefined) throw refused(`Invalid user group ID: ${unknown}`);
  for (const id of value.direct_subgroups) namedGroup(state, id, "Invalid user group");
}

/** The permissions of a thing that is made: what is given, canonical and checked, and what the rules say of the others. */
export function firstSettings<N extends string>(
  state: State,
  rules: Record<N, PermissionRule>,
  creator: number | null,
  given: { [name: string]: unknown } = {},
): Record<N, GroupSetting> {
  const alone: GroupSetting =
    creator === null ? systemGroup(state, "role:nobody") : { direct_members: [creator], direct_subgroups: [] };
  const all = Object.entries(rules) as [N, PermissionRule][];
  return Object.fromEntries(
    all.map(([name, rule]) => {
      const value = given[name] as GroupSetting | undefined;
      if (value === undefined) return [name, rule.first === "creator" ? alone : systemGroup(state, rule.first)];
      const wanted = canonical(state, value);
      checkSetting(state, name, wanted, rule);
      return [name, wanted];
    }),
  ) as Record<N, GroupSetting>;
}

/**
 * The value a permission is to have, or undefined where that is the one it has.
 * Throws where `old` is not what the server shows: deactivated people are not shown, so an `old` that names them never fits.
 */
export function wanted(
  state: State,
  level: number,
  current: GroupSetting,
  update: GroupSettingUpdate,
): GroupSetting | undefined {
  const shown = shownSetting(state, current);
  if (update.old !== undefined && update.old !== null && !sameSetting(canonical(state, update.old), shown)) {
    const fields = level > 371 ? { field_name: "old" } : {};
    throw new ApiError(400, "EXPECTATION_MISMATCH", "'old' value does not match the expected value.", fields);
  }
  const value = canonical(state, update.new);
  return sameSetting(value, shown) ? undefined : value;
}
