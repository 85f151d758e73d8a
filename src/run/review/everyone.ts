/** Reviews what a change gives to everyone: permissions, and memberships of groups. */
import type { GroupSetting, GroupSettingUpdate } from "../../api/group-setting.ts";
import type { Change } from "../../engine/change.ts";
import { undefinedOnFailure } from "../../errors.ts";
import { everyoneTest, givesToEveryone, isOpenByDefault, makesEveryoneMember } from "../../organization/everyone.ts";
import { currentValuesOf } from "../../resolve/current-values.ts";
import type { Param } from "../../wire/params.ts";
import type { Context } from "../context.ts";
import { callIn } from "./known.ts";

type Setting = GroupSetting | GroupSettingUpdate;

/** Returns the groups that a permission names. */
function groupsIn(setting: unknown): number[] {
  const value = setting as Setting | null | undefined;
  if (typeof value === "number") return [value];
  if (!value) return [];
  if ("new" in value) return groupsIn(value.new);
  return Array.isArray(value.direct_subgroups) ? value.direct_subgroups : [];
}

const listIn = (value: unknown): number[] => (Array.isArray(value) ? value.filter((id) => typeof id === "number") : []);

/** By operation, the parameter with new subgroups. */
const subgroupParameters: Readonly<Record<string, string>> = {
  "group.members": "add_subgroups",
  "group.subgroups": "add",
  "group.create": "subgroups",
};

/** Returns by parameter why a change needs confirmation. */
export async function everyoneEffects(context: Context, change: Change): Promise<Record<string, string>> {
  const call = callIn(change);
  const { operation, args } = call;
  const permissions = Object.entries<Param>(operation.params)
    .filter(([name, { of }]) => of === "who" && !isOpenByDefault(name))
    .flatMap(([name]): [string, number[]][] => [[name, groupsIn(args[name])]]);
  const given = permissions.filter(([, ids]) => ids.length);
  const subgroups = subgroupParameters[operation.name] ?? "";
  const added = listIn(args[subgroups]);
  if (!given.length && !added.length) return {};
  const includesEveryone = everyoneTest(await context.find.groups());
  const effects: Record<string, string> = {};
  if (includesEveryone(added)) effects[subgroups] = makesEveryoneMember;
  const wide = given.filter(([, ids]) => includesEveryone(ids));
  if (!wide.length) return effects;
  const current = operation.before && (await undefinedOnFailure(currentValuesOf(context).of(operation, args)));
  for (const [name] of wide)
    if (!includesEveryone(groupsIn(current?.values[name]))) effects[name] = givesToEveryone(name);
  return effects;
}
