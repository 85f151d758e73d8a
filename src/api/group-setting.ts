import { keyed, namesOf } from "../common/object-members.ts";
import { type GroupSetting, newerPermission } from "../model/permission.ts";
import { json, maybe, type Param, type Params, text } from "../wire/params.ts";
import { anything, either, integer, list, nullable, object, optional, type Type, type Value } from "../wire/types.ts";

export const groupSetting: Type<GroupSetting> = either(
  integer,
  object({ direct_members: list(integer), direct_subgroups: list(integer) }),
);

export const groupSettingUpdate = object({ new: groupSetting, old: optional(nullable(groupSetting)) });
export type GroupSettingUpdate = Value<typeof groupSettingUpdate>;

/** A parameter for each permission of a channel or a group. */
export const permissionParams = <N extends string, T>(
  rules: Readonly<Record<N, { since: number; may: string }>>,
  type: Type<T>,
): Record<N, Param<T, true>> =>
  keyed(namesOf(rules), (name) =>
    maybe(json(type, { doc: `Who may ${rules[name].may}.`, of: "who", since: rules[name].since })),
  );

/** Returns the permissions of a request that creates something, as updates have them. */
export const asUpdates = <N extends string>(
  values: Readonly<Partial<Record<N, GroupSetting | undefined>>>,
): Partial<Record<N, GroupSettingUpdate>> => {
  const updates: Partial<Record<N, GroupSettingUpdate>> = {};
  for (const name of Object.keys(values) as N[]) {
    const value = values[name];
    if (value !== undefined) updates[name] = { new: value };
  }
  return updates;
};

const anyPermission: Params[string] = json(groupSettingUpdate, { of: "who" });

/** A permission of a channel or group that newer servers may have. */
export const otherPermission = (name: string): Params[string] | undefined =>
  newerPermission.test(name) ? anyPermission : undefined;

/** A setting that newer servers may have, by a value of it. */
export function otherSetting(value: unknown): Params[string] {
  const isPermission = typeof value === "object" && value !== null && ("new" in value || "direct_members" in value);
  return isPermission ? anyPermission : typeof value === "string" ? text() : json(anything);
}
