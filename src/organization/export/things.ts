/** Groups, folders, profile fields and the small collections. */

import { groupPermissions } from "../../api/group-permissions.ts";
import type { GroupSetting } from "../../api/group-setting.ts";
import { sections } from "../file.ts";
import { fieldTypes } from "../sections/profile-fields.ts";
import type { Group, Snapshot } from "../snapshot.ts";
import { by, type Entry, type ExportContext, entryOf, inJson, onlyTrue, pin } from "./entry.ts";

const none = () => undefined;

export function groupEntries({ snapshot, naming, members }: ExportContext): Entry[] {
  const all = snapshot.organization.realm_user_groups
    .filter(({ name, is_system_group = name.startsWith("role:") }) => !is_system_group)
    .sort(by(({ name }) => name));
  const permissions = groupPermissions.map((name) => [
    name,
    (group: Group) => {
      const value = (group as Entry)[name];
      return value === undefined ? undefined : naming.who(value as GroupSetting);
    },
  ]);
  const telling = {
    ...pin(
      all,
      ({ name }) => name,
      ({ id }) => id,
    ),
    ...Object.fromEntries(permissions),
    deactivated: none,
    members: (group: Group) => (members ? naming.people(group.members) : undefined),
    subgroups: (group: Group) => naming.groups(group.direct_subgroup_ids ?? group.subgroups ?? []),
  };
  return all.map((group) => {
    if (!group.deactivated) return entryOf(sections.groups, group, telling);
    const { name, id, description } = entryOf(sections.groups, group, telling);
    return { name, ...(id !== undefined && { id }), description, deactivated: true };
  });
}

export function folderEntries({ snapshot }: ExportContext): Entry[] {
  const all = snapshot.channel_folders ?? [];
  const pinning = pin(
    all,
    ({ name }) => name.toLowerCase(),
    ({ id }) => id,
  );
  const telling = { ...pinning, archived: ({ is_archived }: (typeof all)[number]) => onlyTrue(is_archived) };
  return all.map((folder) => entryOf(sections.folders, folder, telling));
}

type Field = Snapshot["organization"]["custom_profile_fields"][number];

const typeNames = new Map<number, string>(Object.entries(fieldTypes).map(([name, number]) => [number, name]));

const optionsOf = (data: string): string[] =>
  Object.values((inJson(data) ?? {}) as Record<string, { text: string; order: string }>)
    .sort((a, b) => Number(a.order) - Number(b.order))
    .map(({ text }) => text);

export function fieldEntries({ snapshot }: ExportContext): Entry[] {
  const all = snapshot.organization.custom_profile_fields;
  const telling = {
    ...pin(
      all,
      ({ name }) => name,
      ({ id }) => id,
    ),
    type: ({ type }: Field) => typeNames.get(type),
    // Servers that know it leave it out where it is false.
    display_in_profile_summary: ({ display_in_profile_summary: shown }: Field) =>
      shown ?? (snapshot.feature_level >= 146 ? false : undefined),
    options: ({ type, field_data }: Field) => (type === fieldTypes.options ? optionsOf(field_data) : undefined),
    field_data: ({ type, field_data }: Field) => (type === fieldTypes.account ? inJson(field_data) : undefined),
  };
  return all.map((field) => entryOf(sections.profile_fields, field, telling));
}

export function linkifierEntries({ snapshot }: ExportContext): Entry[] {
  const all = snapshot.organization.realm_linkifiers ?? [];
  const set = (name: string) => (linkifier: object) => (linkifier as Entry)[name] ?? undefined;
  const telling = {
    id: none,
    was: none,
    example_input: set("example_input"),
    reverse_template: set("reverse_template"),
    alternative_url_templates: set("alternative_url_templates"),
  };
  return all.map((linkifier) => entryOf(sections.linkifiers, linkifier, telling));
}

export const domainEntries = ({ snapshot }: ExportContext): Entry[] =>
  snapshot.organization.realm_domains
    .map((domain) => entryOf(sections.domains, domain, {}))
    .sort(by(({ domain }) => String(domain)));

export const playgroundEntries = ({ snapshot }: ExportContext): Entry[] =>
  (snapshot.organization.realm_playgrounds ?? [])
    .map((playground) => entryOf(sections.playgrounds, playground, {}))
    .sort(by(({ pygments_language, name }) => `${pygments_language}\n${name}`));
