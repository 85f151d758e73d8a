/** What messages call the things that differ. */
import type { Difference, FieldChange } from "./difference.ts";
import { sections } from "./file.ts";

/** `channel design`. */
export function calledIn({
  section,
  name,
  action,
}: Pick<Difference, "section" | "name"> & { action?: string }): string {
  if (section === "settings") return "settings";
  if (section === "new_users") return "settings of new people";
  if (action === "reorder") return `order of ${sections[section].plural}`;
  return `${sections[section].one} ${name}`;
}

/** `description`, `profile Team`. */
export const labelOf = ({ field, of }: FieldChange): string => (of ? `${field} ${of.name}` : field);
