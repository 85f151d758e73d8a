/** Splits a typed narrow into terms. */
import { Usage } from "../errors.ts";
import { invisiblePart } from "./blanks.ts";

interface Token {
  negated: boolean;
  /** Undefined for bare words. */
  operator: string | undefined;
  /** Without quotation marks, except for bare words. */
  text: string;
  isQuoted: boolean;
  /** A blank follows the operator. */
  isSpaced: boolean;
  place: string;
}

/** A blank may follow an operator, but not with another operator after it: then the value is missing. */
const head = /(?<sign>-?)(?:(?<operator>[A-Za-z][\w-]*):(?!\/\/)(?: (?!-?[A-Za-z][\w-]*:(?!\/\/)))?)?/y;
/** Quotes that other programs accept. A word can begin with an apostrophe. */
const singleQuotation = /'[^']*'(?=\s|$)/y;
/** Quotes of word processors too. */
const anyQuotation = /['‘’‚“”„«»‹›][^'‘’‚“”„«»‹›]*['‘’‚“”„«»‹›](?=\s|$)/y;
/** Characters that nobody sees at the edge of a word. Inside it, some scripts need them. */
const unseen = /^[\u00AD\u200B\u2060]|[\u00AD\u200B\u2060]$/;
const quotationPattern = /"(?<inside>(?:\\"|[^"])*)"/y;

/** Splits at white space outside quotes. One blank may follow an operator, as in the web app's search box. */
export function* tokens(expression: string, flag: string): Generator<Token> {
  const matchAt = (pattern: RegExp, at: number) => {
    pattern.lastIndex = at;
    return pattern.exec(expression);
  };
  const placeOf = (at: number) => `${flag}, column ${[...expression.slice(0, at)].length + 1}`;
  for (let at = matchAt(/\s*/y, 0)![0].length; at < expression.length; ) {
    const lead = matchAt(head, at)!;
    const { sign, operator } = lead.groups!;
    const begin = at;
    at += lead[0].length;
    const quotation = matchAt(quotationPattern, at);
    if (!quotation && expression[at] === '"') throw new Usage(`${placeOf(at)}: the quote is not closed`);
    const other = quotation ? null : matchAt(operator ? anyQuotation : singleQuotation, at);
    if (other)
      throw new Usage(`${placeOf(at)}: use double quotes: ${operator ? `${operator}:` : ""}"${other[0].slice(1, -1)}"`);
    const source = quotation?.[0] ?? matchAt(/\S*/y, at)![0];
    if (unseen.test(source)) throw new Usage(`${placeOf(at)}: "${source}" contains ${invisiblePart(source)}`);
    at += source.length;
    if (quotation && /\S/.test(expression.charAt(at)))
      throw new Usage(`${placeOf(at)}: white space must follow the closing quote`);
    const isSpaced = lead[0].endsWith(" ");
    const token = { operator, isQuoted: quotation !== null, isSpaced, place: placeOf(begin) };
    if (operator !== undefined) {
      const text = quotation ? quotation.groups!.inside!.replaceAll('\\"', '"') : source;
      yield { ...token, negated: sign === "-", text };
    }
    // A dash without a word after it is text.
    else if (sign && /^["\p{L}\p{N}]/u.test(source)) yield { ...token, negated: true, text: source };
    else yield { ...token, negated: false, text: sign + source };
    at += matchAt(/\s*/y, at)![0].length;
  }
}
