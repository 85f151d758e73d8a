/** How the parameters that change the organization's settings are read. */
import { type OrganizationSetting as Names, organizationSettings, type Setting } from "../api/settings.ts";
import { refused } from "./api-error.ts";
import { aBoolean, anInteger, aString, atMost, type Check, type Decoder, fromJson, natural } from "./decode.ts";
import { namedSettingUpdate } from "./group-setting.ts";
import { isObject } from "./json.ts";
import { isUrl } from "./names.ts";

export const kindOf = (name: Names): Setting => organizationSettings[name];
export const settingNames = Object.keys(organizationSettings) as Names[];

const limitWord: Decoder = fromJson((value, path) =>
  typeof value === "string" ? value : anInteger(value, `${path}["int"]`),
);
const retentionWord: Decoder = fromJson(
  (value, path) =>
    typeof value === "number" || typeof value === "bigint" ? value : aString(value, `${path}["json[str]"]`),
  (name) => name,
);
const oneOf =
  (values: readonly (number | string)[]): Check<number> =>
  (value, path) => {
    if (!values.includes(value as number)) throw refused(`Invalid ${path}`);
    return value as number;
  };
/** A URL in quotes, or the word for the server's own. */
const meetingServer: Decoder = fromJson((value, path) => {
  if (typeof value !== "string" || (value !== "default" && (!isUrl(value) || value.length > 200))) {
    throw refused(`${path} is not an allowed_type`);
  }
  return value;
});
const methods: Decoder = fromJson((value, path) => {
  if (!isObject(value)) throw refused(`${path} is not a dict`);
  return value;
});

const own: { [N in Names]?: Decoder } = {
  name: atMost(40),
  description: atMost(1000),
  welcome_message_custom_text: atMost(8000),
  message_retention_days: retentionWord,
  waiting_period_threshold: fromJson(natural),
  authentication_methods: methods,
  jitsi_server_url: meetingServer,
  // Which of these there are is asked later, and said in other words.
  video_chat_provider: fromJson(anInteger),
  giphy_rating: fromJson(anInteger),
};

const byKind = (name: Names): Decoder => {
  const { kind, plain, values } = kindOf(name);
  if (kind === "group") return namedSettingUpdate;
  if (kind === "limit") return limitWord;
  if (kind === "boolean") return fromJson(aBoolean);
  if (kind === "choice" && !plain) return fromJson(oneOf(values!));
  if (kind === "choice") {
    return (text, sent) => {
      if (!values!.includes(text)) throw refused(`Invalid ${sent}`);
      return text;
    };
  }
  return plain ? (text) => text : fromJson(anInteger);
};

export const decode = Object.fromEntries(settingNames.map((name) => [name, own[name] ?? byKind(name)]));
