/** Words that entries of the log and records of `watch` have in common. */
import { channelRisk } from "./channel.ts";
import { type KindName, kindNamed, kindNames, type kinds } from "./kinds/index.ts";
import { settingRisk } from "./organization.ts";
import { type GroupSetting, isPermissionName } from "./permission.ts";
import { type DestructiveEffect, markOf } from "./setting.ts";

interface NamesOf {
  /** The e-mail address of a person. */
  user(id: number): string | null | undefined;
  group(id: number): string | null | undefined;
}

/** Formats a permission as in an organization file: the name of a group, or people and groups. */
export function permissionInWords(setting: GroupSetting, names: NamesOf): unknown {
  const group = (id: number): string => {
    const name = names.group(id);
    return name === "role:nobody" ? "nobody" : (name ?? `id:${id}`);
  };
  if (typeof setting === "number") return group(setting);
  const { direct_members, direct_subgroups } = setting;
  if (!direct_members.length && direct_subgroups.length === 1) return group(direct_subgroups[0]!);
  const users = direct_members.map((id) => names.user(id) ?? `id:${id}`).sort();
  const groups = direct_subgroups.map(group).sort();
  return { ...((users.length || !groups.length) && { users }), ...(groups.length && { groups }) };
}

const destructiveActions =
  /^channel\.archived$|\.(deactivated|deleted\w*|scrubbed|removed|unsubscribed|member_removed|subgroup_removed|api_key_changed|permission_changed)$/;

/** What is gone for good. */
const irreversibleActions = /\.(deleted\w*|scrubbed|api_key_changed)$/;

const riskOf = (property: string, from: unknown, to: unknown): DestructiveEffect | undefined =>
  channelRisk(property, from, to) ?? settingRisk(property, from, to);

/** Returns the mark of a change in a line: that of `org plan`. */
export function changeMark(change: {
  readonly action: string;
  readonly property: string | null;
  readonly from: unknown;
  readonly to: unknown;
  readonly destructive: boolean;
}): "!!" | "!" | "" {
  const { action, property, from, to, destructive } = change;
  if (!destructive) return "";
  const isFinal = irreversibleActions.test(action) || (property !== null && riskOf(property, from, to)?.irreversible);
  return markOf({ irreversible: Boolean(isFinal) });
}

/**
 * Returns whether a change cannot be undone, took something from people, or gave rights: roles, permissions, and what
 * lets more people in. `from` and `to` are words.
 */
export function isDestructive(action: string, property: string | null, from: unknown, to: unknown): boolean {
  if (property === null) return destructiveActions.test(action);
  return (
    isPermissionName(property) ||
    property === "role" ||
    destructiveActions.test(action) ||
    channelRisk(property, from, to)?.question !== undefined ||
    settingRisk(property, from, to) !== undefined
  );
}

type LoggedKindName = { [K in KindName]: (typeof kinds)[K] extends { readonly log: unknown } ? K : never }[KindName];

const isLogged = (name: KindName): name is LoggedKindName => kindNamed(name).log !== undefined;

/** The kinds of targets, as `--kind` names them. */
export const loggedKinds = [
  ...kindNames.filter(isLogged),
  ...(["setting", "default_setting", "organization"] as const),
];
export type LoggedKind = (typeof loggedKinds)[number];
