/** Makes safe file names of names from a server. */
import { sanitizeLine } from "../output/sanitize.ts";

/** In bytes, as most file systems count. */
const maxBytes = 255;

/** Devices of Windows, with any ending. */
const devices = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i;

const bytes = (text: string): number => new TextEncoder().encode(text).length;

/** Cuts a name that is too long, keeping its ending. */
function cut(name: string): string {
  if (bytes(name) <= maxBytes) return name;
  const [, ending = ""] = /(\.[^.]{1,16})$/.exec(name) ?? [];
  let start = "";
  for (const character of name.slice(0, name.length - ending.length)) {
    if (bytes(start + character + ending) > maxBytes) break;
    start += character;
  }
  return start + ending;
}

/**
 * Returns the last part of a path. `_` replaces characters that hide the file, or make it a flag or a device. `fallback`:
 * the name if nothing is left.
 */
export function fileName(path: string, fallback: string): string {
  const last = path.split(/[/\\]/).filter(Boolean).at(-1) ?? "";
  const plain = sanitizeLine(last)
    .normalize("NFC")
    .trim()
    .replace(/[<>:"|?*]/g, "_")
    .replace(/[. ]+$/, "");
  if (!plain) return fallback;
  const name = plain.replace(/^\.+/, (dots) => "_".repeat(dots.length)).replace(/^-/, "_");
  return cut(devices.test(name) ? `_${name}` : name);
}
