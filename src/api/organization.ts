import { operation } from "../wire/operation.ts";
import type { Param } from "../wire/params.ts";
import { type OrganizationSetting, organizationSettings, settingParam } from "./settings.ts";

const names = Object.keys(organizationSettings) as OrganizationSetting[];
const params = Object.fromEntries(names.map((name) => [name, settingParam(name, organizationSettings[name])])) as {
  readonly [N in OrganizationSetting]: Param<unknown, true>;
};

const ofKind = (kind: string) => names.filter((name) => organizationSettings[name].kind === kind);
const late = ["authentication_methods", ...ofKind("channel"), "string_id", "org_type"] as OrganizationSetting[];

/** https://zulip.com/api/update-realm. The answer holds what was changed, in a form of its own. */
export const updateOrganization = operation({
  name: "organization.update",
  method: "PATCH",
  path: "/realm",
  doc: "Change the organization's settings.",
  who: { role: "administrator", owners: "change some of these settings" },
  params,
  result: {},
  piecemeal: [
    ...names.filter((name) => organizationSettings[name].kind !== "group" && !late.includes(name)),
    ...ofKind("group"),
    ...late,
  ],
  target: () => "organization",
});
