/** Rules for names, as Python applies them. */
import { refused } from "./api-error.ts";

const space = "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+";
const around = new RegExp(`^${space}|${space}$`, "g");
const onTheRight = new RegExp(`${space}$`);

/** Python's `strip`, whose white space differs from that of `trim` in a few characters. */
export const strip = (text: string): string => text.replace(around, "");
export const stripRight = (text: string): string => text.replace(onTheRight, "");

/** Unicode characters, not UTF-16 units. */
export const lengthOf = (text: string): number => [...text].length;

/** Control characters and noncharacters; zero-width ones pass. */
const unprintable = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u;

/** The place of the first unprintable character, counted from 1; undefined where there is none. */
export function unprintableAt(text: string): number | undefined {
  const index = [...text].findIndex((character) => unprintable.test(character));
  return index < 0 ? undefined : index + 1;
}

/** Checks a channel's name that is stripped already. */
export function checkChannelName(name: string): void {
  if (name === "") throw refused("Channel name can't be empty.");
  if (lengthOf(name) > 60) throw refused("Channel name too long (limit: 60 characters).");
  const at = unprintableAt(name);
  if (at !== undefined) throw refused(`Invalid character in channel name, at position ${at}.`);
}
