import { updateOrganization } from "../../api/organization.ts";
import { type OrganizationSetting, organizationSettings, type Setting } from "../../api/settings.ts";
import { groupBy } from "../../group-by.ts";
import type { FieldChange, Known } from "../difference.ts";
import { phases } from "../order/phases.ts";
import { boolean, type Member, map } from "../shape.ts";
import { organizationSetting, settingOf } from "../snapshot.ts";
import { permissionArgument, type RequestContext, type Requests, releasedGroups } from "./requests.ts";
import { attributesOf, type Entry, type SectionReader, type Settings, settingMember } from "./section.ts";

const isSetting = (name: string): name is OrganizationSetting => Object.hasOwn(organizationSettings, name);

/** What the table of settings tells beyond the parameter: whose they are, and which numbers and words there may be. */
function toldOf(name: OrganizationSetting): Partial<Member> {
  const setting: Setting = organizationSettings[name];
  const { owner } = setting;
  const ofMethods = name === "authentication_methods" && { shape: map(boolean) };
  return { ...(owner && { owner }), ...ofMethods, ...settingMember(setting) };
}

const isEntry = (value: unknown): value is Entry => typeof value === "object" && value !== null;

/** Methods are on or off in a file; newer servers tell more of each. */
const methods = (value: unknown): Entry =>
  Object.fromEntries(
    Object.entries(isEntry(value) ? value : {})
      .map(([name, method]) => [name, isEntry(method) ? method.enabled : method] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

function read({ snapshot, naming }: SectionReader, name: string): unknown {
  const value: unknown = Reflect.get(snapshot.organization, `realm_${name}`);
  if (value === undefined || !isSetting(name)) return value;
  const setting: Setting = organizationSettings[name];
  const { kind } = setting;
  if (setting.choices) return naming.choice(setting, value);
  if (kind === "group") {
    const who = settingOf(snapshot.organization, `realm_${name}`);
    return who === undefined ? undefined : naming.who(who);
  }
  if (kind === "channel") return typeof value === "number" && value !== -1 ? naming.channel(value) : null;
  if (kind === "limit") return value === null || value === -1 ? "unlimited" : value;
  if (name === "authentication_methods") return methods(value);
  return name === "jitsi_server_url" ? (value ?? "default") : value;
}

const kindOf = (field: string): Setting["kind"] | undefined =>
  isSetting(field) ? organizationSettings[field].kind : undefined;

/** By setting, the value that lets other changes of a plan pass; with any other it forbids some. */
const opening = new Map<string, unknown>([
  ["emails_restricted_to_domains", false],
  ["enable_spectator_access", true],
  ["require_unique_names", false],
]);

/** Not one transaction: booleans can be refused for the caller's role alone and go together, everything else by itself. */
function partOf({ field }: FieldChange): string {
  if (!isSetting(field) || kindOf(field) !== "boolean" || opening.has(field)) return field;
  const { owner }: Setting = organizationSettings[field];
  return owner ? "for owners" : "for administrators";
}

function phaseOf({ rights }: RequestContext, { field, to }: FieldChange): number {
  if (opening.has(field)) return opening.get(field) === to ? phases.gives : phases.settings;
  // Removing a playground of its language resets it.
  if (field === "default_code_block_language") return phases.orders;
  const kind = kindOf(field);
  if (kind === "group") return rights.organization(field) ?? phases.settings;
  return kind === "channel" ? phases.settings : phases.gives + 0.5;
}

function argumentOf(context: RequestContext, change: FieldChange): unknown {
  const { field, to } = change;
  const now = organizationSetting(context.snapshot, field);
  // A request in which none is on is refused, though those that it leaves out stay as they are.
  if (field === "authentication_methods") return { ...methods(now), ...Object(to) };
  const kind = kindOf(field);
  if (kind === "channel") return to === null ? -1 : context.ids.of("channels", to as Known);
  return kind === "group" ? permissionArgument(context, change, now) : to;
}

const requests: Requests = {
  update: (context, { fields }) =>
    [...groupBy(fields, partOf)].map(([part, changes]) => ({
      part,
      phase: Math.min(...changes.map((change) => phaseOf(context, change))),
      operation: updateOrganization,
      args: Object.fromEntries(changes.map((change) => [change.field, argumentOf(context, change)])),
      fields: changes.map(({ field }) => field),
      provides: changes.flatMap((change) => (kindOf(change.field) === "group" ? releasedGroups(change) : [])),
    })),
};

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
  requests,
};
