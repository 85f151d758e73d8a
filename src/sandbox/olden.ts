/** How older servers said the same things. */
import { Fault } from "./fault.ts";

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
export function asOf(level: number, fault: Fault): { fault: Fault; code: boolean } {
  const coded = level >= 76 || !(later.has(fault.code) || (level < 36 && fault.code === "RATE_LIMIT_HIT"));
  if (level >= 255) return { fault, code: coded };
  const gone = fault.status === 401 && (once403.has(fault.code) || deactivated.test(fault.msg));
  const status = level < 76 && gone ? 403 : fault.status;
  // What is said about narrows quotes them without quotation marks, and is worded by level where it is said.
  const msg = fault.code === "BAD_NARROW" ? fault.msg : asStreams(fault.msg);
  return { fault: new Fault(status, fault.code, msg, fault.fields, fault.headers), code: coded };
}
