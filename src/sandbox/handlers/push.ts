import { addApnsToken } from "../../api/push.ts";
import type { Decoder } from "../decode.ts";
import { refused } from "../fault.ts";
import { on } from "../router.ts";

const appid: Decoder<string> = (text, name) => {
  if (!/^[a-zA-Z0-9.-]+$/.test(text)) throw refused(`${name} has invalid format`);
  return text;
};

/** Python's lenient base64: characters outside the alphabet are skipped, then the padding must be right. */
function isBase64(token: string): boolean {
  const digits = token.replace(/[^A-Za-z0-9+/=]/g, "");
  return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?/.exec(digits)![0] === digits;
}
const isHexadecimal = (token: string): boolean => token.length % 2 === 0 && /^[0-9a-fA-F]*$/.test(token);

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
      if (token === "" || token.length > 4096) throw refused("Empty or invalid length token");
      // The level at which hexadecimal became the rule is not known; 371 wants base64.
      if (!(level > 371 ? isHexadecimal(token) : isBase64(token))) throw refused("Invalid APNS token");
      caller.push_tokens.add(token);
      return {};
    },
  ),
];
