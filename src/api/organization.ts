import { type Fields, keyed, namesOf } from "../common/object-members.ts";
import {
  channelSettings,
  isOrganizationSetting,
  type OrganizationSetting,
  organizationPermissions,
  organizationSettings,
} from "../model/organization.ts";
import { methodStates, newestSetting, sentValue } from "../model/setting.ts";
import { operation } from "../wire/operation.ts";
import { register, registerPart } from "./events.ts";
import { otherSetting } from "./group-setting.ts";
import { settingParam, settingsOfServer } from "./settings.ts";
import { defaultsIn } from "./user-settings.ts";

const names = namesOf(organizationSettings);
const params = keyed(names, (name) => settingParam(name, organizationSettings[name]));

const lastSettings: OrganizationSetting[] = ["authentication_methods", ...channelSettings, "string_id", "org_type"];

/** Returns an answer of `register` with today's names and words of settings, whatever the level of the server. */
export function newestAnswer(answer: Fields): Fields {
  const members = Object.entries(answer).map(([member, value]): [string, unknown] => {
    if (!member.startsWith("realm_")) return [member, value];
    const [name, newest] = newestSetting(organizationSettings, member.slice("realm_".length), value);
    return [`realm_${name}`, newest];
  });
  const hasDefaults = Object.hasOwn(answer, "realm_user_settings_defaults");
  return {
    ...Object.fromEntries(members),
    ...(hasDefaults && { realm_user_settings_defaults: defaultsIn(answer) }),
  };
}

/** Returns the settings by name from an answer about the organization. */
export function registeredSettings(registered: Fields): Record<string, unknown> {
  const answer = newestAnswer(registered);
  const { realm_mandatory_topics: _, ...newer } = answer;
  // Servers with the policy compute the older setting, which cannot be changed.
  const settings = Object.hasOwn(answer, "realm_topics_policy") ? newer : answer;
  return Object.fromEntries(
    [...names, ...Object.keys(settingsOfServer(answer))].flatMap((name) =>
      Object.hasOwn(settings, `realm_${name}`) ? [[name, settings[`realm_${name}`]]] : [],
    ),
  );
}

/** Returns a current value as an update sends it: only the sign-in methods that the update names. */
function asParameter(name: string, now: unknown, desired: unknown): unknown {
  if (!isOrganizationSetting(name)) return now;
  if (organizationSettings[name].kind !== "methods") return sentValue(organizationSettings[name], now);
  const states = methodStates(now);
  const named = methodStates(desired ?? states);
  return Object.fromEntries(Object.entries(states).filter(([method]) => Object.hasOwn(named, method)));
}

/** https://zulip.com/api/update-realm. The answer has the changes in another form. */
export const updateOrganization = operation("organization.update", "PATCH /realm", {
  effects: (values) => [{ does: "set", kind: "organization", values }],
  who: { role: "administrator", owners: "change some of these settings" },
  params,
  others: (_, value) => otherSetting(value),
  applyOrder: [
    ...names.filter((name) => organizationSettings[name].kind !== "group" && !lastSettings.includes(name)),
    ...organizationPermissions,
    ...lastSettings,
  ],
  target: () => "organization",
  before: {
    read: register,
    argsOf: () => registerPart("realm"),
    values: (found, args) =>
      Object.fromEntries(
        Object.entries(registeredSettings(found)).map(([name, now]) => [
          name,
          asParameter(name, now, isOrganizationSetting(name) ? args[name] : undefined),
        ]),
      ),
  },
});
