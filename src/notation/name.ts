/** Names that people give to things. */
import { nfc } from "../common/folding.ts";
import { Usage } from "../errors.ts";
import { hazards } from "../output/sanitize.ts";
import { trimmed } from "./blanks.ts";
import { mentionedChannel, mentionedGroup } from "./pasted-mentions.ts";

/** Emoji of several parts, and scripts such as Persian, need joiners. A function, as making it takes 0.3 ms. */
const allowedJoiner = () =>
  /(?<=\p{Extended_Pictographic}\u{fe0f}?|\p{Emoji_Modifier}|(?!\p{Script=Latin}|\p{Script=Greek}|\p{Script=Cyrillic})\p{Letter}\p{Mark}*)(?:\u{200c}|\u{200d})/gu;

/** Returns what is wrong with a new name. Existing names may contain anything. */
export function nameProblem(name: string): string | undefined {
  const at = name.replace(allowedJoiner(), "x").search(hazards());
  if (at < 0) return undefined;
  const code = (name.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const position = [...name.slice(0, at)].length + 1;
  return `invalid name "${name}": control or invisible character U+${code} at position ${position}`;
}

/** Reads a new name in NFC, without the blanks around it. Throws `Usage` if it is empty or has invisible characters. */
export function readNewName(typed: string, flag: string): string {
  const name = nfc(trimmed(typed));
  if (!name) throw new Usage(`${flag} is empty`);
  const problem = nameProblem(name);
  if (problem) throw new Usage(`${flag}: ${problem}`);
  return name;
}

/**
 * Reads a new name that may begin with the sign of its kind: `#design` is `design`, and `name:#design` has the sign in its
 * name. Throws `Usage` like `readNewName`.
 */
function readSignedName(typed: string, sign: "#" | "@", flag: string): string {
  const text = trimmed(typed);
  const mentioned = sign === "#" ? mentionedChannel(text, flag) : mentionedGroup(text);
  if (mentioned) return readNewName(mentioned.name, flag);
  if (text.startsWith(sign)) return readNewName(text.slice(1), flag);
  const [, named] = /^name:(.*)$/s.exec(text) ?? [];
  return readNewName(named !== undefined && trimmed(named).startsWith(sign) ? named : text, flag);
}

/** Reads the name of a new channel, which may begin with `#`. */
export const readChannelName = (typed: string, flag: string): string => readSignedName(typed, "#", flag);

/** Reads the name of a new group, which may begin with `@`. */
export const readGroupName = (typed: string, flag: string): string => readSignedName(typed, "@", flag);

/** Writes a name so that it is not read as an id, flag, file or keyword. */
const ambiguous = /^(\d+$|id:|name:|user:|group:|[#@{-]|me$|nobody$)/;

export const unambiguousName = (name: string): string => (ambiguous.test(name) ? `name:${name}` : name);

/** Returns whether a name is one of a secret: `password`, `api_key`, `bot_token`. */
export const isSecretName = (name: string): boolean =>
  /passw(?:or)?d|passphrase|secret|token|credential|api[_-]?key|(?:^|[\s_-])key$/i.test(name);
