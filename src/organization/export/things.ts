/** Groups, folders, profile fields and the small collections. */

import { groupPermissions } from "../../api/group-permissions.ts";
import type { GroupSetting } from "../../api/group-setting.ts";
import { foldFolderName } from "../../folding.ts";
import type { Option } from "../difference.ts";
import { sections } from "../file.ts";
import { fieldTypes } from "../sections/profile-fields.ts";
import { type Field, type Group, isSystemGroup, type Snapshot, subgroupsOf } from "../snapshot.ts";
import {
  by,
  type Entry,
  type ExportContext,
  entryOf,
  inJson,
  onlyTrue,
  pin,
  type Telling,
  type Told,
} from "./entry.ts";

const none = () => undefined;

/** Without those that every organization has. */
export function groupsTold({ snapshot, naming }: Telling): Told<Group> {
  const permissions = groupPermissions.map((name) => [
    name,
    (group: Group) => {
      const value = (group as Entry)[name];
      return value === undefined ? undefined : naming.who(value as GroupSetting);
    },
  ]);
  return {
    records: snapshot.organization.realm_user_groups.filter((group) => !isSystemGroup(group)),
    id: ({ id }) => id,
    away: ({ deactivated }) => deactivated === true,
    attributes: {
      ...Object.fromEntries(permissions),
      deactivated: none,
      members: (group: Group) => naming.people(group.members),
      subgroups: (group: Group) => naming.groups(subgroupsOf(group)),
    },
  };
}

export function groupEntries(context: ExportContext): Entry[] {
  const { records, id, away, attributes } = groupsTold(context);
  const all = [...records].sort(by(({ name }) => name));
  const telling = {
    ...attributes,
    ...pin(all, ({ name }) => name, id),
    ...(!context.members && { members: none }),
  };
  return all.map((group) => {
    if (!away(group)) return entryOf(sections.groups, group, telling);
    const { name, id, description } = entryOf(sections.groups, group, telling);
    return { name, ...(id !== undefined && { id }), description, deactivated: true };
  });
}

type Folder = NonNullable<Snapshot["channel_folders"]>[number];

export const foldersTold = ({ snapshot }: Telling): Told<Folder> => ({
  records: snapshot.channel_folders ?? [],
  id: ({ id }) => id,
  away: ({ is_archived }) => is_archived,
  attributes: { archived: ({ is_archived }) => onlyTrue(is_archived) },
});

export function folderEntries(context: ExportContext): Entry[] {
  const { records, id, attributes } = foldersTold(context);
  const telling = { ...attributes, ...pin(records, ({ name }) => foldFolderName(name), id) };
  return records.map((folder) => entryOf(sections.folders, folder, telling));
}

const typeNames = new Map<number, string>(Object.entries(fieldTypes).map(([name, number]) => [number, name]));

const optionsIn = (data: string): Option[] =>
  Object.entries((inJson(data) ?? {}) as Record<string, { text: string; order: string }>)
    .sort(([, a], [, b]) => Number(a.order) - Number(b.order))
    .map(([key, { text }]) => ({ key, text }));

const here = () => false;

export const fieldsTold = ({ snapshot, naming }: Telling): Told<Field> => ({
  records: snapshot.organization.custom_profile_fields,
  id: ({ id }) => id,
  away: here,
  attributes: {
    type: ({ type }) => typeNames.get(type),
    // Servers that know it leave it out where it is false.
    display_in_profile_summary: ({ display_in_profile_summary: shown }) =>
      shown ?? (snapshot.feature_level >= 146 ? false : undefined),
    options: ({ type, field_data }) =>
      type === fieldTypes.options ? naming.options(optionsIn(field_data)) : undefined,
    field_data: ({ type, field_data }) => (type === fieldTypes.account ? inJson(field_data) : undefined),
  },
});

export function fieldEntries(context: ExportContext): Entry[] {
  const { records, id, attributes } = fieldsTold(context);
  const telling = { ...attributes, ...pin(records, ({ name }) => name, id) };
  return records.map((field) => entryOf(sections.profile_fields, field, telling));
}

type Linkifier = NonNullable<Snapshot["organization"]["realm_linkifiers"]>[number];

const set = (name: string) => (linkifier: object) => (linkifier as Entry)[name] ?? undefined;

export const linkifiersTold = ({ snapshot }: Telling): Told<Linkifier> => ({
  records: snapshot.organization.realm_linkifiers ?? [],
  id: ({ id }) => id,
  away: here,
  attributes: {
    example_input: set("example_input"),
    reverse_template: set("reverse_template"),
    alternative_url_templates: set("alternative_url_templates"),
  },
});

export function linkifierEntries(context: ExportContext): Entry[] {
  const { records, attributes } = linkifiersTold(context);
  const telling = { ...attributes, id: none, was: none };
  return records.map((linkifier) => entryOf(sections.linkifiers, linkifier, telling));
}

export const domainEntries = ({ snapshot }: ExportContext): Entry[] =>
  snapshot.organization.realm_domains
    .map((domain) => entryOf(sections.domains, domain, {}))
    .sort(by(({ domain }) => String(domain)));

type Playground = NonNullable<Snapshot["organization"]["realm_playgrounds"]>[number];

export const playgroundsTold = ({ snapshot }: Telling): Told<Playground> => ({
  records: snapshot.organization.realm_playgrounds ?? [],
  id: ({ id }) => id,
  away: here,
  attributes: {},
});

export const playgroundEntries = (context: ExportContext): Entry[] =>
  playgroundsTold(context)
    .records.map((playground) => entryOf(sections.playgrounds, playground, {}))
    .sort(by(({ pygments_language, name }) => `${pygments_language}\n${name}`));
