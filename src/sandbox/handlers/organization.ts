/** The settings of the organization, and those that new people get. */
import type { GroupSettingUpdate } from "../../api/group-setting.ts";
import { updateOrganization } from "../../api/organization.ts";
import { membersOf, namesOf } from "../../common/object-members.ts";
import {
  type OrganizationPermission,
  type OrganizationSetting,
  organizationSettings,
} from "../../model/organization.ts";
import { languages } from "../../model/personal.ts";
import { noLimit, type Setting, settingAt } from "../../model/setting.ts";
import { checkOwner, visibleChannel } from "../access.ts";
import { badRequest, InternalError } from "../answers.ts";
import {
  aBoolean,
  aDict,
  anInteger,
  anyOf,
  aString,
  type Decoder,
  fromJson,
  impossibleValue,
  maxLength,
  nonNegative,
  orUnlimited,
} from "../decode.ts";
import { sendGroupEvent } from "../events/groups.ts";
import { sendSettingChanged, sendSettingsChanged } from "../events/queue.ts";
import { updateFullMembers, visibleSetting } from "../groups.ts";
import { channelSettingsOfOrganization } from "../organization.ts";
import { changedSettings, organizationRulesInOrder, settingUpdateDecoder } from "../permissions.ts";
import { type HandlerCall, on } from "../router.ts";
import { checkStorable, isUrl } from "../text.ts";

type SettingArgs = { [N in OrganizationSetting]?: unknown };

const settingNames = namesOf(organizationSettings);
const kindOf = (name: OrganizationSetting): Setting => organizationSettings[name];

/** Decoders for settings that need more than their kind. */
const customDecoders: { [N in OrganizationSetting]?: Decoder } = {
  name: maxLength(40),
  description: maxLength(1000),
  welcome_message_custom_text: maxLength(8000),
  message_retention_days: fromJson((value, path) =>
    typeof value === "number" || typeof value === "bigint" ? value : aString(value, `${path}["json[str]"]`),
  ),
  waiting_period_threshold: fromJson(nonNegative),
  authentication_methods: fromJson(aDict),
  // A URL, or "default" for the server's own.
  jitsi_server_url: fromJson((value, path) => {
    const known = typeof value === "string" && (value === "default" || (isUrl(value) && value.length <= 200));
    if (!known) throw badRequest(`${path} is not an allowed_type`);
    return value;
  }),
  // Their values are checked later, with other refusals.
  video_chat_provider: fromJson(anInteger),
  gif_rating_policy: fromJson(anInteger),
  media_preview_size: fromJson(anInteger),
  default_avatar_source: (text) => {
    if (text !== "G" && text !== "J") throw badRequest(impossibleValue("default_avatar_source"));
    return text;
  },
};

function decoderForKind({ kind, plain, values = [] }: Setting): Decoder {
  if (kind === "group") return settingUpdateDecoder;
  if (kind === "limit") {
    return fromJson((value, path) => (typeof value === "string" ? value : anInteger(value, `${path}["int"]`)));
  }
  if (kind === "boolean") return fromJson(aBoolean);
  if (kind === "choice") return plain ? (text, sent) => anyOf(values)(text, sent) : fromJson(anyOf(values));
  return plain ? (text) => text : fromJson(anInteger);
}

const decode = Object.fromEntries(
  settingNames.map((name) => [name, customDecoders[name] ?? decoderForKind(kindOf(name))]),
);

/** The largest number that the database stores. */
const maxInteger = 2 ** 31 - 1;

const days = (value: unknown) => orUnlimited("message_retention_days", value, -1);

const nameAt = (level: number, name: string): string => settingAt(level, organizationSettings, name, undefined)[0];

const limits = settingNames.filter((name) => kindOf(name).kind === "limit" && name !== "message_retention_days");

/** Checks what servers check before any change. */
function checkSettings({ caller, level }: HandlerCall, args: SettingArgs): void {
  const { default_language, authentication_methods, video_chat_provider, gif_rating_policy, media_preview_size } = args;
  if (default_language !== undefined && !languages.includes(String(default_language))) {
    throw badRequest(`Invalid language '${default_language}'`);
  }
  if (authentication_methods) {
    checkOwner(caller);
    // In the server's language 1 is true. Other values switch nothing on.
    if (!Object.values(authentication_methods).some((value) => value === true || value === 1))
      throw badRequest("At least one authentication method must be enabled.");
    const unknown = Object.keys(authentication_methods).find((name) => name !== "Email");
    if (unknown !== undefined)
      throw badRequest(`Invalid authentication method: ${unknown}. Valid methods are: ['Email']`);
  }
  if (video_chat_provider !== undefined && video_chat_provider !== 0 && video_chat_provider !== 1) {
    throw badRequest(`Invalid video_chat_provider ${video_chat_provider}`);
  }
  const rating = Number(gif_rating_policy ?? 0);
  if (!(rating >= 0 && rating < (level > 371 ? 5 : 6)))
    throw badRequest(`Invalid ${nameAt(level, "gif_rating_policy")} ${gif_rating_policy}`);
  if (
    media_preview_size !== undefined &&
    !organizationSettings.media_preview_size.values.includes(Number(media_preview_size))
  )
    throw badRequest(`Invalid media_preview_size ${media_preview_size}`);
  if (args.message_retention_days !== undefined) {
    checkOwner(caller);
    days(args.message_retention_days);
  }
  const forOwners = settingNames.filter((name) => name !== "string_id" && kindOf(name).owner);
  if (forOwners.some((name) => args[name] !== undefined)) checkOwner(caller);
}

/** A request while it is applied. A refusal does not undo the changes before it. */
interface SettingStep extends HandlerCall {
  args: SettingArgs;
  /** The members of the answer. */
  changed: { [name: string]: unknown };
}

function setValue(step: SettingStep, name: string, value: unknown, answer: unknown = value, always = false): void {
  const settings: { [name: string]: unknown } = step.state.organization.settings;
  if (settings[name] === value && !always) return;
  if (typeof value === "number" && value > maxInteger) throw new InternalError();
  checkStorable(String(value));
  settings[name] = value;
  step.changed[nameAt(step.level, name)] = answer;
  sendSettingChanged(step, name, value);
  if (name !== "waiting_period_threshold") return;
  // The threshold decides who is a full member.
  const { group, added, removed } = updateFullMembers(step.state, step.now);
  if (added.length > 0) sendGroupEvent(step, group, { op: "add_members", user_ids: added });
  if (removed.length > 0) sendGroupEvent(step, group, { op: "remove_members", user_ids: removed });
}

/** The answer has numbers for these words. */
const numbers: { [name: string]: { [word: string]: number } } = {
  message_edit_history_visibility_policy: { all: 1, moves: 2, none: 3 },
  topics_policy: { allow_empty_topic: 2, disable_empty_topic: 3 },
};
const appliedLater: ReadonlySet<string> = new Set([
  ...settingNames.filter((name) => ["limit", "url", "channel", "group", "methods"].includes(kindOf(name).kind)),
  "org_type",
  "string_id",
]);

function applyPlain(step: SettingStep): void {
  const { args, level } = step;
  for (const name of level > 371 ? [...settingNames].sort() : settingNames) {
    const value = args[name];
    if (value === undefined || appliedLater.has(name)) continue;
    setValue(step, name, value, typeof value === "string" ? (numbers[name]?.[value] ?? "updated") : value);
  }
  if (args.message_retention_days !== undefined) {
    setValue(step, "message_retention_days", days(args.message_retention_days));
  }
  for (const name of limits) {
    const value = args[name];
    if (value !== undefined && value !== noLimit) setValue(step, name, orUnlimited(name, value, null));
  }
  const { jitsi_server_url: url } = args;
  if (url === "default") setValue(step, "jitsi_server_url", null);
  else if (url !== undefined) setValue(step, "jitsi_server_url", url, "updated");
}

function applyPermissions(step: SettingStep): void {
  const { state } = step;
  const { permissions } = state.organization;
  const updates = step.args as { [N in OrganizationPermission]?: GroupSettingUpdate };
  for (const [name, value] of changedSettings(step, organizationRulesInOrder, permissions, updates)) {
    permissions[name] = value;
    step.changed[name] = visibleSetting(state, value);
    sendSettingsChanged(step, { [name]: visibleSetting(state, value) });
  }
}

function applyLast(step: SettingStep): void {
  const { state, args, changed } = step;
  const { organization } = state;
  const { Email } = membersOf(args.authentication_methods);
  if (Email !== undefined && Boolean(Email) !== organization.password_login) {
    organization.password_login = Boolean(Email);
    changed.authentication_methods = { Email: organization.password_login };
    sendSettingChanged(step, "authentication_methods", changed.authentication_methods);
  }
  for (const name of channelSettingsOfOrganization) {
    if (args[name] === undefined) continue;
    const id = Number(args[name]);
    if (id !== -1) {
      if (id === organization.settings[name]) continue;
      const channel = visibleChannel(state, step.caller, id);
      if (channel.is_archived) throw badRequest("Invalid channel ID");
      if (name === "moderation_request_channel_id" && !channel.invite_only) {
        throw badRequest("Moderation request channel must be private.");
      }
    }
    setValue(step, name, id, id, true);
  }
  if (args.string_id !== undefined) {
    checkOwner(step.caller);
    throw badRequest("Must be a demo organization.");
  }
  if (args.org_type !== undefined) setValue(step, "org_type", args.org_type, args.org_type, true);
}

export const organizationRoutes = [
  on(updateOrganization, { decode }, (call, args) => {
    const step: SettingStep = { ...call, args, changed: {} };
    checkSettings(call, args);
    // Limits are lifted first.
    for (const name of limits) {
      if (args[name] !== undefined && orUnlimited(name, args[name], null) === null) setValue(step, name, null);
    }
    applyPlain(step);
    applyPermissions(step);
    applyLast(step);
    return step.changed;
  }),
];
