/** Reads values of settings as people write them, at the command line and in organization files. */
import { nameOf } from "../common/object-members.ts";
import { minimumOf, newestSetting, noLimit, type Setting } from "../model/setting.ts";
import { convertSpan } from "./units.ts";

const booleans: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  false: false,
  no: false,
  off: false,
};

/** Returns the word of a fixed choice that is meant, in any case. */
export const wordIn = (text: string, all: readonly string[]): string | undefined =>
  all.find((word) => word === text.trim().toLowerCase());

/** Reads a number, or a span of time in the unit of `name`. Undefined if it is neither, or below `least`. */
export function readNumber(name: string, text: string, least: number): number | undefined {
  const digits = convertSpan(name, text.trim());
  return /^-?\d{1,15}$/.test(digits) && Number(digits) >= least ? Number(digits) : undefined;
}

/**
 * Reads a value that names nothing: `yes`, `10m`, `unlimited`, `Friday`, `4`. A word for a number stays a word. Undefined
 * if the setting cannot have it.
 */
export function readPlainValue(name: string, setting: Setting, text: string): unknown {
  const { kind, choices, choicesMembers, values = [], older, plain, unlimited } = setting;
  switch (kind) {
    case "boolean": {
      const word = text.trim().toLowerCase();
      return Object.hasOwn(booleans, word) ? booleans[word] : undefined;
    }
    case "limit":
      // As servers store it, and CSV shows it.
      if (text.trim() === String(unlimited)) return noLimit;
      return wordIn(text, [noLimit]) ?? readNumber(name, text, minimumOf(setting) ?? 0);
    case "number": {
      const number = readNumber(name, text, minimumOf(setting) ?? 0);
      return number !== undefined && number <= (setting.most ?? number) ? number : undefined;
    }
    case "choice": {
      if (choices && !plain && /^\d{1,9}$/.test(text.trim())) return Number(text);
      const words = choices ? Object.keys(choices) : values.map(String);
      const word = wordIn(text, [...words, ...Object.values(older?.words ?? {})]) ?? nameOf(choices ?? {}, text.trim());
      // A server that lists its words may have newer ones.
      if (word === undefined && choicesMembers && /^[a-z][a-z0-9_-]*$/.test(text.trim())) return text.trim();
      return word === undefined ? undefined : newestSetting({ [name]: setting }, name, word)[1];
    }
    default:
      return undefined;
  }
}
