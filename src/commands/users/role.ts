/** Roles by name and number. */
import { distance } from "fastest-levenshtein";
import { roles } from "../../api/users.ts";
import { Usage } from "../../errors.ts";

/** A name or a number; throws `Usage` for a name that is none. */
export function readRole(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const names = Object.keys(roles) as (keyof typeof roles)[];
  const role = names.find((name) => name === text.toLowerCase());
  if (role) return roles[role];
  const near = names.filter((name) => distance(name, text.toLowerCase()) <= 3 || name.startsWith(text.toLowerCase()));
  throw new Usage(`--role: unknown role "${text}"`, {
    hint: near.length ? `Did you mean ${near.join(" or ")}?` : `Valid values: ${names.join(", ")}, and numbers.`,
  });
}
