/** How older servers said the same things. */
import { ApiError } from "./api-error.ts";

/** Codes that every error has only since level 76. */
const later = new Set([
  "BAD_REQUEST",
  "UNAUTHORIZED",
  "AUTHENTICATION_FAILED",
  "USER_DEACTIVATED",
  "REALM_DEACTIVATED",
  "PASSWORD_AUTH_DISABLED",
  "PASSWORD_RESET_REQUIRED",
]);
const once403 = new Set([...later].filter((code) => code !== "BAD_REQUEST" && code !== "UNAUTHORIZED"));
const deactivated = /deactivated$/;

/** Channels were streams; what stands in quotation marks is somebody's own name. */
const asStreams = (msg: string): string =>
  msg
    .split(/('[^']*')/)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replaceAll("channel", "stream").replaceAll("Channel", "Stream"),
    )
    .join("");

/** The refusal as a server of this level words it; `code` is left out where it had none. */
export function asOf(level: number, error: ApiError): { error: ApiError; code: boolean } {
  const coded = level >= 76 || !(later.has(error.code) || (level < 36 && error.code === "RATE_LIMIT_HIT"));
  if (level >= 255) return { error, code: coded };
  const gone = error.status === 401 && (once403.has(error.code) || deactivated.test(error.msg));
  const status = level < 76 && gone ? 403 : error.status;
  // What is said about narrows quotes them without quotation marks, and is worded by level where it is said.
  const msg = error.code === "BAD_NARROW" ? error.msg : asStreams(error.msg);
  return { error: new ApiError(status, error.code, msg, error.fields, error.headers), code: coded };
}
