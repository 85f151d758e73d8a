import { updateOrganization } from "../../api/organization.ts";
import { type OrganizationSetting, organizationSettings, type Setting } from "../../api/settings.ts";
import type { Member } from "../shape.ts";
import { among, attributesOf } from "./attributes.ts";
import type { Settings } from "./section.ts";

/** What the table of settings tells beyond the parameter: whose they are, and which numbers and words there are. */
function toldOf(name: OrganizationSetting): Partial<Member> {
  const { owner, values }: Setting = organizationSettings[name];
  return { ...(owner && { owner }), ...(values && { shape: among(values) }) };
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
