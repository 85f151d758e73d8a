/** The rules that hold on a server: those that are known here, and one for each setting that is not. */
import type { Facts } from "./facts.ts";
import { channelRules } from "./rules/channel.ts";
import { groupRules } from "./rules/group.ts";
import { organizationRules } from "./rules/organization.ts";
import type { Rules, Scope } from "./term.ts";

const known: Readonly<Record<Scope, Rules>> = {
  organization: organizationRules,
  channel: channelRules,
  group: groupRules,
};

export const scopes = Object.keys(known) as Scope[];

/** Of settings that are not known here. */
export const unknownSetting = "this version does not know the setting, and shows its members";

/** Which rules hold for things of a kind, in the order in which permissions are listed. */
export function rulesOf(facts: Facts, scope: Scope): Rules {
  const stated = Object.entries(known[scope]).filter(([, { since = 0 }]) => since <= facts.level);
  const others = facts
    .settings(scope)
    .filter((setting) => !Object.hasOwn(known[scope], setting))
    .map((setting) => [setting, { by: { kind: "in", scope, setting }, note: unknownSetting } as const]);
  return Object.fromEntries([...stated, ...others]);
}
