import { either, integer, list, nullable, object, optional, type Value } from "../wire/types.ts";

/** A group's id, or people and groups together. */
export const groupSetting = either(integer, object({ direct_members: list(integer), direct_subgroups: list(integer) }));
export type GroupSetting = Value<typeof groupSetting>;

export const groupSettingUpdate = object({ new: groupSetting, old: optional(nullable(groupSetting)) });
export type GroupSettingUpdate = Value<typeof groupSettingUpdate>;
