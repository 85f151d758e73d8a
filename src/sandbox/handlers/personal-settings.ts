/** Settings of people: those of the caller, of others, and of new people. */

import { updateDefaults, updateSettings } from "../../api/user-settings.ts";
import {
  languages,
  longestBatchingPeriod,
  notificationSounds,
  ownSettings,
  type PersonalSetting,
  personalSettings,
} from "../../model/personal.ts";
import { settingAt } from "../../model/setting.ts";
import { userById } from "../access.ts";
import { badRequest, InternalError, requireFound, roleRequired } from "../answers.ts";
import { aBoolean, aDict, aList, anInteger, type Check, type Decoder, fromJson, impossibleValue } from "../decode.ts";
import { administrators, send, sendToAll } from "../events/queue.ts";
import { sendNameChanged } from "../events/users.ts";
import { isIncluded } from "../groups.ts";
import { type PersonalValue, settingsOfPerson } from "../personal.ts";
import { type Call, on } from "../router.ts";
import { isAdministrator, isBot, type User } from "../state.ts";
import { fullName } from "./people.ts";

/** The levels from which on values are known, if they are newer than the setting. The first is not known exactly. */
const valueSince: { [name: string]: { [value: number]: number } } = { web_channel_default_view: { 3: 372, 4: 401 } };

/** Returns today's word for a word of the level. */
function decoder(name: string, { kind, plain, values }: PersonalSetting): Decoder<PersonalValue> {
  if (kind === "boolean") return fromJson(aBoolean);
  return (text, sent, level) => {
    const value = plain ? text : fromJson(anInteger)(text, sent, level);
    const known = values
      ?.filter((each) => level >= (valueSince[name]?.[Number(each)] ?? 0) && !(level > 371 && each === "google-blob"))
      .find((each) => settingAt(level, personalSettings, name, each)[1] === value);
    if (values && known === undefined)
      throw badRequest(plain && name !== "emojiset" ? `Invalid ${sent}` : impossibleValue(sent));
    return known ?? value;
  };
}

const decode = Object.fromEntries(
  Object.entries(personalSettings).map(([name, setting]) => [name, decoder(name, setting)]),
);

const smallIntegers = new Set(["web_font_size_px", "web_line_height_percent"]);

type Args = { readonly [name: string]: unknown };

function checkSettings(args: Args): void {
  const { notification_sound, email_notifications_batching_period_seconds: period } = args;
  if (notification_sound !== undefined && !["none", ...notificationSounds].includes(String(notification_sound))) {
    throw badRequest(`Invalid notification sound '${notification_sound}'`);
  }
  const seconds = Number(period ?? 1);
  if (seconds < 1 || seconds > longestBatchingPeriod)
    throw badRequest(`Invalid email batching period: ${seconds} seconds`);
}

/** Yields the settings of a request with their values. */
function* settingsOf(args: Args): Iterable<[name: string, value: PersonalValue]> {
  for (const name of Object.keys(personalSettings)) {
    const value = args[name];
    if (typeof value !== "boolean" && typeof value !== "number" && typeof value !== "string") continue;
    // The database stores these in two bytes.
    if (smallIntegers.has(name) && (Number(value) < 0 || Number(value) > 32_767)) throw new InternalError();
    yield [name, value];
  }
}

interface Targets {
  user_ids: number[];
  group_ids: number[];
  skip: boolean;
}

const aTargets: Check<Targets> = (value, path) => {
  const { user_ids = [], group_ids = [], skip_if_already_edited: skip = false } = aDict(value, path);
  return {
    user_ids: aList(anInteger)(user_ids, `${path}["user_ids"]`),
    group_ids: aList(anInteger)(group_ids, `${path}["group_ids"]`),
    skip: aBoolean(skip, `${path}["skip_if_already_edited"]`),
  };
};

/** Bots and inactive members of groups are left out. */
function peopleOf({ state, caller }: Call, { user_ids, group_ids }: Targets): User[] {
  if (!isAdministrator(caller)) throw roleRequired("administrator");
  if (!user_ids.length && !group_ids.length) throw badRequest("Either user_ids or group_ids must be provided.");
  const named = new Set(user_ids.map((id) => userById(state, id)));
  for (const id of group_ids) {
    requireFound(state.groups.get(id), "Invalid user group");
    for (const user of state.users.values()) if (user.is_active && isIncluded(state, user, id)) named.add(user);
  }
  return [...named].filter((user) => !isBot(user));
}

function change(call: Call, user: User, name: string, value: PersonalValue): void {
  if (settingsOfPerson(user)[name] === value) return;
  if (name === "email_address_visibility") user.email_address_visibility = Number(value);
  else if (name === "enable_drafts_synchronization") user.enable_drafts_synchronization = value === true;
  else if (name === "allow_private_data_export") user.allow_private_data_export = value === true;
  else user.settings = { ...user.settings, [name]: value };
  const [property, shown] = settingAt(call.level, personalSettings, name, value);
  send(call, { type: "user_settings", op: "update", property, value: shown }, [user]);
  if (name !== "allow_private_data_export") return;
  const consent = { type: "realm_export_consent", user_id: user.user_id, consented: value };
  send(call, consent, administrators(call.state));
}

/** Parameters that our client does not send, since they are only for the caller's own account. */
const ownParameters = Object.fromEntries(
  ownSettings.map((name): [string, Decoder] => [
    name,
    decode[name] ??
      (["full_name", "email", "new_password", "timezone"].includes(name) ? (text) => text : fromJson(aBoolean)),
  ]),
);

const otherSettings = [
  "default_language",
  "enable_login_emails",
  "enable_marketing_emails",
  "allow_private_data_export",
];

export const personalSettingRoutes = [
  on(
    updateSettings,
    { who: "human", decode, extra: { ...ownParameters, target_users: fromJson(aTargets) } },
    (call, { target_users: targets, ...settings }) => {
      const args: Args = settings;
      const { caller } = call;
      if (targets) {
        const people = peopleOf(call, targets);
        const isPrivate = ownSettings.some((name) => name !== "full_name" && args[name] !== undefined);
        if (isPrivate) throw badRequest("Cannot change this setting for other users.");
        // Sound, language and period are not checked here, as on a real server of level 499.
        for (const [name, value] of settingsOf(args))
          for (const user of people) if (!(targets.skip && user.edited?.has(name))) change(call, user, name, value);
        if (typeof args.default_language === "string")
          for (const user of people) change(call, user, "default_language", args.default_language);
        return;
      }
      if (args.email !== undefined || args.new_password !== undefined)
        throw badRequest("The sandbox does not change the address or password of the account in use.");
      if (args.default_language !== undefined && !languages.includes(String(args.default_language)))
        throw badRequest("Invalid default_language");
      checkSettings(args);
      for (const [name, value] of settingsOf(args)) {
        change(call, caller, name, value);
        caller.edited = new Set(caller.edited).add(name);
      }
      for (const name of otherSettings) {
        const value = args[name];
        if (typeof value === "string" || typeof value === "boolean") change(call, caller, name, value);
      }
      if (typeof args.timezone === "string") caller.timezone = args.timezone;
      if (typeof args.full_name !== "string") return;
      caller.full_name = fullName(call, args.full_name, caller);
      sendNameChanged(call, caller);
    },
  ),

  on(updateDefaults, { decode }, (call, args) => {
    const { organization } = call.state;
    checkSettings(args);
    for (const [name, value] of settingsOf(args)) {
      if (organization.defaults[name] === value) continue;
      organization.defaults = { ...organization.defaults, [name]: value };
      const [property, shown] = settingAt(call.level, personalSettings, name, value);
      sendToAll(call, { type: "realm_user_settings_defaults", op: "update", property, value: shown });
    }
  }),
];
