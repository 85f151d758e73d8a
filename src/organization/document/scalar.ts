/** What the texts of YAML mean that stand without quotes, and where values would stand that are not there. */
import { boolCoreTag, floatCoreTag, intCoreTag, NOT_RESOLVED, nullCoreTag } from "js-yaml";

const tags = [nullCoreTag, boolCoreTag, intCoreTag, floatCoreTag];

/** How one begins that may be something else than text. */
const special = /^(?:[-+.\d~nNtTfF]|$)/;

export function plain(text: string): unknown {
  if (!special.test(text)) return text;
  for (const tag of tags) {
    const value: unknown = tag.resolve(text, false, tag.tagName);
    // No file means another nought by -0.
    if (value !== NOT_RESOLVED) return value === 0 ? 0 : value;
  }
  return text;
}

/** The first mark of a list's entry from here on, past comments. */
export function dash(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x2d) return at;
    if (code !== 0x23) continue;
    const end = text.indexOf("\n", at);
    if (end < 0) break;
    at = end;
  }
  return from;
}
