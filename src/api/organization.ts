import { operation } from "../wire/operation.ts";
import type { Param } from "../wire/params.ts";
import { register, registerPart } from "./events.ts";
import { otherSetting } from "./group-setting.ts";
import {
  newestSetting,
  type OrganizationSetting,
  organizationSettings,
  type Setting,
  settingParam,
  settingsOfServer,
} from "./settings.ts";
import { defaultsIn } from "./user-settings.ts";

const names = Object.keys(organizationSettings) as OrganizationSetting[];
const params = Object.fromEntries(names.map((name) => [name, settingParam(name, organizationSettings[name])])) as {
  readonly [N in OrganizationSetting]: Param<unknown, true>;
};

const ofKind = (kind: string) => names.filter((name) => organizationSettings[name].kind === kind);
const lastSettings = ["authentication_methods", ...ofKind("channel"), "string_id", "org_type"] as OrganizationSetting[];

type Answer = Readonly<Record<string, unknown>>;

/** Returns an answer of `register` with today's names and words of settings, whatever the level of the server. */
export function newestAnswer(answer: Answer): Answer {
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
export function settingsIn(registered: Answer): Record<string, unknown> {
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

const isSetting = (name: string): name is OrganizationSetting => Object.hasOwn(organizationSettings, name);

type Methods = Readonly<Record<string, { enabled: boolean } | boolean>>;

/** Returns which methods are on, only those in `desired` if an update names some. */
const methodStates = (
  now: Methods,
  desired: Readonly<Record<string, boolean>> = now as never,
): Record<string, boolean> =>
  Object.fromEntries(
    Object.entries(now).flatMap(([name, method]) =>
      Object.hasOwn(desired, name) ? [[name, typeof method === "object" ? method.enabled : method]] : [],
    ),
  );

const asParameter = (name: string, now: unknown, desired: unknown): unknown => {
  const { kind }: Partial<Setting> = isSetting(name) ? organizationSettings[name] : {};
  if (kind === "limit") return now === null || now === -1 ? "unlimited" : now;
  if (name === "jitsi_server_url") return now ?? "default";
  return name === "authentication_methods" ? methodStates(now as Methods, desired as never) : now;
};

/** https://zulip.com/api/update-realm. The answer has the changes in another form. */
export const updateOrganization = operation("organization.update", "PATCH /realm", {
  who: { role: "administrator", owners: "change some of these settings" },
  params,
  others: (_, value) => otherSetting(value),
  applyOrder: [
    ...names.filter((name) => organizationSettings[name].kind !== "group" && !lastSettings.includes(name)),
    ...ofKind("group"),
    ...lastSettings,
  ],
  target: () => "organization",
  before: {
    read: register,
    argsOf: () => registerPart("realm"),
    values: (found, args) =>
      Object.fromEntries(
        Object.entries(settingsIn(found)).map(([name, now]) => [
          name,
          asParameter(name, now, isSetting(name) ? args[name] : undefined),
        ]),
      ),
  },
});
