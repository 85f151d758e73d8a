import { addApnsToken, removeApnsToken } from "../../api/push.ts";
import { Broken, refused } from "../answers.ts";
import type { Decoder } from "../decode.ts";
import { on } from "../router.ts";
import { lengthOf } from "../text.ts";

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

function checkApns(token: string, level: number): void {
  if (token === "" || lengthOf(token) > 4096) throw refused("Empty or invalid length token");
  // The level at which hexadecimal became the rule is not known; 371 wants base64.
  if (!(level > 371 ? isHexadecimal(token) : isBase64(token))) throw refused("Invalid APNS token");
}

export const pushRoutes = [
  on(
    addApnsToken,
    {
      who: "human",
      order: (level) => (level > 371 ? ["appid", "token"] : ["token", "appid"]),
      decode: { appid },
    },
    ({ caller, level }, { token }) => {
      checkApns(token, level);
      // The database refuses NUL, which nothing catches.
      if (token.includes("\0")) throw new Broken();
      caller.push_tokens.add(token);
      return {};
    },
  ),

  on(removeApnsToken, { who: "human" }, ({ caller, level }, { token }) => {
    checkApns(token, level);
    // A token that is not the caller's is none.
    if (!caller.push_tokens.delete(token)) throw refused("Token does not exist");
    return {};
  }),
];
