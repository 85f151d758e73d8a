/** A name for a file from one that a server tells, good on every file system and a surprise on none. */
import { sanitizeLine } from "../output/sanitize.ts";

/** Bytes, as most file systems count. */
const longest = 255;

/** Devices of Windows, whatever follows the first dot. */
const devices = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i;

const bytes = (text: string): number => new TextEncoder().encode(text).length;

/** Cuts a name that is too long, keeping its ending. */
function cut(name: string): string {
  if (bytes(name) <= longest) return name;
  const [, ending = ""] = /(\.[^.]{1,16})$/.exec(name) ?? [];
  let kept = "";
  for (const character of name.slice(0, name.length - ending.length)) {
    if (bytes(kept + character + ending) > longest) break;
    kept += character;
  }
  return kept + ending;
}

/**
 * The last part of the path that it may be, in which what could lead elsewhere, hide the file or be taken for a flag or
 * a device is replaced by `_`; `otherwise` where nothing is left.
 */
export function fileName(said: string, otherwise: string): string {
  const last = said.split(/[/\\]/).filter(Boolean).at(-1) ?? "";
  const plain = sanitizeLine(last)
    .normalize("NFC")
    .trim()
    .replace(/[<>:"|?*]/g, "_")
    .replace(/[. ]+$/, "");
  if (!plain) return otherwise;
  const name = plain.replace(/^\.+/, (dots) => "_".repeat(dots.length)).replace(/^-/, "_");
  return cut(devices.test(name) ? `_${name}` : name);
}
