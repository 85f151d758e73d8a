/** Settings of people: those of the caller, of others, and of new people. */

import { updateDefaults, updateSettings } from "../../api/user-settings.ts";
import { namesOf } from "../../common/object-members.ts";
import {
  languages,
  longestBatchingPeriod,
  notificationSounds,
  ownSettings,
  type PersonalSetting,
  personalSettings,
} from "../../model/personal.ts";
import { settingAt } from "../../model/setting.ts";
import { badRequest, InternalError, roleRequired } from "../answers.ts";
import {
  aBoolean,
  aList,
  anInteger,
  type Check,
  type Decoder,
  fromJson,
  impossibleValue,
  instanceOf,
  requiredMember,
} from "../decode.ts";
import { sendEvent, sendToAll } from "../events/queue.ts";
import * as events from "../events/users.ts";
import { groupsBelow } from "../groups.ts";
import { languageName } from "../languages.ts";
import { updateDisplaySettings, updateNotificationSettings } from "../other-operations.ts";
import { initialValues, settingsOfPerson } from "../personal.ts";
import { type HandlerCall, on } from "../router.ts";
import { isAdministrator, isBot, type StoredUser, visibleEmail } from "../state.ts";
import type { PersonalValue } from "../stored-personal.ts";
import { accountWithAddress, isTimeZone } from "../text.ts";
import { fullName } from "./people.ts";

/** The levels from which on values are known, if they are newer than the setting. The first is not known exactly. */
const valueSince: { [name: string]: { [value: number]: number } } = { web_channel_default_view: { 3: 372, 4: 401 } };

/** Settings in words that servers check before all others, with other words. Of those of people, two more. */
const checkedFirst: ReadonlySet<string> = new Set(["emojiset"]);
const checkedFirstOfPeople: ReadonlySet<string> = new Set([
  ...checkedFirst,
  "web_home_view",
  "web_animate_image_previews",
]);

/** Returns today's word for a word of the level. */
function decoder(name: string, setting: PersonalSetting, inSchema: ReadonlySet<string>): Decoder<PersonalValue> {
  const { kind, plain, values } = setting;
  if (kind === "boolean") return fromJson(aBoolean);
  return (text, sent, level) => {
    const value = plain ? text : fromJson(anInteger)(text, sent, level);
    const known = values
      ?.filter((each) => level >= (valueSince[name]?.[Number(each)] ?? 0) && !(level > 371 && each === "google-blob"))
      .find((each) => settingAt(level, personalSettings, name, each)[1] === value);
    if (values && known === undefined)
      throw badRequest(plain && !inSchema.has(name) ? `Invalid ${sent}` : impossibleValue(sent));
    return known ?? value;
  };
}

const decoders = (inSchema: ReadonlySet<string>) =>
  Object.fromEntries(
    Object.entries(personalSettings).map(([name, setting]) => [name, decoder(name, setting, inSchema)]),
  );
const decode = decoders(checkedFirstOfPeople);
const decodeDefaults = decoders(checkedFirst);

const smallIntegers = new Set(["web_font_size_px", "web_line_height_percent"]);

type SettingArgs = { readonly [name: string]: unknown };

function checkSettings(args: SettingArgs): void {
  const { notification_sound, email_notifications_batching_period_seconds: period } = args;
  if (notification_sound !== undefined && !["none", ...notificationSounds].includes(String(notification_sound))) {
    throw badRequest(`Invalid notification sound '${notification_sound}'`);
  }
  const seconds = Number(period ?? 1);
  if (seconds < 1 || seconds > longestBatchingPeriod)
    throw badRequest(`Invalid email batching period: ${seconds} seconds`);
}

/** Yields the settings of a request with their values. */
function* settingsOf(args: SettingArgs): Iterable<[name: string, value: PersonalValue]> {
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
  const targets = instanceOf("TargetUsersData")(value, path);
  const ids = (name: string) => aList(anInteger)(targets[name] ?? [], `${path}["${name}"]`);
  return {
    user_ids: ids("user_ids"),
    group_ids: ids("group_ids"),
    skip: requiredMember(targets, "skip_if_already_edited", path, aBoolean),
  };
};

/** A bot refuses the whole call, also as a member of a group or of its subgroups. Deactivated people count. */
function peopleOf({ state }: HandlerCall, { user_ids, group_ids }: Targets): StoredUser[] {
  for (const id of group_ids) {
    const group = state.groups.get(id);
    if (!group || group.deactivated) throw badRequest(`Invalid user group ID: ${id}`);
  }
  const members = [...groupsBelow(state, group_ids)].flatMap((id) => [...(state.groups.get(id)?.members ?? [])]);
  return [...new Set([...user_ids, ...members])].map((id) => {
    const user = state.users.get(id);
    if (!user || isBot(user)) throw badRequest(`Invalid user ID: ${id}`);
    return user;
  });
}

function change(call: HandlerCall, user: StoredUser, name: string, value: PersonalValue): void {
  if ({ ...initialValues, ...settingsOfPerson(user) }[name] === value) return;
  if (name === "email_address_visibility") {
    setAddressVisibility(call, user, Number(value));
    return;
  }
  if (name === "enable_drafts_synchronization") user.enable_drafts_synchronization = value === true;
  else if (name === "allow_private_data_export") user.allow_private_data_export = value === true;
  else user.settings = { ...user.settings, [name]: value };
  const [property, shown] = settingAt(call.level, personalSettings, name, value);
  const language = name === "default_language" ? { language_name: languageName(String(value)) } : {};
  sendEvent(call, { type: "user_settings", op: "update", property, value: shown, ...language }, [user]);
  if (name === "allow_private_data_export") events.sendConsent(call, user);
}

/** Others hear only of another address. */
function setAddressVisibility(call: HandlerCall, user: StoredUser, value: number): void {
  const before = visibleEmail(call.state, user);
  user.email_address_visibility = value;
  sendEvent(call, { type: "user_settings", op: "update", property: "email_address_visibility", value }, [user]);
  if (visibleEmail(call.state, user) !== before) events.sendVisibilityChanged(call, user);
}

function setTimeZone(call: HandlerCall, user: StoredUser, timezone: string): void {
  if (user.timezone === timezone) return;
  user.timezone = timezone;
  sendEvent(call, { type: "user_settings", op: "update", property: "timezone", value: timezone }, [user]);
  events.sendTimeZoneChanged(call, user);
}

const ownTexts: { readonly [name: string]: Decoder<string> } = {
  full_name: (text) => text,
  email: (text) => text,
  new_password: (text) => text,
  timezone: (text) => {
    if (text !== "" && !isTimeZone(text)) throw badRequest("Invalid timezone: Value error, Not a recognized time zone");
    return text;
  },
};

/** Parameters that our client does not send, since they are only for the caller's own account. */
const ownParameters = Object.fromEntries(
  ownSettings.map((name): [string, Decoder] => [name, decode[name] ?? ownTexts[name] ?? fromJson(aBoolean)]),
);

const otherSettings = [...namesOf(initialValues), "allow_private_data_export"];

type SettingsArgs = SettingArgs & { target_users?: Targets | undefined };

function changeSettings(call: HandlerCall, { target_users: targets, ...args }: SettingsArgs): void {
  const { state, caller } = call;
  if (targets) {
    if (!isAdministrator(caller)) throw roleRequired("administrator");
    if (targets.user_ids.length + targets.group_ids.length === 0)
      throw badRequest("Either user_ids or group_ids must be provided.");
    // Without a setting, nobody is looked up.
    if (Object.values(args).every((value) => value === undefined)) return;
    const people = peopleOf(call, targets);
    const isPrivate = ownSettings.some((name) => name !== "full_name" && args[name] !== undefined);
    if (isPrivate) throw badRequest("Cannot change this setting for other users.");
    // Servers do not check sound, language and period here.
    for (const [name, value] of settingsOf(args))
      for (const user of people) if (!(targets.skip && user.edited?.has(name))) change(call, user, name, value);
    if (typeof args.default_language === "string")
      for (const user of people) change(call, user, "default_language", args.default_language);
    return;
  }
  const { email } = args;
  if (typeof email === "string" && email !== caller.delivery_email && accountWithAddress(state, email))
    throw badRequest("Already has an account.");
  if (email !== undefined || args.new_password !== undefined)
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
  if (typeof args.timezone === "string") setTimeZone(call, caller, args.timezone);
  if (typeof args.full_name !== "string") return;
  caller.full_name = fullName(call, args.full_name, caller);
  events.sendNameChanged(call, caller);
}

const settingsRules = {
  who: "human" as const,
  decode,
  extra: { ...ownParameters, target_users: fromJson(aTargets) },
};

export const personalSettingRoutes = [
  on(updateSettings, settingsRules, changeSettings),
  on(updateDisplaySettings, settingsRules, changeSettings),
  on(updateNotificationSettings, settingsRules, changeSettings),

  on(updateDefaults, { decode: decodeDefaults }, (call, args) => {
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
