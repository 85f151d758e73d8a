/** What is no longer used by something once that is changed: only then can it be put away. */
import type { Known, WhoValue } from "../difference.ts";
import { without } from "./context.ts";

/** By attributes that name things of another section, its word for facts. */
const kinds: Readonly<Record<string, string>> = { folder: "folder", subgroups: "group" };

const listed = (value: unknown): readonly Known[] =>
  value === null || value === undefined
    ? []
    : Array.isArray(value)
      ? value
      : typeof value === "object" && "groups" in value
        ? (value as WhoValue).groups
        : [value as Known];

/** That a field names these things no more. */
export function leftBehind(field: string, from: unknown, to: unknown): string[] {
  const kind = kinds[field] ?? (/_groups?$/.test(field) ? "group" : "channel");
  return without<Known>(listed(from), listed(to)).map((id) => `${kind} ${id} was left`);
}
