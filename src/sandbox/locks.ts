/** What a change locks. A real server does not wait for a lock: of two changes that want the same one, the second breaks. */
import { foldFolderName } from "../folding.ts";
import { isObject, type Json, parseJson } from "./decode.ts";
import type { Group, State } from "./state.ts";

const linkifierChanges = new Set(["linkifier.add", "linkifier.update", "linkifier.rm", "linkifier.reorder"]);
const groupChanges = new Set(["group.create", "group.update", "group.members", "group.subgroups"]);
const lists = new Set(["subgroups", "add_subgroups", "delete_subgroups"]);

function parsed(text: string): Json {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

/** Ids of groups that become parts of another, or of a permission, or are so no longer. */
function named(operation: string, form: URLSearchParams): Json[] {
  return [...form].flatMap(([name, text]) => {
    const value = parsed(text);
    const asList = lists.has(name) || (operation === "group.subgroups" && (name === "add" || name === "delete"));
    if (Array.isArray(value)) return asList ? value : [];
    const parts: Json[] = isObject(value) ? [value, value.new ?? null] : [];
    return parts.flatMap((part) =>
      isObject(part) && Array.isArray(part.direct_subgroups) ? part.direct_subgroups : [],
    );
  });
}

/** A group and all those that can be reached from it. */
function reach(
  groups: State["groups"],
  from: unknown,
  next: (group: Group) => Iterable<number>,
  found: Set<number>,
): void {
  const group = groups.get(Number(from));
  if (!group || found.has(group.id)) return;
  found.add(group.id);
  for (const id of next(group)) reach(groups, id, next, found);
}

/** One for all linkifiers, one for each name of a new folder; one for each group that is named or below it, or above the changed one. */
export function locksOf({ groups }: State, operation: string | undefined, pathname: string, body = ""): string[] {
  if (operation === undefined) return [];
  if (linkifierChanges.has(operation)) return ["linkifiers"];
  const form = new URLSearchParams(body);
  if (operation === "folder.create") return [`folder ${foldFolderName(form.get("name") ?? "")}`];
  const parts = groupChanges.has(operation) ? named(operation, form) : [];
  if (parts.length === 0) return [];
  const below = new Set<number>();
  for (const id of parts) reach(groups, id, ({ subgroups }) => subgroups, below);
  const above = new Set<number>();
  const holders = ({ id }: Group) =>
    [...groups.values()].filter((each) => each.subgroups.has(id)).map((each) => each.id);
  reach(groups, /\/user_groups\/(\d+)/.exec(pathname)?.[1], holders, above);
  return [...new Set([...below, ...above])].map((id) => `group ${id}`);
}
