/** Rules for names, as Python applies them. */
import { strip } from "../folding.ts";
import { refused } from "./api-error.ts";

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

/** What the server's framework takes for a URL of the web or of a file server. */
export const isUrl = (text: string): boolean =>
  /^(?:https?|ftps?):\/\/(?:[^\s:@/]+(?::[^\s:@/]*)?@)?(?:\[[0-9a-f:.]+\]|localhost|\d{1,3}(?:\.\d{1,3}){3}|(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+(?:[\p{L}-]{2,63}|xn--[a-z0-9-]{1,59})\.?)(?::\d{1,5})?(?:[/?#]\S*)?$/iu.test(
    text,
  );

/** The name of an account, without the blanks around it. */
export function checkFullName(
  given: string,
  { level, taken }: { level: number; taken: ((name: string) => boolean) | undefined },
): string {
  const name = strip(given);
  if (lengthOf(name) > 100) throw refused("Name too long!");
  if (level >= 442 && name === "") throw refused("Name must not be empty!");
  if (level < 442 && lengthOf(name) < 2) throw refused("Name too short!");
  if (/[*`\\>"@]/.test(name) || unprintableAt(name) !== undefined) throw refused("Invalid characters in name!");
  // Mentions end like this where several people have one name.
  if (/\|\d+$/.test(name)) throw refused("Invalid format!");
  if (taken?.(name)) throw refused("Unique names required in this organization.");
  return name;
}
