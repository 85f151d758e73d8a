/** One finding: its target, the people concerned, and the command that fixes it. */

import { userAddress } from "../../api/users.ts";
import { joinFirst } from "../../common/counted.ts";
import { membersOf } from "../../common/object-members.ts";
import { day } from "../../common/unit-sizes.ts";
import { unchangeable } from "../../model/organization.ts";
import { administers, roles } from "../../model/person.ts";
import {
  type Person,
  type Snapshot,
  type SnapshotChannel,
  type SnapshotGroup,
  seesOnlyPart,
} from "../../organization/snapshot.ts";
import type { Cell, Evaluation } from "../evaluation.ts";
import type { ExtraPermission } from "../extras.ts";
import { actionText } from "../permission-text.ts";
import { unknownSetting } from "../rules.ts";
import { groupTitle, visibleName } from "../titles.ts";
import { type FindingName, findingKinds } from "./finding-kinds.ts";

/** The target of a finding. */
interface FindingTarget {
  readonly kind: "organization" | "channel" | "group" | "user" | "bot" | "invitation";
  /** The target as other commands accept it. Null for the organization. */
  readonly id: number | string | null;
  readonly name: string | null;
  /** A setting or act of the channel, group or organization. */
  readonly permission: string | null;
}

export interface FindingItem {
  readonly target: FindingTarget;
  /** The target in a file of accepted findings: `channel design`, `user ada@example.com`. */
  readonly text: string;
  /** The target in sentences and on the page. For a permission, what it allows. */
  readonly words: string;
  readonly detail?: string | undefined;
  readonly people: readonly number[];
  /** Null if no request of an administrator can fix it. */
  readonly fix: string | null;
}

/** When somebody was last active or joined, and when that was known, in milliseconds. */
export interface Activity {
  readonly lastActive: number;
  readonly knownAt: number;
}

export interface FindingInput {
  readonly evaluation: Evaluation;
  /** The permissions on the page. */
  readonly cells: readonly Cell[];
  /** The permissions of active accounts beyond their role, by index. */
  readonly extras: readonly (readonly ExtraPermission[])[];
  readonly activity: ReadonlyMap<number, Activity>;
}

export type Finder = (input: FindingInput) => FindingItem[];

const nameList = (people: readonly Person[]): string =>
  joinFirst(
    people.map(({ full_name }) => visibleName(full_name)),
    3,
  ) || "nobody";

export const idsOf = (people: readonly Person[]): number[] => people.map(({ user_id }) => user_id);

/** The people of a finding, named in its detail. */
export const peopleDetail = (people: readonly Person[]): ItemOptions => ({
  people: idsOf(people),
  detail: nameList(people),
});

interface ItemOptions {
  readonly people?: readonly number[];
  readonly detail?: string | undefined;
}

export const createItem = (
  { permission = null, ...target }: Omit<FindingTarget, "permission"> & { permission?: string | null },
  words: string,
  fix: string | null,
  about: ItemOptions & { text?: string } = {},
): FindingItem => ({
  target: { ...target, permission },
  text: [target.kind, target.name, permission].filter((part) => part !== null).join(" "),
  words,
  people: [],
  ...about,
  fix,
});

export const channelItem = (
  { stream_id: id, name }: SnapshotChannel,
  fix: string | null,
  about?: ItemOptions,
): FindingItem => createItem({ kind: "channel", id, name }, `#${visibleName(name)}`, fix, about);

export const groupItem = ({ id, name }: SnapshotGroup, fix: string | null, about?: ItemOptions): FindingItem =>
  createItem({ kind: "group", id, name }, groupTitle(name), fix, about);

export function accountItem(account: Person, fix: string | null, detail?: string): FindingItem {
  const { user_id: id, full_name: name, is_bot } = account;
  const kind = is_bot ? "bot" : "user";
  // Names can be reused by other accounts, addresses cannot.
  const text = `${kind} ${userAddress(account) ?? id}`;
  return createItem({ kind, id, name }, visibleName(name), fix, { text, people: is_bot ? [] : [id], detail });
}

export function permissionItem(cell: Cell, fix: string | null, about?: ItemOptions): FindingItem {
  const { scope: kind, target_id: id, name, permission } = cell;
  const thing = kind === "group" ? groupTitle(name ?? "") : `#${visibleName(name ?? "")}`;
  return createItem({ kind, id, name, permission }, actionText(cell, thing), fix, about);
}

/** Formats people and groups as settings accept them. */
export const settingValue = (people: readonly number[], groups: readonly number[]): string =>
  [...people.map((id) => `user:${id}`), ...groups.map((id) => `group:${id}`)].join(",") || "nobody";

/** Returns the command that changes the setting of a permission. */
export function settingCommand({ scope, target_id, rule }: Cell, who: string): string | null {
  if (rule.setting === null || rule.note === unknownSetting || rule.setting === unchangeable) return null;
  return scope === "organization"
    ? `zulipctl settings update ${rule.setting}=${who}`
    : `zulipctl ${scope} update ${target_id} --${rule.setting.replaceAll("_", "-")} ${who}`;
}

export function messageOf(name: FindingName, { words, detail }: FindingItem): string {
  const sentence = findingKinds[name].message.replace("{}", () => words);
  return detail ? `${sentence} (${detail})` : sentence;
}

/** How long owners and administrators may be inactive, in milliseconds. */
export const inactivityLimit = 90 * day;

/** Presence data omits bots, people who hide it, and people who only use an API key. */
export function activityIn({ organization, taken }: Snapshot): Map<number, Activity> {
  const knownAt = Date.parse(taken);
  return new Map(
    Object.entries(organization.presences ?? {}).flatMap(([id, presence]) => {
      const { active_timestamp: seconds } = membersOf(presence);
      return typeof seconds === "number" ? [[Number(id), { lastActive: seconds * 1000, knownAt }] as const] : [];
    }),
  );
}

/** Returns the active owners and administrators. */
export const administratorsOf = ({ organization }: Snapshot): Person[] =>
  organization.realm_users.filter(({ is_bot, role = roles.member }) => !is_bot && administers(role));

/** What could not be checked, or not for everybody. */
export function unknownText(
  name: FindingName,
  { evaluation: { snapshot }, activity }: FindingInput,
): string | undefined {
  if (name === "permanent_invitation_link" && seesOnlyPart(snapshot.organization))
    return "only administrators see all invitation links";
  if (name !== "inactive_administrator") return undefined;
  const unknown = administratorsOf(snapshot).filter(({ user_id }) => !activity.has(user_id));
  return unknown.length ? `last activity unknown: ${nameList(unknown)}` : undefined;
}
