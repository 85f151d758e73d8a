/** Text of a server, a file or a person made fit for a terminal. */

/**
 * What moves a cursor, reorders or hides text: C0, DEL and C1, bidirectional controls, zero-width and other invisible
 * characters, line and paragraph separators, tag characters, lone surrogates. Variation selectors stay, because emoji
 * and Han names need them, and so do the Arabic, Syriac and Kaithi signs that are format characters and yet visible.
 */
const hazard = (): RegExp =>
  /(?![\uFE00-\uFE0F\u{E0100}-\u{E01EF}\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

let everywhere: RegExp | undefined;
/** Each of them in a text. V8 takes half a millisecond to read it, and Latin text never wants it. */
export function hazards(): RegExp {
  everywhere ??= new RegExp(hazard(), "gu");
  return everywhere;
}

/** The part of `hazard` that no honest text holds: what is left are joiners, which scripts and emoji need. */
const threats =
  /[\0-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu;

// A string that is opened and not closed loses its opening alone, so that a name cannot swallow the rest of its cell.
const sequences =
  /(?:\x1B[\]PX^_]|[\x9D\x90\x98\x9E\x9F])[^\x07\x1B\x80-\x9F]*(?:\x07|\x1B\\|\x9C)|(?:\x1B\[|\x9B)[0-?]*[ -/]*[@-~]|\x1B[ -/]*[0-~]/g;

const lone = /\p{Cs}/gu;
/** Latin text, which needs no closer look. */
const plain = /^[\x20-\x7E\xA0-\xAC\xAE-\u02FF]*$/;

const withoutSequences = (text: string): string => (/[\x1B\x80-\x9F]/.test(text) ? text.replace(sequences, "") : text);

/**
 * One line: escape sequences go whole, white space controls and line separators become a space, every other hazard is
 * taken out, and a lone surrogate becomes U+FFFD.
 */
export const sanitizeLine = (text: string): string =>
  plain.test(text)
    ? text
    : withoutSequences(text)
        .replace(lone, "\uFFFD")
        .replace(/\r\n|[\t-\r\x85\u2028\u2029]/g, " ")
        .replace(hazards(), "");

/** Several lines: keeps `\n` (and makes `\r\n` one), otherwise like `sanitizeLine`. */
export const sanitizeLines = (text: string): string =>
  plain.test(text) ? text : withoutSequences(text).split(/\r?\n/).map(sanitizeLine).join("\n");

/** For programs that read text through a pipe: keeps tabs, joiners and line ends (as `\n`), loses what could drive a terminal behind it. */
export const sanitizeText = (text: string): string =>
  plain.test(text) ? text : withoutSequences(text).replace(lone, "\uFFFD").replace(/\r\n?/g, "\n").replace(threats, "");

const unit = (code: number): string => `\\u${code.toString(16).padStart(4, "0")}`;

/** JSON text, in which every hazard stands escaped. White space between the tokens stays. */
export const escaped = (json: string): string =>
  /[^\n\x20-\x7E\xA0-\xAC\xAE-\u02FF]/.test(json)
    ? json.replace(hazards(), (found) =>
        found === "\n" ? found : [...Array(found.length).keys()].map((at) => unit(found.charCodeAt(at))).join(""),
      )
    : json;

/** Whether a terminal would be driven or deceived by it; line ends are allowed. */
export const hazardous = (text: string): boolean => hazard().test(text.replaceAll("\n", ""));

/** `indent` 0 gives one line. Control, bidirectional and invisible characters stand as `\uXXXX`. */
export const jsonText = (value: unknown, indent = 0): string =>
  escaped(JSON.stringify(value, undefined, indent) ?? "null");
