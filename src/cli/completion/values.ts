/** Values that flags may have beyond a closed list of choices, by what stands between their brackets. */

import { channelPermissions } from "../../api/channel-settings.ts";
import { permissionNames } from "../../permissions/known.ts";

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

export const valuesOf = (metavariable: string): readonly string[] => known[metavariable] ?? [];
