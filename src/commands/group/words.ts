/** The words that say what a group is to be. */
import { groupPermissionRules } from "../../api/group-permissions.ts";
import { groups, markdown, newName, offered, texts, users } from "../../cli/kinds.ts";
import { permissionFlags } from "../channel/words.ts";

const permissions = permissionFlags(groupPermissionRules);

export const creationFlags = {
  description: markdown(),
  add: users("people to be its members: ids, e-mails, name:…, me; @file reads one a line"),
  addSubgroups: groups("groups to be its subgroups: names or ids; @file reads one a line"),
  ...permissions,
};

/** Flags that are not named as their parameter is. */
export const creationBinds = { add: "members", addSubgroups: "subgroups" };

export const updateFlags = {
  newName: newName("rename it", "text"),
  description: markdown(),
  ...permissions,
  expect: offered(
    "group-setting=who",
    texts("change the setting only if this is its value now; current: what is read just before", "setting=who"),
  ),
};

export const updateBinds = { newName: "name" };
