/** Names the things of a snapshot as a file writes them. */
import type { GroupSetting } from "../api/group-setting.ts";
import { choicesOf, type Setting, wordOf } from "../api/settings.ts";
import { addressOf } from "../api/users.ts";
import type { Named } from "../resolve/resolver.ts";
import type { Option } from "./difference.ts";
import { channelsOf, everybodyOf, type Snapshot } from "./snapshot.ts";

/** A reference with a comment for readers: the full name of somebody whose address is hidden. */
export class Commented {
  constructor(
    readonly text: string,
    readonly comment: string,
  ) {}
  toJSON(): string {
    return this.text;
  }
}

export type Reference = string | Commented;

/** Formats references. `namingOf` writes words of a file, `canonicalNaming` writes ids. */
export interface Naming {
  people(ids: readonly number[]): unknown[];
  groups(ids: readonly number[]): unknown[];
  channel(id: number): unknown;
  folder(id: number): unknown;
  who(setting: GroupSetting): unknown;
  /** Formats the value of a setting that servers send as a number. */
  choice(setting: Setting, value: unknown): unknown;
  /** Formats the options of a profile field, in their order. */
  options(all: readonly Option[]): unknown[];
}

/** Formats references as words of a file. */
export interface Words extends Naming {
  person(id: number): Reference;
  people(ids: readonly number[]): Reference[];
  group(id: number): string;
}

/** Returns the names of things by their ids. */
export function namesIn(snapshot: Snapshot): Record<Named, ReadonlyMap<number, string>> {
  const { organization, channel_folders } = snapshot;
  return {
    user: new Map(everybodyOf(snapshot).map(({ user_id, full_name }) => [user_id, full_name])),
    group: new Map(organization.realm_user_groups.map(({ id, name }) => [id, name])),
    channel: new Map(channelsOf(snapshot).map(({ stream_id, name }) => [stream_id, name])),
    folder: new Map(channel_folders?.map(({ id, name }) => [id, name])),
  };
}

/** Compares by code units, so that the locale of a machine does not matter. */
export const byText = (a: Reference, b: Reference): number => {
  const [one, other] = [String(a instanceof Commented ? a.text : a), String(b instanceof Commented ? b.text : b)];
  return one < other ? -1 : one > other ? 1 : 0;
};

/** Adds `name:` to a name that would otherwise be read as another kind of reference. */
export const plainName = (name: string): string => (/^(@|id:|name:)/.test(name) ? `name:${name}` : name);

const nobody = "role:nobody";

export function namingOf(snapshot: Snapshot): Words {
  const everybody = new Map(everybodyOf(snapshot).map((one) => [one.user_id, one]));
  const names = namesIn(snapshot);
  const person = (id: number): Reference => {
    const found = everybody.get(id);
    return (found && addressOf(found)) ?? (found ? new Commented(`id:${id}`, found.full_name) : `id:${id}`);
  };
  const group = (id: number): string => {
    const name = names.group.get(id);
    return name === undefined ? `id:${id}` : plainName(name);
  };
  const gone = new Set(snapshot.organization.realm_non_active_users.map(({ user_id }) => user_id));
  // Older servers keep deactivated people in lists. Files do not name them.
  const people = (ids: readonly number[]) =>
    ids
      .filter((id) => !gone.has(id))
      .map(person)
      .sort(byText);
  const groupNames = (ids: readonly number[]) => ids.map(group).sort(byText);
  // A file writes `nobody` for the group `role:nobody`.
  const alone = (name: string): unknown => (name === nobody ? "nobody" : name === "nobody" ? { groups: [name] } : name);
  return {
    person,
    people,
    group,
    groups: groupNames,
    channel: (id) => names.channel.get(id),
    folder: (id) => names.folder.get(id),
    // The schema accepts only the words that this program knows.
    choice: (setting, value) => {
      const word = wordOf(choicesOf(setting, snapshot.organization), value);
      return Object.hasOwn(setting.choices ?? {}, String(word)) ? word : value;
    },
    options: (all) => all.map(({ text }) => text),
    who: (setting) => {
      if (typeof setting === "number") return alone(group(setting));
      const { direct_members, direct_subgroups } = setting;
      if (!direct_members.length && direct_subgroups.length === 1) return alone(group(direct_subgroups[0]!));
      const [users, named] = [people(direct_members), groupNames(direct_subgroups)];
      return { ...((users.length || !named.length) && { users }), ...(named.length && { groups: named }) };
    },
  };
}
