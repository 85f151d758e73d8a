/** What a change of a channel or group sets, as it is sent and in words. */
import type { GroupSetting, GroupSettingUpdate } from "../../api/group-setting.ts";
import { counted } from "../../counted.ts";
import type { Setting } from "../../engine/change.ts";
import { type Reference, readReference, readWho, type UserReference } from "../../notation/who.ts";
import type { Named, Resolves } from "../../resolve/resolver.ts";
import { type Allowed, camel, expected, settingsIn } from "./words.ts";

/** Names that say more than those of the parameters. */
const names: Record<string, string> = { new_name: "name", folder_id: "folder" };

/** Longer texts are cut: the sentence is to be read, not the text. */
const longest = 60;

export function quoted(text: string): string {
  const signs = [...text];
  return `"${signs.length > longest ? `${signs.slice(0, longest - 1).join("")}…` : text}"`;
}

/** The name that this run has read, else what was typed, else the id. */
async function called(find: Resolves, kind: Named, id: number, typed?: Reference | UserReference): Promise<string> {
  const name = await find.called(kind, id);
  if (name !== undefined) return name;
  if (typed === "me") return typed;
  if (typed && "name" in typed) return typed.name;
  return typed && "email" in typed ? typed.email : `${kind} ${id}`;
}

/** Permissions as an update sends them and in words: those among the values, each with what it is expected to be. */
export async function permissionChanges<S extends string>(
  find: Resolves,
  values: Readonly<Record<string, unknown>>,
  settings: readonly S[],
): Promise<{ updates: Partial<Record<S, GroupSettingUpdate>>; words: Record<string, string>; expectCurrent?: true }> {
  const { each, current } = expected(values, settings);
  const updates: Partial<Record<S, GroupSettingUpdate>> = {};
  const words: Record<string, string> = {};
  for (const setting of settingsIn(values, settings)) {
    const { typed, value } = values[camel(setting)] as Allowed;
    const old = each.get(setting);
    words[setting] = await whoInWords(find, typed, value);
    updates[setting] = {
      new: value,
      ...(old !== undefined && { old: await find.who(old, `--expect ${setting}`) }),
    };
  }
  return { updates, words, ...(current && { expectCurrent: true }) };
}

/** A folder, as it was typed and as it is sent. */
export async function folderInWords(find: Resolves, typed: string, id: number): Promise<string> {
  const reference = readReference(typed, "");
  return (await find.called("folder", id)) ?? ("name" in reference ? reference.name : String(id));
}

/** A group setting, as it was typed and as it is sent. */
export async function whoInWords(find: Resolves, typed: string, value: GroupSetting): Promise<string> {
  const who = readWho(typed, "");
  if (typeof value === "number") return called(find, "group", value, "group" in who ? who.group : undefined);
  const { users, groups } = "users" in who ? who : { users: [], groups: [] };
  const all = [
    ...value.direct_members.map((id, n) => called(find, "user", id, users[n])),
    ...value.direct_subgroups.map((id, n) => called(find, "group", id, groups[n])),
  ];
  return all.length ? (await Promise.all(all)).join(", ") : "nobody";
}

const inWords = (parameter: string, value: unknown): string => {
  if (value === null) return "none";
  if (typeof value === "string" && (parameter === "description" || parameter === "new_name")) return quoted(value);
  return parameter === "message_retention_days" && typeof value === "number" ? counted(value, "day") : String(value);
};

/** `words` has those that the value alone does not tell. */
export const renderSettings = (
  args: Readonly<Record<string, unknown>>,
  words: Readonly<Record<string, string>>,
): Setting[] =>
  Object.entries(args)
    .filter(([, value]) => value !== undefined)
    .map(([parameter, value]) => ({
      parameter,
      name: names[parameter] ?? parameter,
      value: words[parameter] ?? inWords(parameter, value),
    }));
