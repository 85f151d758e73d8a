/** What is no longer used by something once that is changed: only then can it be put away. */
import type { Known, WhoValue } from "../difference.ts";
import { without } from "./context.ts";

type Named = "folder" | "group" | "channel";

/** What an attribute of a channel or a group names; a number or a text of digits in any other is no id. */
const namedBy = (field: string): Named | undefined =>
  field === "folder" ? "folder" : field === "subgroups" || /_groups?$/.test(field) ? "group" : undefined;

const listed = (value: unknown): readonly Known[] =>
  value === null || value === undefined
    ? []
    : Array.isArray(value)
      ? value
      : typeof value === "object" && "groups" in value
        ? (value as WhoValue).groups
        : [value as Known];

/** That what held these names them no more. */
export const noMore = (kind: Named, from: unknown, to: unknown): string[] =>
  without<Known>(listed(from), listed(to)).map((id) => `${kind} ${id} was left`);

/** That an attribute of a channel or a group names these things no more. */
export function leftBehind(field: string, from: unknown, to: unknown): string[] {
  const kind = namedBy(field);
  return kind ? noMore(kind, from, to) : [];
}
