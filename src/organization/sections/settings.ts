import { updateOrganization } from "../../api/organization.ts";
import { type OrganizationSetting, organizationSettings, type Setting } from "../../api/settings.ts";
import type { Member } from "../shape.ts";
import { settingOf } from "../snapshot.ts";
import { among, attributesOf, numbered } from "./attributes.ts";
import type { Entry, Settings, Telling } from "./section.ts";

const isSetting = (name: string): name is OrganizationSetting => Object.hasOwn(organizationSettings, name);

/** What the table of settings tells beyond the parameter: whose they are, and which numbers and words there may be. */
function toldOf(name: OrganizationSetting): Partial<Member> {
  const setting: Setting = organizationSettings[name];
  const { owner, values } = setting;
  const shape = values ? among(values) : numbered(setting);
  return { ...(owner && { owner }), ...(shape && { shape }) };
}

const isEntry = (value: unknown): value is Entry => typeof value === "object" && value !== null;

/** Methods are on or off in a file; newer servers tell more of each. */
const methods = (value: unknown): Entry =>
  Object.fromEntries(
    Object.entries(isEntry(value) ? value : {})
      .map(([name, method]) => [name, isEntry(method) ? method.enabled : method] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

function read({ snapshot, naming }: Telling, name: string): unknown {
  const value: unknown = Reflect.get(snapshot.organization, `realm_${name}`);
  if (value === undefined || !isSetting(name)) return value;
  const { kind }: Setting = organizationSettings[name];
  if (kind === "group") {
    const setting = settingOf(snapshot.organization, `realm_${name}`);
    return setting === undefined ? undefined : naming.who(setting);
  }
  if (kind === "channel") return typeof value === "number" && value !== -1 ? naming.channel(value) : null;
  if (kind === "limit") return value === null || value === -1 ? "unlimited" : value;
  if (name === "authentication_methods") return methods(value);
  return name === "jitsi_server_url" ? (value ?? "default") : value;
}

export const settings: Settings = {
  doc: "The organization's settings.",
  holds: "settings",
  read,
  members: attributesOf(updateOrganization, {
    // Of demonstrations alone, and not readable.
    without: ["string_id"],
    more: Object.fromEntries(
      Object.keys(organizationSettings)
        .filter(isSetting)
        .map((name) => [name, toldOf(name)]),
    ),
  }),
};
