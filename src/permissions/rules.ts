/** The rules that hold on a server: those that are known here, and one for each setting that is not. */
import type { Facts } from "./facts.ts";
import { channelRules } from "./rules/channel.ts";
import { groupRules } from "./rules/group.ts";
import { organizationRules } from "./rules/organization.ts";
import { type Rule, ruleOf, type Scope, type Stated } from "./term.ts";

const known: Readonly<Record<Scope, Readonly<Record<string, Stated>>>> = {
  organization: organizationRules,
  channel: channelRules,
  group: groupRules,
};

export const scopes = ["organization", "channel", "group"] as const;

/** The permissions of a scope that have a rule here, whatever the level. */
export const namesOf = (scope: Scope): string[] => Object.keys(known[scope]);

/** Of settings that are not known here. */
export const unknownSetting = "this version does not know the setting, and shows its members";

/** Which rules hold for things of a kind, in the order in which permissions are listed. */
export function rulesOf(facts: Facts, scope: Scope): Readonly<Record<string, Rule>> {
  const stated = Object.entries(known[scope]).filter(([, { since = 0 }]) => since <= facts.level);
  const others = facts.settings(scope).filter((setting) => !Object.hasOwn(known[scope], setting));
  const all = [...stated, ...others.map((setting) => [setting, { note: unknownSetting }] as const)];
  return Object.fromEntries(all.map(([name, rule]) => [name, ruleOf(scope, name, rule)]));
}
