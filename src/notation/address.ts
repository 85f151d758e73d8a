/** E-mail addresses: alone, or after a name, as mail programs copy them. */
import { Usage } from "../errors.ts";
import { checkVisible, invisiblePart, trimmed } from "./blanks.ts";
import { readId } from "./id.ts";

/** A name in quotes, an address in its place, or a name that is not two things of a list. */
const afterName = /^(?:"[^"<>]*"\s*|[^\s<>@,;"]+@[^\s<>@,;"]+\s*|(?!\d+\s*,)[^<>@;"]*)<\s*([^\s<>@]+@[^\s<>@]+)\s*>$/;

/** A link of a page or of a spreadsheet. */
const ofLink = /^mailto:(?=[^\s,;<>]+@[^\s,;<>]+$)/i;

/** Returns the address of `Ada Lovelace <ada@example.com>` or of `mailto:ada@example.com`, and another text as it is. */
export function withoutName(text: string): string {
  const typed = trimmed(text);
  return afterName.exec(typed)?.[1] ?? (ofLink.test(typed) ? typed.replace(ofLink, "") : text);
}

/** Returns whether a text can be an address. Brackets, quotes and separators belong to JSON or to a list. */
export const isAddress = (text: string): boolean =>
  /^[^\s@<>()[\],;:"\\]+@[^\s@<>()[\],;:"\\]+$/.test(text) && invisiblePart(text) === undefined;

/** Reads the address of somebody who may have no account, with or without a name. Throws `Usage` for another text. */
export function readAddress(typed: string, flag: string, hint?: string): string {
  const address = withoutName(trimmed(typed));
  if (!address) throw new Usage(`${flag} is empty`);
  checkVisible(address, flag);
  if (!isAddress(address)) throw new Usage(`${flag}: "${address}" is not an e-mail address`, { hint });
  return address;
}

/** Returns how many parts of a list are one `Lovelace, Ada <ada@example.com>`: 1 if the first one stands alone. */
export function partsOfAddress(parts: readonly string[]): number {
  const last = parts.findIndex((part) => part.includes("<"));
  const names = parts.slice(0, Math.max(last, 0)).map(trimmed);
  const areNames = names.every((part) => !/[@:]/.test(part) && readId(part) === undefined && !/^me$/i.test(part));
  return names.length && areNames && afterName.test(trimmed(parts.slice(0, last + 1).join(","))) ? last + 1 : 1;
}

/** Returns the addresses of a text, divided at commas and line breaks, with the names before them. */
export function divideAddresses(text: string): string[] {
  const parts = text.split(/[,\n]/);
  const divided: string[] = [];
  while (parts.length) divided.push(parts.splice(0, partsOfAddress(parts)).join(","));
  return divided.filter((each) => trimmed(each));
}
