/** Words that entries of the log and records of `watch` have in common. */
import { channelRisk } from "./channel.ts";
import { organizationSettings, settingRisk } from "./organization.ts";
import type { StoredPermission } from "./permission.ts";
import { roles } from "./person.ts";
import { personalSettings } from "./personal.ts";
import { type Effect, markOf, type Setting, wordOf } from "./setting.ts";

/** Numbers of GIF ratings differ between servers, and an export does not explain them. */
const { gif_rating_policy: _, ...sharedSettings } = organizationSettings;
const settings: Readonly<Record<string, Setting>> = { ...personalSettings, ...sharedSettings };

/** Returns the word for a value, or the value without one. */
export function valueInWords(property: string, value: unknown): unknown {
  const choices =
    property === "role" ? roles : Object.hasOwn(settings, property) ? settings[property]?.choices : undefined;
  return wordOf(choices, value);
}

interface NamesOf {
  /** The e-mail address of a person. */
  user(id: number): string | null | undefined;
  group(id: number): string | null | undefined;
}

/** Formats a permission as in an organization file: the name of a group, or people and groups. */
export function permissionInWords(setting: StoredPermission, names: NamesOf): unknown {
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

const riskOf = (property: string, from: unknown, to: unknown): Effect | undefined =>
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
  const isPermission = Object.hasOwn(settings, property) && settings[property]?.kind === "group";
  return (
    isPermission ||
    property === "role" ||
    destructiveActions.test(action) ||
    channelRisk(property, from, to)?.question !== undefined ||
    settingRisk(property, from, to) !== undefined
  );
}

/** The kinds of targets, as `--kind` names them. */
export const kinds = [
  "user",
  "bot",
  "channel",
  "group",
  "folder",
  "setting",
  "default_setting",
  "domain",
  "linkifier",
  "playground",
  "emoji",
  "export",
  "organization",
] as const;
export type Kind = (typeof kinds)[number];
