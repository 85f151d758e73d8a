/** Formats desired values for the sentences of a change. */
import type { GroupSetting } from "../api/group-setting.ts";
import type { NameResolver } from "../resolve/resolver.ts";
import { brief } from "./question.ts";

export const quotedBriefly = (text: string): string => `"${brief(text)}"`;

/** Formats the value of a group setting, with the names that this run has read. */
export async function whoInWords(find: NameResolver, who: GroupSetting): Promise<string> {
  const nameOf = async (kind: "user" | "group", id: number) => (await find.nameOf(kind, id)) ?? `${kind} ${id}`;
  if (typeof who === "number") return nameOf("group", who);
  const names = [
    ...who.direct_members.map((id) => nameOf("user", id)),
    ...who.direct_subgroups.map((id) => nameOf("group", id)),
  ];
  return (await Promise.all(names)).join(", ") || "nobody";
}
