/**
 * Regular expressions of linkifiers. Servers compile them with RE2 in C++, zulipctl with re2js, a port of RE2 in Go:
 * group names, `\C` and messages differ.
 */
import { RE2JS, RE2JSSyntaxException } from "re2js";

/** Its message follows `Bad regular expression: `. */
export class BadExpression extends Error {
  override readonly name = "BadExpression";
}

export interface Expression {
  /** The names of groups, each once, the leftmost first. */
  readonly groups: readonly string[];
  /** The pattern for re2js. */
  readonly source: string;
  /** The names of groups in `source`. */
  readonly aliases: ReadonlyMap<string, string>;
}

/** RE2's messages by re2js's messages. Others are about limits of re2js. */
const messages: Readonly<Record<string, string>> = {
  "invalid character class range": "invalid character class range",
  "invalid escape sequence": "invalid escape sequence",
  "invalid named capture": "invalid named capture group",
  "invalid nested repetition operator": "bad repetition operator",
  "invalid or unsupported Perl syntax": "invalid perl operator",
  "invalid repeat count": "invalid repetition size",
  "missing argument to repetition operator": "no argument for repetition operator",
  "missing closing )": "missing )",
  "missing closing ]": "missing ]",
  "trailing backslash at end of expression": "trailing \\",
  "unexpected )": "unexpected )",
};

/** Classes that re2js knows and RE2 does not. */
const unsupportedClass =
  /^\\[pP]\{\^?(?:Cn|LC|Lc|Ascii|Assigned|ASCII_Hex_Digit|Alphabetic|Dash|Emoji\w*|Extended_Pictographic|Hex_Digit|Lowercase|Math|Quotation_Mark|Terminal_Punctuation|Uppercase|White_Space)\}$/;

const captureName = /^[\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]+$/u;

/** Quoted text, character classes of Unicode, escapes, classes, and openings of named groups. */
const parts =
  /\\Q.*?(?:\\E|$)|\\[pP]\{[^}]*\}|\\.|\[\^?\]?(?:\[:.*?:\]|\\.|[^\]\\])*\]?|\(\?P?<(?![=!])(?<name>[^>]*)>/gsu;

/** Throws `BadExpression` if the server would not compile it. */
export function readExpression(text: string): Expression {
  const aliases = new Map<string, string>();
  const source = text.replace(parts, (part, name: string | undefined) => {
    if (part === "\\C") return "(?s:.)";
    if (unsupportedClass.test(part)) return part.replace("{", "{_");
    if (name === undefined || !captureName.test(name)) return part;
    // The leftmost of several groups with one name gets it.
    if (aliases.has(name)) return "(";
    const alias = `g${aliases.size}`;
    aliases.set(name, alias);
    return `(?P<${alias}>`;
  });
  try {
    RE2JS.compile(source);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    const { error: description, input } = error;
    const lookBehind = /^\(\?<[=!]/.exec(input ?? "")?.[0];
    if (lookBehind) throw new BadExpression(`invalid perl operator: ${lookBehind}`);
    const message = messages[description];
    const where = input === source ? text : input?.replace(/^(\\[pP]\{)_/, "$1");
    if (message) throw new BadExpression(where && !message.startsWith("trailing") ? `${message}: ${where}` : message);
  }
  return { groups: [...aliases.keys()], source, aliases };
}
