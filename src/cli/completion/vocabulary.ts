/** Words for completion that only the program knows. The build saves them. */

import type { Offer } from "../../argv/commander-options.ts";
import { channelPermissions } from "../../model/channel.ts";
import { groupPermissions } from "../../model/group.ts";
import { organizationSettings } from "../../model/organization.ts";
import { personalSettings } from "../../model/personal.ts";
import { noLimit, type Setting } from "../../model/setting.ts";
import { permissionNames, scopes } from "../../permissions/rules.ts";
import fields from "./fields.json" with { type: "json" };

type OfferedValues = Offer["of"];

export interface Vocabulary {
  /** The values of each setting of the organization. */
  settings: Readonly<Record<string, OfferedValues>>;
  /** The values of each default setting of new users. */
  newUsers: Readonly<Record<string, OfferedValues>>;
  /** The values of `--fields` by command, separated by commas. */
  fields: Readonly<Record<string, string>>;
  permissions: readonly string[];
  /** The permissions of channels and groups. */
  channelPermissions: readonly string[];
  groupPermissions: readonly string[];
}

function valuesFor({ kind, values, choices }: Setting): OfferedValues {
  switch (kind) {
    case "boolean":
      return ["true", "false"];
    case "group":
      return "who";
    case "channel":
      return "channel";
    case "limit":
      return [noLimit];
    default:
      return choices ? Object.keys(choices) : values ? values.map(String) : "free";
  }
}

const offered = (settings: Readonly<Record<string, Setting>>): Vocabulary["settings"] =>
  Object.fromEntries(Object.entries(settings).map(([name, setting]) => [name, valuesFor(setting)]));

export const vocabulary: Vocabulary = {
  settings: offered(organizationSettings),
  newUsers: offered(personalSettings),
  fields,
  permissions: [...new Set(scopes.flatMap(permissionNames))],
  channelPermissions,
  groupPermissions,
};
