import type { GroupSettingUpdate } from "../../api/group-setting.ts";
import { updateOrganization } from "../../api/organization.ts";
import type { OrganizationSetting } from "../../api/settings.ts";
import { hasMetadataAccess, ownersOnly } from "../access.ts";
import { ApiError, Broken, refused } from "../api-error.ts";
import { permissionChanged, settingChanged } from "../events/organization.ts";
import { fullMembersChanged } from "../events/people.ts";
import { checkSetting, wanted } from "../group-setting.ts";
import { shownSetting, updateFullMembers } from "../groups.ts";
import { languages } from "../languages.ts";
import { channelSettingsOfOrganization, type OrganizationSettings } from "../organization-state.ts";
import { decode, kindOf, settingNames } from "../organization-values.ts";
import { namesOf, organizationRules } from "../permission-rules.ts";
import { type Call, on } from "../router.ts";

type Args = { [N in OrganizationSetting]?: unknown };
type Names = OrganizationSetting;
type Plain = keyof OrganizationSettings;

/** Beyond this the database breaks. */
const largest = 2 ** 31 - 1;

const badValue = (name: string, bad_value: unknown): ApiError =>
  new ApiError(400, "REQUEST_VARIABLE_INVALID", `Bad value for '${name}': ${bad_value}`, { var_name: name, bad_value });

function days(value: number | string): number {
  if (value === "unlimited") return -1;
  if (typeof value === "string" || value < 1) throw badValue("message_retention_days", value);
  return value;
}

function seconds(name: string, value: number | string): number | null {
  if (value === "unlimited") return null;
  if (typeof value === "string" || value < 1) throw badValue(name, value);
  return value;
}

const limits = [
  "message_content_delete_limit_seconds",
  "message_content_edit_limit_seconds",
  "move_messages_within_stream_limit_seconds",
  "move_messages_between_streams_limit_seconds",
] as const;
const providers = [0, 1];

function checkMethods(given: { [name: string]: unknown }): void {
  // To the server's language 1 is true; what is neither switches nothing on.
  if (!Object.values(given).some((value) => value === true || value === 1))
    throw refused("At least one authentication method must be enabled.");
  const strange = Object.keys(given).find((name) => name !== "Email");
  if (strange !== undefined) {
    throw refused(`Invalid authentication method: ${strange}. Valid methods are: ['Email']`);
  }
}

/** Everything that is asked before anything is done. */
function check({ caller, level }: Call, args: Args): void {
  const { default_language, authentication_methods, video_chat_provider, giphy_rating } = args;
  if (default_language !== undefined && !languages.has(default_language as string)) {
    throw refused(`Invalid language '${default_language}'`);
  }
  if (authentication_methods !== undefined) {
    ownersOnly(caller);
    checkMethods(authentication_methods as object as { [name: string]: unknown });
  }
  if (video_chat_provider !== undefined && !providers.includes(video_chat_provider as number)) {
    throw refused(`Invalid video_chat_provider ${video_chat_provider}`);
  }
  const ratings = level > 371 ? 5 : 6;
  if (giphy_rating !== undefined && !((giphy_rating as number) >= 0 && (giphy_rating as number) < ratings)) {
    throw refused(`Invalid giphy_rating ${giphy_rating}`);
  }
  if (args.message_retention_days !== undefined) {
    ownersOnly(caller);
    days(args.message_retention_days as number | string);
  }
  const others = settingNames.filter((name) => name !== "string_id" && kindOf(name).owner);
  if (others.some((name) => args[name] !== undefined)) ownersOnly(caller);
}

/** A request in the course of being applied; what is changed is answered, and stays changed. */
interface Step extends Call {
  args: Args;
  changed: { [name: string]: unknown };
}

function set(step: Step, name: Plain, value: unknown, answer: unknown = value, always = false): void {
  const { settings } = step.state.organization;
  if (settings[name] === value && !always) return;
  if (typeof value === "number" && value > largest) throw new Broken();
  if (typeof value === "string" && value.includes("\0")) throw new Broken();
  (settings as { [name: string]: unknown })[name] = value;
  step.changed[name] = answer;
  settingChanged(step, name, value);
  if (name !== "waiting_period_threshold") return;
  const { group, came, went } = updateFullMembers(step.state, step.now);
  fullMembersChanged(step, group, came, went);
}

/** Limits that are lifted are lifted at once, before the others are looked at. */
function liftLimits(step: Step): void {
  for (const name of limits) {
    const value = step.args[name] as number | string | undefined;
    if (value !== undefined && seconds(name, value) === null) set(step, name, null);
  }
}

/** What the answer has in place of a word that stands for a number. */
const numbers: { [name: string]: { [word: string]: number } } = {
  message_edit_history_visibility_policy: { all: 1, moves: 2, none: 3 },
  topics_policy: { allow_empty_topic: 2, disable_empty_topic: 3 },
};
const late = new Set<string>([
  ...limits,
  "message_retention_days",
  "jitsi_server_url",
  ...channelSettingsOfOrganization,
  "org_type",
]);

function applyPlain(step: Step): void {
  const { args, level } = step;
  for (const name of level > 371 ? [...settingNames].sort() : settingNames) {
    const value = args[name];
    const { kind } = kindOf(name);
    if (value === undefined || late.has(name) || kind === "group" || kind === "other" || name === "string_id") continue;
    const answer = numbers[name]?.[value as string] ?? (typeof value === "string" ? "updated" : value);
    set(step, name as Plain, value, answer);
  }
  if (args.message_retention_days !== undefined) {
    set(step, "message_retention_days", days(args.message_retention_days as number | string));
  }
  for (const name of limits) {
    const value = args[name] as number | string | undefined;
    if (value !== undefined && value !== "unlimited") set(step, name, seconds(name, value));
  }
  const { jitsi_server_url: url } = args;
  if (url !== undefined)
    set(step, "jitsi_server_url", url === "default" ? null : url, url === "default" ? null : "updated");
}

function applyPermissions(step: Step): void {
  const { state, level, args } = step;
  const { permissions } = state.organization;
  for (const name of namesOf(organizationRules)) {
    const update = args[name] as GroupSettingUpdate | undefined;
    const value = update && wanted(state, level, permissions[name], update);
    if (value === undefined) continue;
    checkSetting(state, name, value, organizationRules[name]);
    permissions[name] = value;
    step.changed[name] = shownSetting(state, value);
    permissionChanged(step, name, shownSetting(state, value));
  }
}

/** A channel that may be named: private for reports, any that the caller sees for announcements; -1 is none. */
function checkChannel({ state, caller }: Call, name: Names, id: number): void {
  if (id === -1) return;
  const channel = state.channels.get(id);
  if (!channel || channel.is_archived || !hasMetadataAccess(state, caller, channel))
    throw refused("Invalid channel ID");
  if (name === "moderation_request_channel_id" && !channel.invite_only) {
    throw refused("Moderation request channel must be private.");
  }
}

function applyLast(step: Step): void {
  const { state, args, changed } = step;
  const given = args.authentication_methods as { [name: string]: unknown } | undefined;
  if (given && "Email" in given && Boolean(given.Email) !== state.organization.password_login) {
    state.organization.password_login = Boolean(given.Email);
    changed.authentication_methods = { Email: state.organization.password_login };
    settingChanged(step, "authentication_methods", changed.authentication_methods);
  }
  for (const name of lateChannels) {
    const id = args[name] as number | undefined;
    if (id === undefined) continue;
    if (id === state.organization.settings[name] && id !== -1) continue;
    checkChannel(step, name, id);
    set(step, name, id, id, true);
  }
  if (args.string_id !== undefined) {
    ownersOnly(step.caller);
    throw refused("Must be a demo organization.");
  }
  if (args.org_type !== undefined) set(step, "org_type", args.org_type, args.org_type, true);
}

/** In the order in which they are applied. */
const lateChannels = [
  "moderation_request_channel_id",
  "new_stream_announcements_stream_id",
  "signup_announcements_stream_id",
  "zulip_update_announcements_stream_id",
] as const;

export const organizationRoutes = [
  on(updateOrganization, { who: "administrator", decode }, (call, args) => {
    const step: Step = { ...call, args, changed: {} };
    check(call, args);
    liftLimits(step);
    applyPlain(step);
    applyPermissions(step);
    applyLast(step);
    return step.changed;
  }),
];
