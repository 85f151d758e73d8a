import { updateOrganization } from "../../api/organization.ts";
import { type OrganizationSetting, organizationSettings, type Setting } from "../../api/settings.ts";
import type { Member } from "../shape.ts";
import { among, attributesOf, numbered } from "./attributes.ts";
import type { Settings } from "./section.ts";

/** What the table of settings tells beyond the parameter: whose they are, and which numbers and words there may be. */
function toldOf(name: OrganizationSetting): Partial<Member> {
  const setting: Setting = organizationSettings[name];
  const { owner, values } = setting;
  const shape = values ? among(values) : numbered(setting);
  return { ...(owner && { owner }), ...(shape && { shape }) };
}

export const settings: Settings = {
  doc: "The organization's settings.",
  holds: "settings",
  members: attributesOf(updateOrganization, {
    // Of demonstrations alone, and not readable.
    without: ["string_id"],
    more: Object.fromEntries(
      (Object.keys(organizationSettings) as OrganizationSetting[]).map((name) => [name, toldOf(name)]),
    ),
  }),
};
