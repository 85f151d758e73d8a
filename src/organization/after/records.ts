/** Attributes of the file as members of records: the other way round of what `export` tells. */
import { channelPermissionRules } from "../../api/channel-settings.ts";
import { groupPermissionRules } from "../../api/group-permissions.ts";
import type { Option, WhoValue } from "../difference.ts";
import { fieldTypes } from "../sections/profile-fields.ts";
import type { Ids } from "./ids.ts";

/** Members of a record that an attribute's value makes. */
type Written = Readonly<Record<string, unknown>>;
export type Write = (field: string, value: unknown, ids: Ids) => Written;

const isWho = (field: string): boolean =>
  Object.hasOwn(channelPermissionRules, field) || Object.hasOwn(groupPermissionRules, field);

const days = (value: unknown): unknown => (value === "realm_default" ? null : value === "unlimited" ? -1 : value);

export const writeChannel: Write = (field, value, ids) => {
  if (isWho(field)) return { [field]: ids.who(value as WhoValue) };
  switch (field) {
    case "is_private":
      return { invite_only: value };
    case "folder":
      return { folder_id: value === null ? null : ids.of("folders", value as number) };
    case "message_retention_days":
      return { [field]: days(value) };
    case "is_default_stream":
      return {};
    default:
      return { [field]: value };
  }
};

export const writeGroup: Write = (field, value, ids) => {
  if (isWho(field)) return { [field]: ids.who(value as WhoValue) };
  return field === "subgroups" ? { direct_subgroup_ids: ids.all("groups", value) } : { [field]: value };
};

const fieldData = (options: readonly Option[]): string =>
  JSON.stringify(Object.fromEntries(options.map(({ key, text }, n) => [key, { text, order: String(n + 1) }])));

export const writeField: Write = (field, value) => {
  if (field === "type") return { type: fieldTypes[value as keyof typeof fieldTypes] };
  if (field === "options") return { field_data: fieldData(value as Option[]) };
  return { [field]: field === "field_data" ? JSON.stringify(value) : value };
};

export const write: Write = (field, value) => ({ [field]: value });
