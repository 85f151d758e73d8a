/** What is stated of each setting: of the organization, and of people. No schemas, so that help loads none. */

import { hasMembers, membersOf, nameOf } from "../common/object-members.ts";
import type { EffectKind } from "./effect.ts";
import type { PermissionRule } from "./permission.ts";

export type SettingKind =
  | "boolean"
  | "text"
  | "number"
  | "limit"
  | "choice"
  | "channel"
  | "group"
  | "url"
  | "methods"
  | "unknown";

/** The numbers or codes that are sent, by their words. */
export type Choices = Readonly<Record<string, number | string>>;

/** What newer servers have instead of a setting or a parameter. */
export interface Replacement {
  level: number;
  by: string;
  /** The values of the other one, by those of this one, if they differ. */
  values?: ReadonlyMap<unknown, unknown>;
}

/** How servers below a level have a setting: its name, and their words for some of today's. */
interface OlderSetting {
  below: number;
  name?: string;
  words?: Readonly<Record<string, string>>;
}

/** What the phrase of a risk can name. */
export interface RiskContext {
  /** Names of the channels that are web-public. */
  readonly webPublic?: readonly string[] | undefined;
  /** The number of channels without a retention of their own. */
  readonly inheriting?: number | undefined;
}

/** What is destructive about a change. */
export interface DestructiveEffect {
  /** A phrase that follows "This" and "It". */
  readonly says: string;
  /** No later change brings back what is lost. */
  readonly irreversible?: boolean;
  /** What it does to people and content. */
  readonly kind?: EffectKind;
}

/** The mark of a line about something destructive. */
export const markOf = ({ irreversible }: Pick<DestructiveEffect, "irreversible">): "!!" | "!" =>
  irreversible ? "!!" : "!";

/** Returns what is destructive about a change. Undefined if nothing is. */
export type Risk = (from: unknown, to: unknown, context: RiskContext) => DestructiveEffect | undefined;

export interface Setting {
  kind: SettingKind;
  /** What it is about. Empty for permissions. */
  description?: string;
  /** The value in a new organization: a word, if there are words. Absent if there is no fixed one. */
  initial?: unknown;
  /** The first feature level with it. */
  since?: number | undefined;
  older?: OlderSetting;
  /** From this level on servers have another setting. */
  until?: Replacement;
  /** Only owners can change it. Administrators can change others. */
  owner?: true;
  /** The allowed numbers or words. */
  values?: readonly (number | string)[];
  /** The smallest and the largest number, if the kind does not determine them. */
  least?: number;
  most?: number;
  /** Words for the numbers. */
  choices?: Choices;
  /** Members of `register` that list the numbers of this server. The first existing one counts. */
  choicesMembers?: readonly string[];
  /** Of a limit, what servers store for no limit, if it is not null. */
  unlimited?: -1;
  /** Sent as text, without JSON. */
  plain?: true;
  /** Of a permission. */
  rule?: PermissionRule;
  risk?: Risk;
}

export const choiceSetting = <M extends Partial<Setting>>(choices: Choices, more: M) => ({
  kind: "choice" as const,
  choices,
  values: Object.values(choices),
  ...more,
});

/** Returns a setting by today's name, with today's word for its value. */
export function newestSetting(
  settings: Readonly<Record<string, Setting>>,
  name: string,
  value: unknown,
): [name: string, value: unknown] {
  const [newest = name, setting] = Object.hasOwn(settings, name)
    ? [name, settings[name]]
    : (Object.entries(settings).find(([, { older }]) => older?.name === name) ?? []);
  return [newest, Object.entries(setting?.older?.words ?? {}).find(([, word]) => word === value)?.[0] ?? value];
}

/** The opposite of `newestSetting`: name and value as a server of this level has them. */
export function settingAt(
  level: number,
  settings: Readonly<Record<string, Setting>>,
  name: string,
  value: unknown,
): [name: string, value: unknown] {
  const older = Object.hasOwn(settings, name) ? settings[name]?.older : undefined;
  return older && level < older.below ? [older.name ?? name, older.words?.[String(value)] ?? value] : [name, value];
}

/** Returns the smallest allowed number. Undefined if the setting is no number. */
export const minimumOf = ({ kind, least }: Pick<Setting, "kind" | "least">): number | undefined =>
  least ?? (kind === "number" ? 0 : kind === "limit" ? 1 : undefined);

/**
 * Returns the words of a choice with their numbers on this server: those in its answer to `register`, or `choices`.
 * Undefined for settings without words.
 */
export function choicesOf(
  { choices, choicesMembers = [] }: Setting,
  registered: Readonly<Record<string, unknown>>,
): Choices | undefined {
  const list = choicesMembers.map((name) => registered[name]).find(hasMembers);
  if (!choices || !list) return choices;
  return Object.fromEntries(Object.entries(list).map(([word, choice]) => [word, Number(membersOf(choice).id)]));
}

/** Returns the word for a number, or the value itself. */
export const wordOf = (choices: Choices | undefined, value: unknown): unknown => nameOf(choices ?? {}, value) ?? value;

/** The word of a limit for no limit. */
export const noLimit = "unlimited";

/** By kind, the word that requests have where servers store no value. */
const emptyWords: { readonly [K in SettingKind]?: string } = { limit: noLimit, url: "default" };

/** Returns a stored value as requests send it. */
export const sentValue = ({ kind }: Setting, stored: unknown): unknown =>
  stored === null || stored === -1 ? (emptyWords[kind] ?? stored) : stored;

/** The opposite of `sentValue`. */
export const storedValue = ({ kind, unlimited }: Setting, sent: unknown): unknown =>
  sent !== undefined && sent === emptyWords[kind] ? (unlimited ?? null) : sent;

type MethodStates = Readonly<Record<string, boolean>>;

/** Returns which sign-in methods are on. Newer servers send more about each. */
export const methodStates = (all: unknown): MethodStates =>
  Object.fromEntries(
    Object.entries(membersOf(all)).map(([name, method]) => [name, (membersOf(method).enabled ?? method) === true]),
  );
