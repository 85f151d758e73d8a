import {
  addApnsToken,
  addFcmToken,
  registerDevice,
  registerPushDevice,
  removeApnsToken,
  removeDevice,
  removeFcmToken,
  testEncryptedNotification,
  testNotification,
} from "../../api/push.ts";
import { ApiError, Broken, refused } from "../api-error.ts";
import type { Decoder } from "../decode.ts";
import { send } from "../events/queue.ts";
import { lengthOf } from "../names.ts";
import { type Call, on } from "../router.ts";
import { nextId } from "../state.ts";

const appid: Decoder<string> = (text, name) => {
  if (!/^[a-zA-Z0-9.-]+$/.test(text)) throw refused(`${name} has invalid format`);
  return text;
};

/** Python's lenient base64: other characters of ASCII are skipped, and what follows whole padding is not read. */
function isBase64(token: string): boolean {
  if (/[^\x00-\x7f]/.test(token)) return false;
  let digits = 0;
  let padding = 0;
  for (const character of token) {
    if (character === "=") {
      padding += 1;
      if (digits % 4 >= 2 && (digits % 4) + padding >= 4) return true;
    } else if (/[A-Za-z0-9+/]/.test(character)) {
      digits += 1;
      padding = 0;
    }
  }
  return digits % 4 === 0;
}
const isHexadecimal = (token: string): boolean => token.length % 2 === 0 && /^[0-9a-fA-F]*$/.test(token);

function check(token: string): void {
  if (token === "" || lengthOf(token) > 4096) throw refused("Empty or invalid length token");
}

function checkApns(token: string, level: number): void {
  check(token);
  // The level at which hexadecimal became the rule is not known; 371 wants base64.
  if (!(level > 371 ? isHexadecimal(token) : isBase64(token))) throw refused("Invalid APNS token");
}

/** A token that is not the caller's, or not of that kind, is none. */
function forget({ caller }: Call, token: string): object {
  check(token);
  if (!caller.push_tokens.delete(token)) throw refused("Token does not exist");
  return {};
}

/** Tokens of Android are kept apart from those of iOS. */
const android = (token: string): string => `fcm ${token}`;

export const pushRoutes = [
  on(
    addApnsToken,
    {
      who: "human",
      order: (level) => (level > 371 ? ["appid", "token"] : ["token", "appid"]),
      decode: { appid },
      optional: (name, level) => name === "appid" && level < 223,
    },
    ({ caller, level }, { token }) => {
      checkApns(token, level);
      // The database refuses NUL, which nothing catches.
      if (token.includes("\0")) throw new Broken();
      caller.push_tokens.add(token);
      return {};
    },
  ),

  on(removeApnsToken, { who: "human" }, (call, { token }) => {
    checkApns(token, call.level);
    return forget(call, token);
  }),

  on(addFcmToken, { who: "human" }, ({ caller }, { token }) => {
    check(token);
    if (token.includes("\0")) throw new Broken();
    caller.push_tokens.add(android(token));
    return {};
  }),

  on(removeFcmToken, { who: "human" }, (call, { token }) => {
    check(token);
    return forget(call, android(token));
  }),

  on(testNotification, { who: "human" }, ({ caller }, { token }) => {
    const unknown = token !== undefined && !caller.push_tokens.has(token) && !caller.push_tokens.has(android(token));
    if (unknown) throw new ApiError(400, "INVALID_PUSH_DEVICE_TOKEN", "Device not recognized");
    // No push service is set up behind the sandbox, and a server without one still says that it has tried.
    return {};
  }),

  // Real servers encrypt for a push service, and the sandbox has none: it answers as a server that has none set up.
  on(
    registerPushDevice,
    { who: "human", required: (name, level) => (level < 468 ? name !== "device_id" : name === "device_id") },
    () => {
      throw new ApiError(
        400,
        "PUSH_SERVICE_NOT_CONFIGURED",
        "Server is not configured to use push notification service.",
      );
    },
  ),

  on(registerDevice, { silent: true }, (call) => {
    const { state, caller } = call;
    const device_id = nextId(state, "device");
    caller.devices.add(device_id);
    send(call, { type: "device", op: "add", device_id }, [caller]);
    return { device_id };
  }),

  on(removeDevice, {}, (call, { device_id }) => {
    if (!call.caller.devices.delete(device_id)) throw refused("Invalid `device_id`");
    send(call, { type: "device", op: "remove", device_id }, [call.caller]);
    return {};
  }),

  on(testEncryptedNotification, { who: "human" }, () => {
    throw new ApiError(400, "NO_ACTIVE_PUSH_DEVICE", "No active registered push device");
  }),
];
