/** How people write channels, groups, folders, users and group settings. Nothing is looked up here. */
import { groupSetting } from "../api/group-setting.ts";
import { membersOf } from "../common/object-members.ts";
import { Usage } from "../errors.ts";
import { type GroupSetting, systemGroups } from "../model/permission.ts";
import { fits } from "../wire/fits.ts";
import { withoutName } from "./address.ts";
import { invisiblePart, oddBlank, trimmed } from "./blanks.ts";
import { groupPrefix, idFlaw, readId } from "./id.ts";
import { mentionedChannel, mentionedGroup, mentionedPerson } from "./pasted-mentions.ts";

/** `digits`: the id was written without `id:`, so it may be a name. */
export interface IdReference {
  id: number;
  digits?: string;
}
/** A channel, group or folder. */
export type Reference = IdReference | { name: string };
/** `word`: a text that is neither an id nor an address. */
export type UserReference = Reference | { email: string } | { word: string } | "me";

/** A desired group setting: a group, people and groups, or a raw value. */
type TypedGroupSetting =
  | { group: Reference }
  | { users: UserReference[]; groups: Reference[] }
  | { value: GroupSetting };

/** `flag`: the flag with the text, for messages. */
function parseId(text: string, flag: string): number {
  const id = readId(text);
  if (id !== undefined) return id;
  const flaw = idFlaw(text);
  throw new Usage(`${flag}: invalid id "${text}"${flaw ? `: ${flaw}` : ""}`);
}

/** Reads what ids and names have in common: `7`, `id:7`, `name:2026`. */
function readCommon(text: string, flag: string): Reference | undefined {
  const id = readId(text);
  if (id !== undefined) return { id, digits: text };
  if (text.startsWith("id:")) return { id: parseId(trimmed(text.slice(3)), flag) };
  return text.startsWith("name:") ? nameReference(text.slice(5), flag) : undefined;
}

/** Reads an id (`7`, `id:7`) or a name (`design`, `name:2026`). A name may begin with `mark`. */
export function readReference(typed: string, flag: string, mark?: "#" | "@"): Reference {
  const text = trimmed(typed);
  const mentioned = mark === "#" ? mentionedChannel(text, flag) : mark && mentionedGroup(text);
  return (
    mentioned ?? readCommon(text, flag) ?? nameReference(mark && text.startsWith(mark) ? text.slice(1) : text, flag)
  );
}

const nameReference = (typed: string, flag: string): { name: string } => {
  const name = trimmed(typed);
  if (!name) throw new Usage(`${flag} is empty`);
  return { name };
};

/** Returns the message for a name that was not found. An invisible character is the likely reason. */
export function notFoundMessage(noun: string, name: string): string {
  const invisible = invisiblePart(name) ?? invisiblePart(name, oddBlank);
  if (invisible) return `${noun} "${name}" contains ${invisible}`;
  const flaw = idFlaw(name);
  return `${noun} "${name}" not found, or not visible to this account${flaw ? ` (${flaw})` : ""}`;
}

/** Suggests `@file` for a file name or path without @. Undefined for other texts. */
export const listFileHint = (text: string): string | undefined =>
  /^(?!@).*\.(csv|list|tsv|txt)$|^\.{0,2}\//is.test(text) ? `To read a list from the file, write @${text}.` : undefined;

/** Reads an id, an e-mail address, `Ada Lovelace <ada@example.com>`, `name:Ada Lovelace` or `me`. */
export function readUser(typed: string, flag: string): UserReference {
  const text = trimmed(typed);
  if (text.toLowerCase() === "me") return "me";
  const common = mentionedPerson(text) ?? readCommon(text, flag);
  if (common) return common;
  if (text.startsWith(groupPrefix)) throw noUser(text, flag);
  if (text.includes("@")) return { email: withoutName(text) };
  if (!text) throw new Usage(`${flag} is empty`);
  const hint = listFileHint(text);
  if (hint || idFlaw(text) || invisiblePart(text)) throw noUser(text, flag, hint);
  return { word: text };
}

/** Returns the error for a text that cannot be a person. */
export function noUser(text: string, flag: string, hint?: string): Usage {
  if (text.startsWith(groupPrefix)) return new Usage(`${flag} cannot be a group: "${text}"`);
  const flaw = idFlaw(text);
  const invisible = invisiblePart(text);
  return new Usage(
    invisible
      ? `${flag}: "${text}" contains ${invisible}`
      : `${flag}: "${text}" is not an id${flaw ? ` (${flaw})` : ""} or an e-mail address`,
    { hint: hint ?? `Write a full name as name:${text}. Your own account is me.` },
  );
}

function readRawSetting(text: string, flag: string): GroupSetting {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Usage(`${flag}: ${text} is not valid JSON`);
  }
  const unknownMember = Object.keys(membersOf(value)).find((name) => !/^direct_(members|subgroups)$/.test(name));
  if (unknownMember || !fits(groupSetting)(value))
    throw new Usage(
      unknownMember === undefined
        ? `${flag}: ${text} is not a valid group setting`
        : `${flag}: unknown member "${unknownMember}"`,
      { hint: 'It looks like {"direct_members":[8],"direct_subgroups":[15]}.' },
    );
  return value;
}

/** Reads a list of `user:…` and `group:…`, JSON, or one group. `nobody` is `role:nobody`. */
export function readGroupSetting(typed: string, flag: string): TypedGroupSetting {
  const text = trimmed(typed);
  if (text.startsWith("{")) return { value: readRawSetting(text, flag) };
  if (text.toLowerCase() === "nobody") return { group: { name: "role:nobody" } };
  if (!/^(user|group):/.test(text)) return { group: readReference(text, flag, "@") };
  const users: UserReference[] = [];
  const groups: Reference[] = [];
  // Names can contain commas.
  for (const item of text.split(/,(?=\s*(?:user|group):)/)) {
    const [, kind, name = ""] = /^(user|group):(.*)$/s.exec(trimmed(item)) ?? [];
    const [, another] = /^(?!\s*name:)[^,]*,(.*)$/s.exec(name) ?? [];
    if (kind === "user" && another !== undefined)
      throw new Usage(`${flag}: "${trimmed(another)}" must begin with user: or group:`, {
        hint: "Every part of the list needs a prefix.",
      });
    if (kind === "user") users.push(readUser(name, flag));
    else groups.push(readReference(name, flag, "@"));
  }
  return { users, groups };
}

/** Says how to write a person or a list where one group is expected. Undefined for what may be the name of a group. */
export function wayToWriteWho(name: string): string | undefined {
  const parts = name.split(/[,;|\n]/).map(trimmed);
  if (parts.includes("")) return undefined;
  const written = parts.map((part) => (/^[^\s@]+@[^\s@]+$/.test(part) ? `user:${part}` : `group:${part}`)).join(",");
  if (parts.length > 1) return `Several are written ${written}`;
  return written.startsWith("user:") ? `A person is written ${written}` : undefined;
}

/** Reads `user:…` and `group:…` as an organization file writes people and groups. */
export function readGroupMembers(typed: string, flag: string): { users: string[]; groups: string[] } {
  const who = readGroupSetting(typed, flag);
  if (!("users" in who)) throw new Usage(`${flag}: "${typed}" must begin with user: or group:`);
  const textOf = (reference: UserReference): string => {
    if (reference === "me") throw new Usage(`${flag}: "me" is another account for everybody who applies the file`);
    if ("email" in reference) return reference.email;
    if ("word" in reference) throw noUser(reference.word, flag);
    return "id" in reference ? `id:${reference.id}` : `name:${reference.name}`;
  };
  return { users: who.users.map(textOf), groups: who.groups.map(textOf) };
}

const groupAliases = new Map(
  Object.entries({ admins: "administrators", admin: "administrators", mods: "moderators", all: "everyone" }),
);

/** Returns the system group for a name without `role:`, or in the singular. */
export function systemGroupName(name: string): string | undefined {
  const word = name.toLowerCase().replace(/^roles?:/, "");
  const group = groupAliases.get(word) ?? systemGroups.find((group) => group === word || group === `${word}s`);
  return group && `role:${group}`;
}
