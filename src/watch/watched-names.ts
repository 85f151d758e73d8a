/** Current names of things by id, and words for their values. */
import { textOrNull } from "../common/object-members.ts";
import { botKindName } from "../model/bot.ts";
import { permissionInWords } from "../model/change-words.ts";
import { channelValueInWords, propertyOf } from "../model/channel.ts";
import { everyKind } from "../model/kinds/index.ts";
import { type GroupSetting, isPermissionName, isPermissionValue } from "../model/permission.ts";
import { roleName } from "../model/person.ts";
import { fieldTypes, optionTexts, peopleInValue } from "../model/profile-field.ts";
import { methodStates, sentValue, wordOf } from "../model/setting.ts";
import { kindOfTable, type Table, type ThingFields } from "./watched-fields.ts";
import type { WatchedState } from "./watched-state.ts";

export interface WatchedThing {
  readonly kind: string;
  readonly id: number | null;
  readonly name: string | null;
  /** Of people and bots. */
  readonly email?: string | null;
}

/** The tables of fields with ids. */
const idFields: Readonly<Record<string, Table>> = {
  ...Object.fromEntries(
    everyKind.flatMap(([, { lists = {} }]) => Object.values(lists).map(({ member, of }) => [member, of])),
  ),
  bot_owner_id: "user",
  acting_user_id: "user",
};

/** Names of fields that records show instead of the server's. */
const properties: Readonly<Record<string, string>> = {
  bot_owner_id: "bot_owner",
  direct_subgroup_ids: "subgroups",
};

export function watchedNames(state: WatchedState) {
  /** `fields`: those of a removed thing. */
  function thing(table: Table, key: number | string, fields = state.get(table, key)): WatchedThing {
    if (table === "organization")
      return { kind: table, id: null, name: textOrNull(state.get("setting", "name")?.value) };
    const kind = kindOfTable(table);
    const title = kind?.title;
    const name = kind?.id === undefined ? String(key) : title ? textOrNull(fields?.[title]) : null;
    const number = Number(String(key).replace(/^(email|link):/, ""));
    const id = Number.isSafeInteger(number) && kind?.id !== undefined ? number : null;
    if (table !== "user") return { kind: table, id, name };
    const email = textOrNull(fields?.delivery_email) ?? textOrNull(fields?.email);
    return { kind: fields?.is_bot ? "bot" : "user", id, email, name };
  }

  const permission = (setting: GroupSetting): unknown =>
    permissionInWords(setting, {
      user: (id) => thing("user", id).email,
      group: (id) => state.systemGroups.get(id) ?? thing("group", id).name,
    });

  const nameOfKey = (table: Table, key: unknown): string | null =>
    typeof key === "number" && key >= 0 ? thing(table, key).name : null;

  function ofSetting(table: "setting" | "default_setting", name: string, value: unknown): unknown {
    const { kind, choices } = state.settings[table].get(name) ?? { kind: "unknown" };
    if (kind === "group" && typeof value === "number") return permission(value);
    if (kind === "channel") return nameOfKey("channel", value);
    return kind === "methods" ? methodStates(value) : wordOf(choices, sentValue({ kind }, value));
  }

  /** The profile field of a field of people. */
  const profileFieldOf = (field: string) => {
    const [, id] = /^profile_data\.(\d+)$/.exec(field) ?? [];
    return id === undefined ? undefined : state.get("profile_field", Number(id));
  };

  function answer({ type, field_data }: Readonly<ThingFields>, value: unknown): unknown {
    if (type === fieldTypes.people) return peopleInValue(value).map((id) => thing("user", id).email);
    return optionTexts({ type: Number(type), field_data: String(field_data) }).get(value) ?? value;
  }

  /** Returns the name of a field as organization files have it. */
  function property(field: string): string {
    const profile = profileFieldOf(field);
    return profile ? `profile.${profile.name}` : (properties[field] ?? propertyOf(field));
  }

  /** Formats a value in words, as organization files have it. `field`: the name in tables of settings. */
  function value(table: Table, field: string, value: unknown): unknown {
    if (isPermissionValue(value)) return permission(value);
    if (table === "setting" || table === "default_setting") return ofSetting(table, field, value);
    const said = table === "channel" ? channelValueInWords(field, value) : value;
    if (said !== value) return said;
    const profile = profileFieldOf(field);
    if (profile) return value && answer(profile, value);
    if (typeof value !== "number") return value;
    if (isPermissionName(field)) return permission(value);
    if (field === "role" || field === "invited_as") return roleName(value);
    if (field === "bot_type") return botKindName(value);
    if (field === "type") return wordOf(fieldTypes, value);
    if (field === "folder_id") return nameOfKey("folder", value);
    return Object.hasOwn(idFields, field) ? thing(idFields[field]!, value) : value;
  }

  return { thing, property, value };
}
