/** Values that words may have beyond a closed list of choices, by what stands between their brackets. */

import { channelPermissions } from "../../api/channel-settings.ts";
import { permissionNames } from "../../permissions/known.ts";

/** The names of a kind that begin with a text: each with what it is, after a tab. */
export type Names = (kind: string, prefix: string) => readonly string[];

/** Asks the shell for names of files. */
export const everyFile = ":files";

const groups = ["owners", "administrators", "moderators", "fullmembers", "members", "everyone", "internet", "nobody"];
const systemGroups = groups.map((name) => `role:${name}`);

const known: Readonly<Record<string, readonly string[]>> = {
  file: [everyFile],
  zuliprc: [everyFile],
  who: [...systemGroups, "nobody", "user:", "group:"],
  group: systemGroups,
  user: ["me", "name:"],
  role: ["owner", "administrator", "moderator", "member", "guest"],
  permission: permissionNames,
  days: ["realm_default", "unlimited"],
  "setting=who": channelPermissions.map((setting) => `${setting}=`),
};

const named = ["channel", "folder", "group"];

/** What may stand in the place of `item`, where an item of a list of `who` is also one of these. */
function whoItems(item: string, inList: boolean, names: Names): readonly string[] {
  const of = /^(user|group):/.exec(item);
  if (!of) return inList ? ["user:", "group:"] : [...known.who!, ...names("group", item)];
  const [prefix, kind] = of;
  return itemsOf(kind!, item.slice(prefix.length), names).map((value) => prefix + value);
}

function itemsOf(kind: string, item: string, names: Names): readonly string[] {
  if (kind === "user") return [...known.user!, ...names(item.startsWith("name:") ? "person" : "user", item)];
  return [...(known[kind] ?? []), ...(named.includes(kind) ? names(kind, item) : [])];
}

/** Whole values, those of a list with what stands before the last comma. A comma cannot stand in an item. */
function inList(typed: string, items: (item: string, later: boolean) => readonly string[]): string[] {
  const [before = ""] = /^.*,\s*/s.exec(typed) ?? [];
  return items(typed.slice(before.length), before !== "")
    .filter((value) => !/^[^\t]*,/.test(value))
    .map((value) => before + value);
}

/** What may be meant by `typed`, the value of a word that is called `metavariable`; some with what they are after a tab. */
export function valuesOf(
  metavariable: string,
  { typed, list, names }: { typed: string; list: boolean; names: Names },
): readonly string[] {
  if (metavariable === "setting=who") {
    const [setting] = /^[^=]*=/.exec(typed) ?? [];
    if (setting === undefined) return known[metavariable]!;
    const rest = typed.slice(setting.length);
    return valuesOf("who", { typed: rest, list, names }).map((value) => setting + value);
  }
  if (metavariable === "who") {
    const several = /^(user|group):/.test(typed);
    return several ? inList(typed, (item, later) => whoItems(item, later, names)) : whoItems(typed, false, names);
  }
  return list ? inList(typed, (item) => itemsOf(metavariable, item, names)) : itemsOf(metavariable, typed, names);
}
