/** The permissions of a channel or a group as flags. */
import type { GroupSettingUpdate } from "../api/group-setting.ts";
import { type Fields, keyed, keyedAs, namesOf } from "../common/object-members.ts";
import type { GroupSetting, Permission } from "../model/permission.ts";
import { readExpectations } from "../notation/expect.ts";
import type { NameResolver } from "../resolve/resolver.ts";
import { type Camel, type CommandParameter, camel, withDefault } from "./parameter.ts";
import { whoParameter } from "./thing-parameters.ts";

const permissionParameter = ({ may }: Permission) => ({ ...whoParameter(`who may ${may}`), group: "Permissions:" });

/** The parameter of a permission of a new thing. */
const initialParameter = (rule: Permission) =>
  withDefault(rule.initial === "creator" ? "you" : rule.initial, permissionParameter(rule));

/** `ofNew`: of a new channel or group. */
export const permissionFlags = <S extends string>(
  rules: Readonly<Record<S, Permission>>,
  ofNew?: "new",
): Record<Camel<S>, CommandParameter<GroupSetting>> =>
  keyedAs(namesOf(rules), camel, (setting) => (ofNew ? initialParameter : permissionParameter)(rules[setting]));

export const whoNote =
  "<who> is a group (writers, role:moderators, nobody), or people and groups: user:me,group:writers";

/** The values of such flags. */
export type PermissionValues<S extends string> = { readonly [N in Camel<S>]?: GroupSetting | undefined };

/** Returns the settings that flags set. */
export const permissionsIn = <S extends string>(flags: Fields, settings: readonly S[]): S[] =>
  settings.filter((setting) => flags[camel(setting)] !== undefined);

/** Reads `--expect`. Throws `Usage`. */
export const expected = <S extends string>(flags: Fields, settings: readonly S[]) =>
  readExpectations(Array.isArray(flags.expect) ? flags.expect : [], settings, permissionsIn(flags, settings));

export const permissionValues = <S extends string>(values: PermissionValues<S>, settings: readonly S[]) =>
  keyed(settings, (setting) => values[camel(setting)]);

/** Returns permissions as an update sends them, with their expected values. */
export async function permissionUpdates<S extends string>(
  names: NameResolver,
  values: PermissionValues<S>,
  settings: readonly S[],
): Promise<{ updates: Partial<Record<S, GroupSettingUpdate>>; expectCurrent?: true }> {
  const { each, current } = expected(values, settings);
  const updates: Partial<Record<S, GroupSettingUpdate>> = {};
  for (const setting of settings) {
    const who = values[camel(setting)];
    const expectedWho = each.get(setting);
    if (who !== undefined)
      updates[setting] = {
        new: who,
        ...(expectedWho !== undefined && { old: await names.who(expectedWho, `--expect ${setting}`) }),
      };
  }
  return { updates, ...(current && { expectCurrent: true }) };
}
