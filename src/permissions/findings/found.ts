/** One thing that was found: what it is about, who is concerned, and the command that mends it. */
import { addressOf } from "../../api/users.ts";
import { firstOf } from "../../counted.ts";
import { type Channel, type Group, type Person, type Snapshot, seesPart } from "../../organization/snapshot.ts";
import type { Cell, Evaluation } from "../evaluation.ts";
import type { Extra } from "../report/extras.ts";
import { groupTitle, permissionTitle, visible } from "../report/words.ts";
import { unknownSetting } from "../rules.ts";
import { inWords } from "../words.ts";
import { type FindingName, findingKinds } from "./kinds.ts";

/** What a finding is about. */
export interface FindingTarget {
  readonly kind: "organization" | "channel" | "group" | "user" | "bot" | "invitation";
  /** As other commands take it; null for the organization. */
  readonly id: number | string | null;
  readonly name: string | null;
  /** A setting or an act of the channel, group or organization. */
  readonly permission: string | null;
}

export interface Found {
  readonly target: FindingTarget;
  /** How a file of accepted findings writes it: `channel design`, `user ada@example.com`. */
  readonly text: string;
  /** How a sentence and the page call it. */
  readonly words: string;
  readonly title: string;
  readonly detail?: string | undefined;
  readonly people: readonly number[];
  /** Null where no request of an administrator can mend it. */
  readonly fix: string | null;
}

/** When somebody was last active or joined, and when that was known, in milliseconds. */
export interface Activity {
  readonly last: number;
  readonly asOf: number;
}

export interface Material {
  readonly evaluation: Evaluation;
  /** The cells that the page shows. */
  readonly asked: readonly Cell[];
  /** Of the active accounts, by their places. */
  readonly extras: readonly (readonly Extra[])[];
  readonly activity: ReadonlyMap<number, Activity>;
}

type About = Partial<Pick<Found, "people" | "detail">>;

export const names = (people: readonly Person[]): string =>
  firstOf(
    people.map(({ full_name }) => visible(full_name)),
    3,
  ) || "nobody";

export const ids = (people: readonly Person[]): number[] => people.map(({ user_id }) => user_id);

export const organizationFound = (fix: string, about: About = {}): Found => ({
  target: { kind: "organization", id: null, name: null, permission: null },
  text: "organization",
  words: "the organization",
  title: "The organization",
  people: [],
  ...about,
  fix,
});

export const channelFound = ({ stream_id, name }: Channel, fix: string | null, about: About = {}): Found => ({
  target: { kind: "channel", id: stream_id, name, permission: null },
  text: `channel ${name}`,
  words: `#${visible(name)}`,
  title: name,
  people: [],
  ...about,
  fix,
});

export const groupFound = ({ id, name }: Group, fix: string | null, about: About = {}): Found => ({
  target: { kind: "group", id, name, permission: null },
  text: `group ${name}`,
  words: groupTitle(name),
  title: groupTitle(name),
  people: [],
  ...about,
  fix,
});

export function accountFound(account: Person, fix: string | null, detail?: string): Found {
  const { user_id, full_name, is_bot } = account;
  const kind = is_bot ? "bot" : "user";
  return {
    target: { kind, id: user_id, name: full_name, permission: null },
    // Anybody can take the name of an account that was accepted, but not its address.
    text: `${kind} ${addressOf(account) ?? user_id}`,
    words: visible(full_name),
    title: full_name,
    people: is_bot ? [] : [user_id],
    detail,
    fix,
  };
}

export function permissionFound(cell: Cell, fix: string | null, about: About = {}): Found {
  const { scope, target_id, name, permission } = cell;
  const title = permissionTitle(permission);
  const shown = scope === "group" ? groupTitle(name ?? "") : visible(name ?? "");
  return {
    target: { kind: scope, id: target_id, name, permission },
    text: [scope, name, permission].filter((part) => part !== null).join(" "),
    words: inWords(cell, scope === "group" ? shown : `#${shown}`),
    title: scope === "organization" ? title : `${shown}: ${title.toLowerCase()}`,
    people: [],
    ...about,
    fix,
  };
}

/** People and groups as settings take them. */
export const whoText = (people: readonly number[], groups: readonly number[]): string =>
  [...people.map((id) => `user:${id}`), ...groups.map((id) => `group:${id}`)].join(",") || "nobody";

/** The command that sets the setting behind a permission. */
export function setting({ scope, target_id, rule }: Cell, who: string): string | null {
  if (rule.setting === null || rule.note === unknownSetting) return null;
  return scope === "organization"
    ? `zulipctl settings update ${rule.setting}=${who}`
    : `zulipctl ${scope} update ${target_id} --${rule.setting.replaceAll("_", "-")} ${who}`;
}

export function messageOf(name: FindingName, { words, detail }: Found): string {
  const sentence = findingKinds[name].message.replace("{}", () => words);
  return detail ? `${sentence} (${detail})` : sentence;
}

/** Of owners and administrators: milliseconds without activity that are a finding. */
export const longInactive = 90 * 86_400_000;

/** What presence tells: nothing of bots, those who hide it, and those who use an API key only. */
export function activityIn({ organization, taken }: Snapshot): Map<number, Activity> {
  const asOf = Date.parse(taken);
  return new Map(
    Object.entries(organization.presences ?? {}).flatMap(([id, presence]) => {
      const { active_timestamp: seconds } = Object(presence);
      return typeof seconds === "number" ? [[Number(id), { last: seconds * 1000, asOf }] as const] : [];
    }),
  );
}

/** People with a role of the organization's: owners and administrators. */
export const administratorsOf = ({ organization }: Snapshot): Person[] =>
  organization.realm_users.filter(({ is_bot, role = 400 }) => !is_bot && role <= 200);

/** What could not be looked for, or not of everybody. */
export function unknownOf(name: FindingName, { evaluation: { snapshot }, activity }: Material): string | undefined {
  if (name === "permanent_invitation_link" && seesPart(snapshot.organization))
    return "only administrators see all invitation links";
  if (name !== "inactive_administrator") return undefined;
  const unknown = administratorsOf(snapshot).filter(({ user_id }) => !activity.has(user_id));
  return unknown.length ? `last activity unknown: ${names(unknown)}` : undefined;
}
