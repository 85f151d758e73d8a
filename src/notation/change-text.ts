/** Formats values of changes in sentences: in the log of an export, and in records of `watch`. */
import { truncate } from "../common/truncate.ts";
import { valueForPeople } from "../model/field.ts";

/** Characters of a text that a line shows. */
export const longestValue = 60;

/** The largest number of people that a line names. */
export const maxNamesInLine = 3;

/** Formats a value of a property in a line. */
export function changedValueText(property: string | null, value: unknown): string {
  if (isPermissionText(value)) {
    const { users = [], groups = [] } = value;
    const all = [...users.map((user) => `user ${user}`), ...groups.map((group) => `group ${group}`)];
    return shortText(all.join(", ") || "nobody");
  }
  const words = property === null ? value : valueForPeople(property, value);
  return words === null ? "none" : shortText(words);
}

/** Returns whether the value is a permission of several people and groups, in words. */
export const isPermissionText = (value: unknown): value is { users?: unknown[]; groups?: unknown[] } =>
  typeof value === "object" && value !== null && ("users" in value || "groups" in value);

const shortText = (value: unknown): string =>
  truncate(
    typeof value === "string" && /^[\w:.,@() -]+$/.test(value) ? value : JSON.stringify(value ?? null),
    longestValue,
  );

/** Replaces `{name}` by the word of this name. */
export const fillIn = (sentence: string, words: Readonly<Record<string, () => string>>): string =>
  sentence.replace(/\{(\w+)\}/g, (whole, name: string) => words[name]?.() ?? whole);
