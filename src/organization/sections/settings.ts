import { updateOrganization } from "../../api/organization.ts";
import { updateDefaults } from "../../api/user-settings.ts";
import { groupBy } from "../../common/group-by.ts";
import { isOrganizationSetting, type OrganizationSetting, organizationSettings } from "../../model/organization.ts";
import { personalSettings } from "../../model/personal.ts";
import { methodStates, type Setting, sentValue } from "../../model/setting.ts";
import { readJson } from "../../notation/read-json.ts";
import { boolean, type Member, type Members, mapShape, nonEmptyShape, orText } from "../attribute-shapes.ts";
import { isEntry } from "../content.ts";
import type { FieldChange } from "../difference.ts";
import { nobodyIn, permissionValue } from "../id-values.ts";
import { phases } from "../order/phases.ts";
import { groupSettingOf, organizationSetting, type Snapshot } from "../snapshot.ts";
import { permissionArgument, type RequestContext, releasedGroups, settingsPiece } from "./requests.ts";
import { attributesOf, type SettingsSection, type WritableEntry } from "./section.ts";
import { settingMember } from "./setting-member.ts";

/** Reads a list of the sign-in methods that are on, or a JSON object. */
function readMethods(text: string): unknown {
  if (!text.trimStart().startsWith("{")) return text.split(",").map((name) => name.trim());
  const read = readJson(text);
  return "value" in read && isEntry(read.value) && Object.values(read.value).every((each) => typeof each === "boolean")
    ? read.value
    : undefined;
}

/** Additions from the table of settings: who may change one, and its numbers and words. */
function additionsTo(name: OrganizationSetting): Partial<Member> {
  const setting: Setting = organizationSettings[name];
  const { owner, kind } = setting;
  const ofMethods = kind === "methods" && {
    shape: orText(mapShape(boolean), readMethods),
    read: readMethods,
  };
  const needed = name === "name" && { shape: nonEmptyShape };
  return { ...(owner && { owner }), ...ofMethods, ...needed, ...settingMember(name, setting) };
}

/** Returns which sign-in methods are on, sorted by name. */
const methods = (value: unknown): WritableEntry =>
  Object.fromEntries(Object.entries(methodStates(value)).sort(([a], [b]) => (a < b ? -1 : 1)));

function read(snapshot: Snapshot, name: string): unknown {
  const value = organizationSetting(snapshot, name);
  if (value === undefined) return value;
  const kind = kindOf(name);
  if (kind === "group") {
    const who = groupSettingOf(snapshot.organization, `realm_${name}`);
    return who === undefined ? undefined : permissionValue(who, nobodyIn(snapshot));
  }
  if (kind === "channel") return typeof value === "number" && value !== -1 ? value : null;
  return kind === "methods"
    ? methods(value)
    : isOrganizationSetting(name)
      ? sentValue(organizationSettings[name], value)
      : value;
}

/** What this program does not know is a permission: files have no other unknown settings. */
const kindOf = (field: string): Setting["kind"] =>
  isOrganizationSetting(field) ? organizationSettings[field].kind : "group";

/** Settings that forbid other changes, with the value that allows them. */
const opening = new Map<string, unknown>([
  ["emails_restricted_to_domains", false],
  ["enable_spectator_access", true],
  ["require_unique_names", false],
]);

/** Servers apply settings one by one. Booleans share a request, because only the caller's role can make them fail. */
function partOf({ field }: FieldChange): string {
  if (!isOrganizationSetting(field) || kindOf(field) !== "boolean" || opening.has(field)) return field;
  const { owner }: Setting = organizationSettings[field];
  return owner ? "for owners" : "for administrators";
}

function phaseOf({ rights }: RequestContext, { field, to }: FieldChange): number {
  if (opening.has(field)) return opening.get(field) === to ? phases.gives : phases.settings;
  // Removing a playground resets it.
  if (field === "default_code_block_language") return phases.orders;
  const kind = kindOf(field);
  if (kind === "group") return rights.organization(field) ?? phases.settings;
  return kind === "channel" ? phases.settings : phases.plainSettings;
}

function argumentOf(context: RequestContext, change: FieldChange): unknown {
  const { field, to } = change;
  const current = organizationSetting(context.snapshot, field);
  const kind = kindOf(field);
  // Servers refuse a request that turns none on, so send all methods.
  if (kind === "methods") return { ...methods(current), ...methodStates(to) };
  if (kind === "channel") return to === null ? -1 : context.ids.of("channels", to);
  return kind === "group" ? permissionArgument(context, change, current) : to;
}

const members = attributesOf(updateOrganization, {
  // Only demo organizations have it, and it cannot be read.
  omit: ["string_id"],
  more: Object.fromEntries(
    Object.keys(organizationSettings)
      .filter(isOrganizationSetting)
      .map((name) => [name, additionsTo(name)]),
  ),
});

/** Names that older servers have for settings. Files may use them on every server. */
const olderNames: Members = Object.fromEntries(
  Object.entries<Setting>(organizationSettings).flatMap(([name, { older }]) => {
    const member = members[name];
    if (!older?.name || !member) return [];
    return [[older.name, { ...member, doc: `Another name of ${name}.`, until: { level: 0, by: name } }]];
  }),
);

export const settingsSection: SettingsSection = {
  doc: "The organization's settings.",
  read,
  members: { ...members, ...olderNames },
  others: /^[a-z][a-z0-9_]*$/,
  othersOf: "realm",
  requests: {
    update: (context, { fields }) =>
      [...groupBy(fields, partOf).values()].map((changes) => ({
        phase: Math.min(...changes.map((change) => phaseOf(context, change))),
        operation: updateOrganization,
        args: Object.fromEntries(changes.map((change) => [change.field, argumentOf(context, change)])),
        result: changes.map(({ field }) => field).join(", "),
        provides: changes.flatMap((change) => {
          const kind = kindOf(change.field);
          if (kind === "group") return releasedGroups(change);
          return kind === "channel" ? [`channel ${change.from} is not ${change.field}`] : [];
        }),
      })),
  },
};

export const newUsersSection: SettingsSection = {
  doc: "Default settings of new people. Existing people are not changed.",
  read: ({ organization }, name) => organization.realm_user_settings_defaults?.[name],
  members: attributesOf(updateDefaults, {
    omit: [],
    more: Object.fromEntries(
      Object.entries(personalSettings).map(([name, setting]) => [name, settingMember(name, setting)]),
    ),
  }),
  requests: {
    update: (_, { fields }) => [
      { phase: phases.settings, operation: updateDefaults, args: {}, pieces: [settingsPiece(fields)] },
    ],
  },
};
