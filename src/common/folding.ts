/** Compares names like servers do: with Python's `str.strip` and PostgreSQL's `UPPER`. */

/** White space in Python. JavaScript's differs in U+001C … U+001F, U+0085 and U+FEFF. */
const space = "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+";
const outerSpace = new RegExp(`^${space}|${space}$`, "g");
const trailingSpace = new RegExp(`${space}$`);

export const strip = (text: string): string => text.replace(outerSpace, "");
export const stripRight = (text: string): string => text.replace(trailingSpace, "");

/** PostgreSQL maps each character to one: `ß` stays, and Greek letters with iota have their own capitals. */
function upperOf(character: string): string {
  const upper = character.toUpperCase();
  if ([...upper].length === 1) return upper;
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0x1f80 && code < 0x1fb0) return String.fromCodePoint(code | 8);
  return "ᾳῃῳ".includes(character) ? String.fromCodePoint(code + 9) : character;
}

/** Returns whether a text is empty or looks empty: white space of every script, and characters that nobody sees. */
export const isBlank = (text: string): boolean =>
  /^[\s\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text);

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

export const upper = (text: string): string =>
  isAscii(text) ? text.toUpperCase() : Array.from(text, upperOf).join("");

/** Returns the same for all names of one channel. */
export const foldChannelName = (name: string): string => upper(strip(name));

/**
 * Returns the same for names that two folders in use cannot have. A server first compares the upper case ("already in
 * use"). Then its index compares the lower case (500): the Kelvin sign becomes `k`, and `ẞ` becomes `ß`.
 */
export const foldFolderName = (name: string): string =>
  isAscii(name) ? upper(name) : Array.from(upper(name), (each) => upperOf([...each.toLowerCase()][0] ?? each)).join("");

/** Returns the text in the form in which names are compared and sent: an accent is part of its letter. */
export const nfc = (text: string): string => (isAscii(text) ? text : text.normalize("NFC"));

const lowered = (text: string): string => nfc(text).toLowerCase();

/** Returns whether a text contains another, whatever the case and the spelling of accents. */
export const containsText = (text: string, part: string): boolean => lowered(text).includes(lowered(part));

/** Returns whether two texts differ in case and in the spelling of accents at most. */
export const isSameText = (one: string, other: string): boolean => lowered(one) === lowered(other);
