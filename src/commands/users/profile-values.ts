/** Stored values of custom profile fields. */
import type { ProfileField } from "../../api/profile-fields.ts";
import { fieldTypes } from "../../model/profile-field.ts";

/** Returns the options of a field by key. Empty for other types. */
export function optionsOf({ type, field_data }: ProfileField): [key: string, text: string][] {
  if (type !== fieldTypes.options || !field_data) return [];
  const all = JSON.parse(field_data) as Readonly<Record<string, { text?: unknown } | null>>;
  return Object.entries(all).map(([key, option]) => [key, String(option?.text ?? key)]);
}

/** Returns the ids in the value of a people field, which is JSON in a text. */
export function peopleIn(value: unknown): number[] | undefined {
  const all: unknown = typeof value === "string" && value.startsWith("[") ? JSON.parse(value) : value;
  return Array.isArray(all) ? all.filter((id) => typeof id === "number") : undefined;
}
