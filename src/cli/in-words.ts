/** Formats desired values for the sentences of a change. */
import { counted } from "../common/counted.ts";
import type { Setting } from "../engine/change.ts";
import { whoIn } from "../model/permission.ts";
import type { NameResolver } from "../resolve/resolver.ts";
import { brief } from "./question.ts";

export const quotedBriefly = (text: string): string => `"${brief(text)}"`;

/** Formats the value of a group setting, with the names that this run has read. */
export async function whoInWords(find: NameResolver, who: unknown): Promise<string> {
  const nameOf = async (kind: "user" | "group", id: number) => (await find.nameOf(kind, id)) ?? `${kind} ${id}`;
  const { direct_members, direct_subgroups } = whoIn(who);
  const names = [
    ...direct_members.map((id) => nameOf("user", id)),
    ...direct_subgroups.map((id) => nameOf("group", id)),
  ];
  return (await Promise.all(names)).join(", ") || "nobody";
}

/** Clearer names than those of the parameters. */
const names: Record<string, string> = { new_name: "name", folder_id: "folder" };

async function inWords(find: NameResolver, parameter: string, value: unknown): Promise<string> {
  if (value === null) return "none";
  if (typeof value === "object") return whoInWords(find, value);
  if (parameter === "folder_id") return (await find.nameOf("folder", Number(value))) ?? String(value);
  if (parameter === "message_retention_days" && typeof value === "number") return counted(value, "day");
  return ["description", "new_name", "name"].includes(parameter) ? quotedBriefly(String(value)) : String(value);
}

export const renderSettings = (find: NameResolver, args: Readonly<Record<string, unknown>>): Promise<Setting[]> =>
  Promise.all(
    Object.entries(args)
      .filter(([, value]) => value !== undefined)
      .map(async ([parameter, value]) => ({
        parameter,
        name: names[parameter] ?? parameter,
        value: await inWords(find, parameter, value),
      })),
  );
