/** Names the things of a snapshot as a file writes them. */

import { userAddress } from "../api/users.ts";
import { fieldTypes, optionTexts } from "../model/profile-field.ts";
import { choicesOf, type Setting, wordOf } from "../model/setting.ts";
import type { NameKind } from "../resolve/look-ups.ts";
import { attributeKind, type Member } from "./attribute-shapes.ts";
import { isWhoValue, optionsOf, type ThingId, type WhoValue } from "./difference.ts";
import { writtenName } from "./document/entry-names.ts";
import { idsIn, keyOfId } from "./id-values.ts";
import { channelsOf, everybodyOf, peopleById, type Snapshot } from "./snapshot.ts";

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

type WrittenReference = string | Commented;

/** Returns the names of things by their ids. */
export function namesIn(snapshot: Snapshot): Record<NameKind, ReadonlyMap<number, string>> {
  const { organization, channel_folders } = snapshot;
  return {
    user: new Map(everybodyOf(snapshot).map(({ user_id, full_name }) => [user_id, full_name])),
    group: new Map(organization.realm_user_groups.map(({ id, name }) => [id, name])),
    channel: new Map(channelsOf(snapshot).map(({ stream_id, name }) => [stream_id, name])),
    folder: new Map(channel_folders?.map(({ id, name }) => [id, name])),
  };
}

/** Compares by code units, so that the locale of a machine does not matter. */
export const byText = (a: WrittenReference, b: WrittenReference): number => {
  const [one, other] = [String(a instanceof Commented ? a.text : a), String(b instanceof Commented ? b.text : b)];
  return one < other ? -1 : one > other ? 1 : 0;
};

/** Adds `name:` to a name that would otherwise be read as another kind of reference. */
export const plainName = (name: string): string => (/^(@|id:|name:)/.test(name) ? `name:${name}` : name);

/**
 * Returns functions that write values as a file does. `isExport`: sorts lists, leaves out people whom files do
 * not name, and comments hidden addresses.
 */
export function namingOf(snapshot: Snapshot, { isExport = false } = {}) {
  const { organization } = snapshot;
  const everybody = peopleById(snapshot);
  const names = namesIn(snapshot);
  // Older servers keep deactivated people in lists. Files do not name them.
  const deactivated = new Set(isExport ? organization.realm_non_active_users.map(({ user_id }) => user_id) : []);
  /** By profile field of the type options, the texts by their keys. */
  const textsOfOptions = new Map<number | string, ReadonlyMap<unknown, string>>();
  for (const field of organization.custom_profile_fields)
    if (field.type === fieldTypes.options)
      textsOfOptions.set(field.id, optionTexts(field)).set(field.name, optionTexts(field));

  const inOrder = <T extends WrittenReference>(all: T[]): T[] => (isExport ? all.sort(byText) : all);

  function person(id: number): WrittenReference {
    const found = everybody.get(id);
    const name = (found && userAddress(found)) ?? `id:${id}`;
    return isExport && found && userAddress(found) === undefined ? new Commented(name, found.full_name) : name;
  }

  const people = (ids: unknown, hidden: ReadonlySet<number> = deactivated): WrittenReference[] =>
    inOrder(idsIn(ids).flatMap((id) => (typeof id === "number" && !hidden.has(id) ? [person(id)] : [])));

  function group(id: ThingId): string {
    const name = typeof id === "number" ? names.group.get(id) : id.new;
    return name === undefined ? `id:${id}` : plainName(name);
  }

  const groups = (all: unknown): string[] => inOrder(idsIn(all).map(group));

  function who(value: WhoValue): unknown {
    const [users, groupNames] = [people(value.users), groups(value.groups)];
    const [first] = groupNames;
    if (users.length || groupNames.length > 1)
      return { ...(users.length && { users }), ...(groupNames.length && { groups: groupNames }) };
    // A file writes `nobody` for the group `role:nobody`.
    return first === undefined ? "nobody" : first === "nobody" ? { groups: groupNames } : first;
  }

  function choice(setting: Setting, value: unknown): unknown {
    const word = wordOf(choicesOf(setting, organization), value);
    // The schema accepts only the words that this program knows.
    return Object.hasOwn(setting.choices ?? {}, String(word)) ? word : value;
  }

  /** Returns the value of an attribute as a file writes it. `field`: the profile field of a `profile` value. */
  function inFile(member: Pick<Member, "shape" | "choices">, value: unknown, field?: ThingId): unknown {
    if (value === undefined || value === null) return value;
    if (member.choices) return choice(member.choices, value);
    const kind = attributeKind(member);
    switch (kind) {
      case "people":
        return people(value);
      case "person":
        return people([value])[0];
      case "profile": {
        // Servers keep deactivated people in profiles.
        if (Array.isArray(value)) return people(value, new Set());
        const texts = field && textsOfOptions.get(keyOfId(field));
        return texts ? (texts.get(value) ?? (isExport ? undefined : value)) : value;
      }
      case "groups":
        return groups(value);
      case "channel":
      case "folder": {
        const unknown = (id: number) => (isExport ? undefined : `id:${id}`);
        const name = (id: ThingId) => (typeof id === "number" ? (names[kind].get(id) ?? unknown(id)) : id.new);
        const written = (id: ThingId) => {
          const found = name(id);
          return kind === "channel" && found !== undefined ? writtenName("channels", found) : found;
        };
        return Array.isArray(value) ? idsIn(value).map(written) : idsIn([value]).map(written)[0];
      }
      case "who":
        return isWhoValue(value) ? who(value) : value;
      case "options":
        return optionsOf(value).map(({ text }) => text);
      default:
        return value;
    }
  }

  return { inFile, group, names };
}

export type FileNaming = ReturnType<typeof namingOf>;
