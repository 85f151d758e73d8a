/** Current names of things by id, and words for their values. */

import type { GroupSetting } from "../api/group-setting.ts";
import { textOrNull } from "../common/members.ts";
import { permissionInWords } from "../model/change.ts";
import { isWho } from "../model/permission.ts";
import { roleName } from "../model/person.ts";
import { wordOf } from "../model/setting.ts";
import type { WatchedState } from "./state.ts";
import type { Table } from "./things.ts";

export interface NamedThing {
  readonly kind: string;
  readonly id: number | null;
  readonly name: string | null;
  /** Of people and bots. */
  readonly email?: string | null;
}

/** The field with the name of each kind of thing. Others are named by their key. */
const nameFields: { readonly [T in Table]?: string } = {
  user: "full_name",
  channel: "name",
  group: "name",
  linkifier: "pattern",
  playground: "name",
  emoji: "name",
  profile_field: "name",
  folder: "name",
  invitation: "email",
};

/** The tables of fields with ids. */
const idFields: Readonly<Record<string, Table>> = {
  subscribers: "user",
  members: "user",
  bot_owner_id: "user",
  acting_user_id: "user",
  direct_subgroup_ids: "group",
};

export function namesIn(state: WatchedState) {
  /** `fields`: those of a removed thing. */
  function thing(table: Table, key: number | string, fields = state.get(table, key)): NamedThing {
    if (table === "organization")
      return { kind: table, id: null, name: textOrNull(state.get("setting", "name")?.value) };
    const nameField = nameFields[table];
    const name = table === "export" ? null : nameField ? textOrNull(fields?.[nameField]) : String(key);
    const number = Number(String(key).replace(/^(email|link):/, ""));
    const id = Number.isSafeInteger(number) && table !== "domain" ? number : null;
    if (table !== "user") return { kind: table, id, name };
    const email = textOrNull(fields?.delivery_email) ?? textOrNull(fields?.email);
    return { kind: fields?.is_bot ? "bot" : "user", id, email, name };
  }

  const permission = (setting: GroupSetting): unknown =>
    permissionInWords(setting, {
      user: (id) => thing("user", id).email,
      group: (id) => state.systemGroups.get(id) ?? thing("group", id).name,
    });

  /** Formats a value in words, if there are any. `field`: the name in tables of settings. */
  function value(table: Table, field: string, value: unknown): unknown {
    if (isWho(value)) return permission(value);
    const isSetting = table === "setting" || table === "default_setting";
    if (typeof value === "string" && isSetting) return wordOf(state.choices.get(field), value);
    if (typeof value !== "number") return value;
    const kind = table === "setting" ? state.settingKinds.get(field) : undefined;
    if (kind === "group" || ((table === "channel" || table === "group") && field.endsWith("_group")))
      return permission(value);
    if (kind === "channel") return value < 0 ? null : thing("channel", value).name;
    if (isSetting) return wordOf(state.choices.get(field), value);
    if (field === "role" || field === "invited_as") return roleName(value);
    if (field === "folder_id") return thing("folder", value).name;
    return Object.hasOwn(idFields, field) ? thing(idFields[field]!, value) : value;
  }

  return { thing, value };
}
