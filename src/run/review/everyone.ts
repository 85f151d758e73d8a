/** Reviews what a change gives to everyone: permissions, and memberships of groups. */
import { numbersIn } from "../../common/members.ts";
import type { Change } from "../../engine/change.ts";
import { undefinedOnFailure } from "../../errors.ts";
import { whoIn } from "../../model/permission.ts";
import { everyoneTest, givesToEveryone, isOpenByDefault, makesEveryoneMember } from "../../organization/everyone.ts";
import { currentValuesOf } from "../../resolve/current-values.ts";
import type { Param } from "../../wire/params.ts";
import type { Context } from "../context.ts";
import { callIn } from "./known.ts";

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
    .flatMap(([name]): [string, number[]][] => [[name, whoIn(args[name]).direct_subgroups]]);
  const given = permissions.filter(([, ids]) => ids.length);
  const subgroups = subgroupParameters[operation.name] ?? "";
  const added = numbersIn(args[subgroups]);
  if (!given.length && !added.length) return {};
  const includesEveryone = everyoneTest(await context.find.groups());
  const effects: Record<string, string> = {};
  if (includesEveryone(added)) effects[subgroups] = makesEveryoneMember;
  const wide = given.filter(([, ids]) => includesEveryone(ids));
  if (!wide.length) return effects;
  const current = operation.before && (await undefinedOnFailure(currentValuesOf(context).of(operation, args)));
  for (const [name] of wide)
    if (!includesEveryone(whoIn(current?.values[name]).direct_subgroups)) effects[name] = givesToEveryone(name);
  return effects;
}
