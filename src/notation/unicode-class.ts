/** The names that may stand in `\p{…}`. */
import { RE2JS } from "re2js";

/** Classes that Go's tables have and RE2's have not. */
const engineOnly = new Set(
  `Cn LC Lc Ascii Assigned ASCII_Hex_Digit Alphabetic Dash Emoji Emoji_Component Emoji_Modifier Emoji_Modifier_Base
   Emoji_Presentation Extended_Pictographic Hex_Digit Lowercase Math Quotation_Mark Terminal_Punctuation Uppercase
   White_Space`.split(/\s+/),
);

const compiles = (source: string): boolean => {
  try {
    return Boolean(RE2JS.compile(source));
  } catch {
    return false;
  }
};

/** Whether RE2 knows the name of a script or of a general category. */
export const isUnicodeClass = (name: string): boolean =>
  /^\w+$/.test(name) && !engineOnly.has(name) && compiles(`\\p{${name}}`);
