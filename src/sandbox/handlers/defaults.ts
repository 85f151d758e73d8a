/** The settings that new people get. */
import { notificationSounds, type PersonalSetting, personalSettings, updateDefaults } from "../../api/user-settings.ts";
import { badRequest, InternalError } from "../answers.ts";
import { aBoolean, anInteger, type Decoder, fromJson, impossibleValue } from "../decode.ts";
import { sendToAll } from "../events/queue.ts";
import { on } from "../router.ts";

/** The levels from which on values are known, if they are newer than the setting. The first is not known exactly. */
const valueSince: { [name: string]: { [value: number]: number } } = { web_channel_default_view: { 3: 372, 4: 401 } };

function decoderOf(name: string, { kind, plain, values }: PersonalSetting): Decoder<boolean | number | string> {
  if (kind === "boolean") return fromJson(aBoolean);
  return (text, sent, level) => {
    const value = plain ? text : fromJson(anInteger)(text, sent, level);
    const known = values?.includes(value) && level >= (valueSince[name]?.[Number(value)] ?? 0);
    if (values && (!known || (level > 371 && value === "google-blob"))) {
      throw badRequest(plain && name !== "emojiset" ? `Invalid ${sent}` : impossibleValue(sent));
    }
    return value;
  };
}

const decode = Object.fromEntries(
  Object.entries(personalSettings).map(([name, setting]) => [name, decoderOf(name, setting)]),
);

const week = 7 * 24 * 3600;
const smallIntegers = new Set(["web_font_size_px", "web_line_height_percent"]);

export const defaultsRoutes = [
  on(updateDefaults, { who: "administrator", decode }, (call, settings) => {
    const args: { [name: string]: boolean | number | string | undefined } = settings;
    const { defaults } = call.state.organization;
    const { notification_sound } = args;
    if (notification_sound !== undefined && !["none", ...notificationSounds].includes(String(notification_sound))) {
      throw badRequest(`Invalid notification sound '${notification_sound}'`);
    }
    const seconds = Number(args.email_notifications_batching_period_seconds ?? 1);
    if (seconds < 1 || seconds > week) throw badRequest(`Invalid email batching period: ${seconds} seconds`);
    for (const name of Object.keys(personalSettings)) {
      const value = args[name];
      if (value === undefined || defaults[name] === value) continue;
      // The database stores these in two bytes.
      if (smallIntegers.has(name) && (Number(value) < 0 || Number(value) > 32_767)) throw new InternalError();
      defaults[name] = value;
      sendToAll(call, { type: "realm_user_settings_defaults", op: "update", property: name, value });
    }
  }),
];
