/** Current names of things by id, and words for their values. */
import type { GroupSetting } from "../api/group-setting.ts";
import { organizationSettings, wordOf } from "../api/settings.ts";
import { roleName } from "../api/users.ts";
import type { WatchedState } from "./state.ts";
import { isPermission, type Table } from "./things.ts";

export interface Named {
  readonly kind: string;
  readonly id: number | null;
  readonly name: string | null;
  /** Of people and bots. */
  readonly email?: string | null;
}

/** The field with the name of each kind of thing. Others are named by their key. */
const nameField: { readonly [T in Table]?: string } = {
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

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);

export class Names {
  readonly #state: WatchedState;

  constructor(state: WatchedState) {
    this.#state = state;
  }

  /** `fields`: those of a thing that is gone. */
  thing(table: Table, key: number | string, fields = this.#state.get(table, key)): Named {
    if (table === "organization")
      return { kind: table, id: null, name: textOrNull(this.#state.get("setting", "name")?.value) };
    const named = nameField[table];
    const name = table === "export" ? null : named ? textOrNull(fields?.[named]) : String(key);
    const id = Number.isSafeInteger(Number(key)) && table !== "domain" ? Number(key) : null;
    if (table !== "user") return { kind: table, id, name };
    const email = textOrNull(fields?.delivery_email) ?? textOrNull(fields?.email);
    return { kind: fields?.is_bot ? "bot" : "user", id, email, name };
  }

  /** Formats a permission as in an organization file: a group's name, or people and groups. */
  permission(setting: GroupSetting): unknown {
    if (typeof setting === "number") return this.#group(setting);
    const { direct_members, direct_subgroups } = setting;
    if (!direct_members.length && direct_subgroups.length === 1) return this.#group(Number(direct_subgroups[0]));
    const users = direct_members.map((id) => this.thing("user", id).email ?? `id:${id}`).sort();
    const groups = direct_subgroups.map((id) => this.#group(id)).sort();
    return { ...((users.length || !groups.length) && { users }), ...(groups.length && { groups }) };
  }

  #group(id: number): string {
    const name = this.#state.systemGroups.get(id) ?? this.thing("group", id).name;
    return name === "role:nobody" ? "nobody" : (name ?? `id:${id}`);
  }

  /** Formats a value in words, if there are any. `field`: the name in tables of settings. */
  value(table: Table, field: string, value: unknown): unknown {
    if (value === null) return null;
    const setting = table === "setting" ? Reflect.get(organizationSettings, field) : undefined;
    if (isPermission(value)) return this.permission(value);
    if (typeof value !== "number") return value;
    if (setting?.kind === "group" || ((table === "channel" || table === "group") && field.endsWith("_group")))
      return this.permission(value);
    if (setting?.kind === "channel") return value < 0 ? null : this.thing("channel", value).name;
    if (table === "setting" || table === "default_setting") return wordOf(this.#state.choices.get(field), value);
    if (field === "role" || field === "invited_as") return roleName(value);
    if (field === "folder_id") return this.thing("folder", value).name;
    if (field === "subscribers" || field === "members" || field === "bot_owner_id" || field === "acting_user_id")
      return this.thing("user", value);
    if (field === "direct_subgroup_ids") return this.thing("group", value);
    return value;
  }
}
