/** What the things of a snapshot are called in a file. */
import type { GroupSetting } from "../api/group-setting.ts";
import { choicesOf, type Setting, wordOf } from "../api/settings.ts";
import { addressOf } from "../api/users.ts";
import type { Named } from "../resolve/resolver.ts";
import type { Option } from "./difference.ts";
import { channelsOf, everybodyOf, type Snapshot } from "./snapshot.ts";

/** A reference of which people want to know more than it says: the name of somebody whose address is hidden. */
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

/** In which form what a snapshot says is told: `canonical.ts` has another. */
export interface Naming {
  people(ids: readonly number[]): unknown[];
  groups(ids: readonly number[]): unknown[];
  channel(id: number): unknown;
  folder(id: number): unknown;
  who(setting: GroupSetting): unknown;
  /** Of a setting that is a number. */
  choice(setting: Setting, value: unknown): unknown;
  /** Those of a profile field, in their order. */
  options(all: readonly Option[]): unknown[];
}

/** The words of a file. */
export interface Words extends Naming {
  person(id: number): Reference;
  people(ids: readonly number[]): Reference[];
  group(id: number): string;
}

/** The names of things by their ids. */
export function namesIn(snapshot: Snapshot): Record<Named, ReadonlyMap<number, string>> {
  const { organization, channel_folders } = snapshot;
  return {
    user: new Map(everybodyOf(snapshot).map(({ user_id, full_name }) => [user_id, full_name])),
    group: new Map(organization.realm_user_groups.map(({ id, name }) => [id, name])),
    channel: new Map(channelsOf(snapshot).map(({ stream_id, name }) => [stream_id, name])),
    folder: new Map(channel_folders?.map(({ id, name }) => [id, name])),
  };
}

/** By code units, so that no language setting of a machine plays a part. */
export const byText = (a: Reference, b: Reference): number => {
  const [one, other] = [String(a instanceof Commented ? a.text : a), String(b instanceof Commented ? b.text : b)];
  return one < other ? -1 : one > other ? 1 : 0;
};

/** A name that would be read as something else says that it is one. */
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
  // Older servers leave those who are deactivated in lists, where no file names them.
  const people = (ids: readonly number[]) =>
    ids
      .filter((id) => !gone.has(id))
      .map(person)
      .sort(byText);
  const groupNames = (ids: readonly number[]) => ids.map(group).sort(byText);
  // `nobody` alone is the group of that role.
  const alone = (name: string): unknown => (name === nobody ? "nobody" : name === "nobody" ? { groups: [name] } : name);
  return {
    person,
    people,
    group,
    groups: groupNames,
    channel: (id) => names.channel.get(id),
    folder: (id) => names.folder.get(id),
    // A word that is no part of the schema would not be read again.
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
