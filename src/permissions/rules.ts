/** The rules of a server: known ones, and one for each unknown setting. */

import { channelPermissionRules } from "../model/channel.ts";
import { groupPermissionRules } from "../model/group.ts";
import { organizationSettings } from "../model/organization.ts";
import type { Permission } from "../model/permission.ts";
import type { Setting } from "../model/setting.ts";
import type { Facts, Scope } from "./facts.ts";
import { channelRules } from "./rules/channel.ts";
import { groupRules } from "./rules/group.ts";
import { organizationRules } from "./rules/organization.ts";
import { type Rule, type RuleSpec, ruleOf } from "./term.ts";

const known: Readonly<Record<Scope, Readonly<Record<string, RuleSpec>>>> = {
  organization: organizationRules,
  channel: channelRules,
  group: groupRules,
};

export const scopes = ["organization", "channel", "group"] as const;

/** By scope, what is stated of the settings behind permissions. */
const settings: Readonly<Record<Scope, Readonly<Record<string, Setting | Permission>>>> = {
  organization: organizationSettings,
  channel: channelPermissionRules,
  group: groupPermissionRules,
};

/** The permissions of a scope that have a rule, at any level. */
export const permissionNames = (scope: Scope): string[] => Object.keys(known[scope]);

/** The note of a setting without a rule. */
export const unknownSetting = "known to the server only: zulipctl shows its members";

/** Returns the rules for a kind of thing, in the order of the list. */
export function rulesOf(facts: Facts, scope: Scope): Readonly<Record<string, Rule>> {
  const stated = Object.entries(known[scope]).filter(
    ([name, { since = settings[scope][name]?.since ?? 0 }]) => since <= facts.level,
  );
  const others = facts.settingNames(scope).filter((setting) => !Object.hasOwn(known[scope], setting));
  const all = [...stated, ...others.map((setting) => [setting, { note: unknownSetting }] as const)];
  return Object.fromEntries(all.map(([name, rule]) => [name, ruleOf(scope, name, rule)]));
}
