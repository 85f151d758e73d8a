/**
 * How PostgreSQL's default parser cuts a text into tokens, HTML included. Its machine tries the longer kinds first:
 * a host before a file, a file before a word.
 */

/** `english` tokens are stemmed, `simple` ones only lowered; the rest is not searched. */
export type Dictionary = "english" | "simple";

export interface Token {
  text: string;
  start: number;
  dictionary: Dictionary | undefined;
  /** Parts of it follow as tokens of their own: a word with hyphens, a URL. */
  whole?: true;
}

const name = "[\\p{L}\\d:_.-]*";
const quoted = `'(?:\\\\[\\s\\S]|[^'\\\\])*'|"(?:\\\\[\\s\\S]|[^"\\\\])*"`;
const attributes = `(?:[\\w=#/:.&?%~\\s-]|${quoted})*`;
const tag = new RegExp(
  `<(?:(?:/[A-Za-z]|[A-Za-z:_])${name}(?:/?>|\\s${attributes}>)|![Dd]${attributes}>|\\?x${attributes}>|!--[\\s\\S]*?-->)`,
  "uy",
);
const entity = /&(?:#\d+|#[xX][\dA-Fa-f]+|[A-Za-z:_][\p{L}\d:_.-]*);/uy;
const signed = /[-+](?!\d+\.\d+\.\d)\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/y;

const label = "[A-Za-z\\d]+(?:[-_][A-Za-z\\d]+)*";
const host = `(?:${label}\\.)+[A-Za-z]{2,}(?![A-Za-z\\d])(?::\\d+)?`;
const hostOnly = new RegExp(host, "y");
const urlOnly = new RegExp(`${host}/[!#-;=?-[\\]_a-z~]+`, "y");
const email = new RegExp(`(?:(?:${label}\\.)*${label}|(?=[\\p{L}\\p{M}]*\\d)[\\p{L}\\p{M}\\d]+)@${host}`, "uy");
const protocol = /[A-Za-z]+:\/\//y;

/** What may follow the slash of a path. */
const step = "(?:[A-Za-z\\d_]|~[A-Za-z\\d_/]|\\.[A-Za-z\\d_]|\\.{1,2}/)";
const path = `(?:[A-Za-z\\d_-]|\\.(?=[A-Za-z\\d_])|/(?=${step})(?:\\.{1,2}|~)?)*`;
const rooted = new RegExp(`(?:~(?=[A-Za-z\\d_])|(?:~|\\.{1,2})?(?=/${step}))${path}|\\.\\.(?=\\s|$)`, "y");
const afterWord = new RegExp(`(?:\\.(?=[A-Za-z\\d_])|(?=/${step}))${path}`, "y");
const afterNumber = new RegExp(`(?=/${step})${path}`, "y");

const scientific = /\d+[eE][-+]?\d+/y;
const number = /\d+\.\d+[eE][-+]?\d+|\d+(?:\.\d+)*/y;
const letter = "[\\p{L}\\p{M}]";
const letters = new RegExp(letter, "uy");
const alnum = "[\\p{L}\\p{M}\\d]";
const compound = new RegExp(`${alnum}+(?:-(?:${letter}${alnum}*|\\d+${letter}${alnum}*))+`, "uy");
const word = new RegExp(`${alnum}+`, "uy");
const hyphen = new RegExp(`-(?=${alnum})`, "uy");
const blank = /[^<\-+&/\p{L}\p{M}\d]+/uy;

const stick = (pattern: RegExp, text: string, at: number): string | undefined => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
};

const kind = (text: string): Dictionary => (/\d/.test(text) ? "simple" : "english");

function* compoundParts(text: string, start: number): Generator<Token> {
  yield { text, start, dictionary: kind(text), whole: true };
  let at = start;
  for (const part of text.split("-")) {
    yield { text: part, start: at, dictionary: kind(part) };
    at += part.length + 1;
  }
}

function* address(text: string, at: number): Generator<Token> {
  const url = stick(urlOnly, text, at);
  const found = stick(hostOnly, text, at)!;
  if (url) yield { text: url, start: at, dictionary: "simple", whole: true };
  yield { text: found, start: at, dictionary: "simple" };
  if (url) yield { text: url.slice(found.length), start: at + found.length, dictionary: "simple" };
}

/** What begins at a letter, a digit, or one of the signs that begin something. */
function* begun(text: string, at: number): Generator<Token> {
  const one = (found: string | undefined, dictionary?: Dictionary): Token[] =>
    found ? [{ text: found, start: at, dictionary }] : [];
  const first = text.charAt(at);
  if (first === "<") return yield* one(stick(tag, text, at));
  if (first === "&") return yield* one(stick(entity, text, at));
  if (first === "-" || first === "+") return yield* one(stick(signed, text, at), "simple");
  if (/[^\p{L}\p{M}\d]/u.test(String.fromCodePoint(text.codePointAt(at)!)))
    return yield* one(stick(rooted, text, at), "simple");
  const power = stick(scientific, text, at);
  if (power) return yield* one(power, "simple");
  const mail = stick(email, text, at);
  if (mail) return yield* one(mail, "simple");
  if (stick(hostOnly, text, at)) return yield* address(text, at);
  const scheme = stick(protocol, text, at);
  if (scheme) return yield* one(scheme);
  const plain = stick(word, text, at)!;
  // A word of other letters begins no path, unless digits are in it.
  const rest = /^\d+$/.test(plain) ? afterNumber : /^[A-Za-z]+$|\d/.test(plain) ? afterWord : undefined;
  const beyond = rest && stick(rest, text, at + plain.length);
  if (beyond) return yield* one(plain + beyond, "simple");
  const numeral = /\d/.test(first) ? stick(number, text, at) : undefined;
  // Only a whole number goes on into a word.
  if (numeral && (/\D/.test(numeral) || !stick(letters, text, at + numeral.length)))
    return yield* one(numeral, "simple");
  const compounded = stick(compound, text, at);
  if (compounded && !/^\d+-/.test(compounded)) return yield* compoundParts(compounded, at);
  return yield* one(plain, kind(plain));
}

/** In order; what stands between them is nothing to search for. */
export function* tokens(text: string): Generator<Token> {
  for (let at = 0; at < text.length; ) {
    let end = at;
    let parts = false;
    for (const token of begun(text, at)) {
      yield token;
      end = Math.max(end, token.start + token.text.length);
      parts ||= token.whole === true;
    }
    // A hyphen after a word with hyphens is no sign of a number.
    if (parts && stick(hyphen, text, end)) end += 1;
    if (end === at) {
      // A sign that begins nothing is passed over, with the blanks after it.
      end += String.fromCodePoint(text.codePointAt(at)!).length;
      end += stick(blank, text, end)?.length ?? 0;
    }
    at = end;
  }
}
