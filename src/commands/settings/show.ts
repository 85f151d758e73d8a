/** Shows the meaning of settings, with values, choices and defaults. */

import { type PermissionInfo, permissionsOfServer } from "../../api/settings.ts";
import type { Fields } from "../../common/object-members.ts";
import { Usage } from "../../errors.ts";
import { isOrganizationSetting, unchangeable } from "../../model/organization.ts";
import { choicesOf, noLimit, type Setting } from "../../model/setting.ts";
import { unitOf } from "../../model/unit.ts";
import type { Column, Listing } from "../../output/form.ts";
import { organizationRules } from "../../permissions/rules/organization.ts";
import type { Context } from "../../run/context.ts";
import { readSettings, type SettingRecord, settingColumns, settingFields } from "./list.ts";
import { collectionOf, mayBeNewer, settingName } from "./setting-values.ts";

interface Explained extends SettingRecord {
  description: string;
  /** The allowed words. Null if there is no list. */
  choices: readonly (string | boolean)[] | null;
  /** The default of a new organization. Null if unknown. */
  default: unknown;
}

const descriptionOf = (name: string, { kind, description = "" }: Setting, newUsers: boolean): string => {
  if (newUsers) return description;
  if (name === unchangeable) return "Who counts as a user of the workplace. Nobody can change it.";
  if (!isOrganizationSetting(name)) return "Known to the server only.";
  const lets = organizationRules[name]?.action;
  if (kind === "group" && lets) return `Who may ${lets}.`;
  return description;
};

function choicesIn(setting: Setting, answer: Fields): readonly (string | boolean)[] | null {
  if (setting.kind === "boolean") return [true, false];
  const words = choicesOf(setting, answer);
  return words ? Object.keys(words) : (setting.values?.map(String) ?? null);
}

const kinds: Partial<Record<Setting["kind"], string>> = {
  text: "a text",
  number: "a number",
  limit: `a number or ${noLimit}`,
  channel: "a channel, or none",
  group: "a group, people, or nobody",
};

/** Says what the server accepts for a permission that this program does not know. */
function choicesOfServer(info: PermissionInfo): string {
  if (info.allowed_system_groups?.length) return info.allowed_system_groups.join(", ");
  const what = info.require_system_group ? "a group of a role" : "a group, people";
  const everyone = info.allow_everyone_group === false ? ", without role:everyone" : "";
  return `${what}${everyone}${info.allow_nobody_group === false ? "" : ", or nobody"}`;
}

const spans: Readonly<Record<string, string>> = {
  second: "seconds or a span such as 10m",
  day: "a number of days",
};

/** From level 372 on, new people show their address only to administrators. The exact level is not known. */
const hiddenAddressLevel = 372;

function defaultOf(name: string, setting: Setting, newUsers: boolean, answer: Fields): unknown {
  if (newUsers) {
    const isHidden = name === "email_address_visibility" && Number(answer.zulip_feature_level) >= hiddenAddressLevel;
    return isHidden ? 3 : setting.initial;
  }
  if (setting.kind === "group") {
    return permissionsOfServer(answer, "realm")[name]?.default_group_name ?? null;
  }
  const { initial = null } = setting;
  return typeof initial === "string" ? (choicesOf(setting, answer)?.[initial] ?? initial) : initial;
}

export async function showSettings(
  context: Context,
  { names, newUsers = false }: { names: string[]; newUsers?: boolean | undefined },
): Promise<Listing<Explained>> {
  const collection = collectionOf(newUsers);
  const known = names.filter((typed) => !mayBeNewer(collection, typed));
  await context.checkSupported(
    collection.update,
    known.map((typed) => settingName(collection, typed)).map((name) => ({ param: name, flag: name })),
  );
  const { records, answer, words, settings } = await readSettings(context, collection, (all) => {
    const there = Object.fromEntries(all.map((name) => [name, { kind: "unknown" } as const]));
    const nameOf = (typed: string) =>
      settingName({ ...collection, settings: { ...there, ...collection.settings } }, typed);
    const selected = [...new Set(names.map(nameOf))];
    const missing = selected.filter((name) => !all.includes(name));
    if (missing.length) throw new Usage(`servers do not send ${missing.join(" and ")}`);
    return selected;
  });
  const explained = records.map((record): Explained => {
    const setting = settings[record.name]!;
    return {
      ...record,
      description: descriptionOf(record.name, setting, newUsers),
      choices: choicesIn(setting, answer),
      default: defaultOf(record.name, setting, newUsers, answer),
    };
  });
  const defaultText = ({ name, kind, default: initial }: Explained): string => {
    if (initial === null || initial === undefined) return settings[name]?.kind === "url" ? "default" : "";
    return kind === "group" ? String(initial) : words(name, initial) || "empty";
  };
  const choicesText = ({ name, choices }: Explained): string => {
    const { kind } = settings[name]!;
    if (kind === "group" && !isOrganizationSetting(name))
      return choicesOfServer(permissionsOfServer(answer, "realm")[name] ?? {});
    const span = spans[unitOf(name) ?? ""];
    return choices?.join(", ") ?? (span && `${span}${kind === "limit" ? `, or ${noLimit}` : ""}`) ?? kinds[kind] ?? "";
  };
  const columns: Column<Explained>[] = [
    ...settingColumns(words),
    { head: "DEFAULT", value: defaultText },
    { head: "CHOICES", value: choicesText, importance: "low" },
    { head: "DESCRIPTION", value: ({ description }) => description, importance: "low" },
  ];
  const lines = explained.flatMap((record, at) => {
    const [initial, choices] = [defaultText(record), choicesText(record)];
    return [
      ...(at ? [""] : []),
      `${record.name}: ${words(record.name, record.value)}`,
      `  ${record.description}`,
      ...(choices ? [`  Choices: ${choices}`] : []),
      ...(initial ? [`  Default: ${initial}`] : []),
      `  Changed by: ${record.who}`,
    ];
  });
  return {
    kind: "listing",
    records: explained,
    id: ({ name }) => name,
    allFields: [...settingFields, "description", "choices", "default"],
    columns,
    ...(context.world.stdout.isTerminal && { lines }),
  };
}
