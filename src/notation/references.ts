/** How people write channels, groups, folders, users and group settings. Nothing is looked up here. */
import { type GroupSetting, groupSetting } from "../api/group-setting.ts";
import { systemGroups } from "../api/permission-settings.ts";
import { Usage } from "../errors.ts";
import { typeError } from "../wire/types.ts";

/** A channel, group or folder. */
export type Reference = { id: number } | { name: string };
export type UserReference = Reference | { email: string } | "me";

/** A desired group setting: a group, people and groups, or a raw value. */
export type TypedGroupSetting =
  | { group: Reference }
  | { users: UserReference[]; groups: Reference[] }
  | { value: GroupSetting };

const digits = /^\d+$/;

/** `flag`: the flag with the text, for messages. */
function parseId(text: string, flag: string): number {
  const id = Number(text);
  if (!digits.test(text) || !Number.isSafeInteger(id)) throw new Usage(`${flag}: invalid id "${text}"`);
  return id;
}

/** Reads an id (`7`, `id:7`) or a name (`design`, `name:2026`). A name may begin with `mark`. */
export function readReference(text: string, flag: string, mark?: "#" | "@"): Reference {
  if (digits.test(text)) return { id: parseId(text, flag) };
  if (text.startsWith("id:")) return { id: parseId(text.slice(3), flag) };
  if (text.startsWith("name:")) return nameReference(text.slice(5), flag);
  return nameReference(mark && text.startsWith(mark) ? text.slice(1) : text, flag);
}

const nameReference = (name: string, flag: string): { name: string } => {
  if (!name.trim()) throw new Usage(`${flag} is empty`);
  return { name };
};

/** Suggests `@file` for a file name without @. Undefined for other texts. */
export const listFileHint = (text: string): string | undefined =>
  /\.(csv|list|tsv|txt)$/i.test(text) ? `To read a list from the file, write @${text}.` : undefined;

/** Reads an id, an e-mail address, `name:Ada Lovelace` or `me`. */
export function readUser(text: string, flag: string): UserReference {
  if (text === "me") return "me";
  if (digits.test(text)) return { id: parseId(text, flag) };
  if (text.startsWith("id:")) return { id: parseId(text.slice(3), flag) };
  if (text.startsWith("name:")) return nameReference(text.slice(5), flag);
  if (text.includes("@")) return { email: text };
  if (!text.trim()) throw new Usage(`${flag} is empty`);
  throw new Usage(`${flag}: "${text}" is not an id or an e-mail address`, {
    hint: listFileHint(text) ?? `Write a full name as name:${text}. Your own account is me.`,
  });
}

function readRawSetting(text: string, flag: string): GroupSetting {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Usage(`${flag}: ${text} is not valid JSON`);
  }
  const unknownMember = Object.keys(value as object).find((name) => !/^direct_(members|subgroups)$/.test(name));
  if (unknownMember || typeError(groupSetting, value))
    throw new Usage(
      unknownMember === undefined
        ? `${flag}: ${text} is not a valid group setting`
        : `${flag}: unknown member "${unknownMember}"`,
      { hint: 'It looks like {"direct_members":[8],"direct_subgroups":[15]}.' },
    );
  return value as GroupSetting;
}

/** Reads a list of `user:…` and `group:…`, JSON, or one group. `nobody` is `role:nobody`. */
export function readGroupSetting(text: string, flag: string): TypedGroupSetting {
  if (text.startsWith("{")) return { value: readRawSetting(text, flag) };
  if (text === "nobody") return { group: { name: "role:nobody" } };
  if (!/^(user|group):/.test(text)) return { group: readReference(text, flag, "@") };
  const users: UserReference[] = [];
  const groups: Reference[] = [];
  for (const item of text.split(",").map((part) => part.trim())) {
    const [, kind, name = ""] = /^(user|group):(.*)$/s.exec(item) ?? [];
    if (kind === "user") users.push(readUser(name, flag));
    else if (kind === "group") groups.push(readReference(name, flag, "@"));
    else
      throw new Usage(`${flag}: "${item}" must begin with user: or group:`, {
        hint: "Every part of the list needs a prefix. Use ids for names that contain a comma.",
      });
  }
  return { users, groups };
}

const groupAliases = new Map(
  Object.entries({ admins: "administrators", admin: "administrators", mods: "moderators", all: "everyone" }),
);

/** Returns the system group for a name without `role:`, or in the singular. */
export function systemGroup(name: string): string | undefined {
  const word = name.toLowerCase().replace(/^roles?:/, "");
  const group = groupAliases.get(word) ?? systemGroups.find((group) => group === word || group === `${word}s`);
  return group && `role:${group}`;
}
