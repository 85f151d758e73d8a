/** Makes text of servers, files and people safe for a terminal. */

/**
 * Characters that move the cursor, or reorder or hide text: C0, DEL and C1, bidirectional controls, invisible characters,
 * line and paragraph separators, tag characters, lone surrogates. Variation selectors are allowed, because emoji and Han
 * names need them. Visible format characters of Arabic, Syriac and Kaithi are allowed too.
 */
const hazard = (): RegExp =>
  /(?![\uFE00-\uFE0F\u{E0100}-\u{E01EF}\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

let everywhere: RegExp | undefined;
/** Matches all of them. Compiling it takes half a millisecond, and Latin text does not need it. */
export function hazards(): RegExp {
  everywhere ??= new RegExp(hazard(), "gu");
  return everywhere;
}

/** The hazards without joiners, which scripts and emoji need. */
const threats =
  /[\0-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu;

// An unclosed string loses only its beginning, so that a name cannot remove the rest of its cell.
const sequences =
  /(?:\x1B[\]PX^_]|[\x9D\x90\x98\x9E\x9F])[^\x07\x1B\x80-\x9F]*(?:\x07|\x1B\\|\x9C)|(?:\x1B\[|\x9B)[0-?]*[ -/]*[@-~]|\x1B[ -/]*[0-~]/g;

const lone = /\p{Cs}/gu;
/** Matches a text without anything unsafe, whose characters all have the width of one column. */
export const latin = /^[\x20-\x7E\xA0-\xAC\xAE-\u02FF]*$/;

const withoutSequences = (text: string): string => (/[\x1B\x80-\x9F]/.test(text) ? text.replace(sequences, "") : text);

/**
 * Returns one line. Escape sequences and hazards are removed, white space controls and line separators become a space,
 * and lone surrogates become U+FFFD.
 */
export const sanitizeLine = (text: string): string =>
  latin.test(text)
    ? text
    : withoutSequences(text)
        .replace(lone, "\uFFFD")
        .replace(/\r\n|[\t-\r\x85\u2028\u2029]/g, " ")
        .replace(hazards(), "");

/** Like `sanitizeLine` for several lines. `\r\n` becomes `\n`. */
export const sanitizeLines = (text: string): string =>
  latin.test(text) ? text : withoutSequences(text).split(/\r?\n/).map(sanitizeLine).join("\n");

/** For programs in a pipe: keeps tabs, joiners and line ends as `\n`, and removes what could control a terminal. */
export const sanitizeText = (text: string): string =>
  latin.test(text) ? text : withoutSequences(text).replace(lone, "\uFFFD").replace(/\r\n?/g, "\n").replace(threats, "");

const unit = (code: number): string => `\\u${code.toString(16).padStart(4, "0")}`;

/** Escapes hazards in JSON text. White space between tokens stays. */
export const escaped = (json: string): string =>
  /[^\n\x20-\x7E\xA0-\xAC\xAE-\u02FF]/.test(json)
    ? json.replace(hazards(), (found) =>
        found === "\n" ? found : [...Array(found.length).keys()].map((at) => unit(found.charCodeAt(at))).join(""),
      )
    : json;

/** Returns whether a text has hazards. Line ends are allowed. */
export const hasHazards = (text: string): boolean => hazard().test(text.replaceAll("\n", ""));

/** Formats a value as JSON with escaped hazards, by default on one line. */
export const jsonText = (value: unknown, indent = 0): string =>
  escaped(JSON.stringify(value, undefined, indent) ?? "null");
