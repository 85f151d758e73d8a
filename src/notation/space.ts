/** White space as the server's language has it, which differs from JavaScript's in U+001C … U+001F, U+0085 and U+FEFF. */
const space = "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+";
const surrounding = new RegExp(`^${space}|${space}$`, "gu");

/** Without the surrounding white space, as the server trims. */
export const trim = (text: string): string => text.replace(surrounding, "");
