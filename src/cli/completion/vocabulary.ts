/** Words that completion offers and that the program alone knows: the build writes them down. */
import { channelPermissions, groupPermissions } from "../../api/permission-settings.ts";
import { organizationSettings, type Setting } from "../../api/settings.ts";
import { personalSettings } from "../../api/user-settings.ts";
import type { Offer } from "../../argv/options.ts";
import { namesOf, scopes } from "../../permissions/rules.ts";
import fields from "./fields.json" with { type: "json" };

type Values = Offer["of"];

export interface Vocabulary {
  /** What is offered for the value of each setting of the organization. */
  settings: Readonly<Record<string, Values>>;
  /** The same of those that new people get. */
  newUsers: Readonly<Record<string, Values>>;
  /** The fields and columns that `--fields` takes, with commas between them, by command. */
  fields: Readonly<Record<string, string>>;
  permissions: readonly string[];
  /** The settings of a channel and of a group that say who may do something. */
  channelPermissions: readonly string[];
  groupPermissions: readonly string[];
}

function valuesFor({ kind, values, choices }: Setting): Values {
  switch (kind) {
    case "boolean":
      return ["true", "false"];
    case "group":
      return "who";
    case "channel":
      return "channel";
    case "limit":
      return ["unlimited"];
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
  permissions: [...new Set(scopes.flatMap(namesOf))],
  channelPermissions,
  groupPermissions,
};
