/** The parameter `narrow`: its terms, with the refusals of invalid ones. */
import { newStemmer } from "snowball-stemmers";
import { strip } from "../../common/folding.ts";
import { ApiError, badRequest } from "../answers.ts";
import { type Check, type Decoder, fromJson, isObject, type JsonValue } from "../decode.ts";

export type SearchOperand = string | number | bigint | boolean | (number | bigint | boolean)[];

export interface SearchTerm {
  operator: string;
  operand: SearchOperand;
  negated: boolean;
}

const isInteger = (value: JsonValue): value is number | bigint | boolean =>
  // In the server's language booleans are whole numbers.
  typeof value === "number" || typeof value === "bigint" || typeof value === "boolean";

/** Operators that take an id as a number. */
const idOperators = new Set(["channel", "stream", "id", "sender", "group-pm-with", "dm-including", "with"]);

/** Refusals of an operand do not name the index of the term. */
function operandOf(operator: string, value: JsonValue, level: number): SearchOperand {
  if (idOperators.has(operator) || (operator === "mentions" && level >= 446)) {
    if (typeof value === "string" || isInteger(value)) return value;
    throw badRequest("operand is not a string or integer");
  }
  if (operator === "dm" || operator === "pm-with") {
    if (typeof value === "string") return value;
    if (!Array.isArray(value)) throw badRequest("operand is not a string or an integer list");
    return value.map((item, n) => {
      if (!isInteger(item)) throw badRequest(`operand[${n}] is not an integer`);
      return item;
    });
  }
  if (typeof value !== "string") throw badRequest("operand is not a string");
  if (operator === "search" && strip(value) === "") throw badRequest("operand cannot be blank.");
  return value;
}

const invalidTerm = (path: string, reason: string): ApiError => badRequest(`Invalid ${path}: Value error, ${reason}`);

/** Returns a term, or the refusal of its shape. */
function readTerm(value: JsonValue, path: string, level: number): SearchTerm | ApiError {
  let parts: { [name: string]: JsonValue };
  if (Array.isArray(value)) {
    // The form of old clients.
    const [operator, operand, ...others] = value;
    if (typeof operator !== "string" || typeof operand !== "string" || others.length)
      return invalidTerm(path, "element is not a string pair");
    parts = { operator, operand };
  } else if (isObject(value)) parts = value;
  else return invalidTerm(path, "dict or list required");
  const { operator, operand, negated = false } = parts;
  if (operand === undefined || operand === null) return invalidTerm(path, "operand is missing");
  if (operator === undefined || operator === null) return invalidTerm(path, "operator is missing");
  if (typeof operator !== "string") return badRequest(`${path}["operator"] is not a string`);
  if (typeof negated !== "boolean") return badRequest(`${path}["negated"] is not a boolean`);
  return { operator, operand: operandOf(operator, operand, level), negated };
}

const aNarrow =
  (level: number): Check<SearchTerm[]> =>
  (value, path) => {
    if (!Array.isArray(value)) throw badRequest(`${path} is not a list`);
    // An invalid operand is refused before the invalid shape of an earlier term.
    const terms = value.map((each, n) => readTerm(each, `${path}[${n}]`, level));
    return terms.map((term) => {
      if (term instanceof ApiError) throw term;
      return term;
    });
  };

export const narrowDecoder: Decoder<SearchTerm[]> = (text, name, level) => fromJson(aNarrow(level))(text, name, level);

/** The stop words of PostgreSQL, and the single letters that Zulip adds. */
const stopWords = new Set(
  `i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself
   it its itself they them their theirs themselves what which who whom this that these those am is are was were be
   been being have has had having do does did doing a an the and but if or because as until while of at by for with
   about against between into through during before after above below to from up down in out on off over under
   again further then once here there when where why how all any both each few more most other some such no nor not
   only own same so than too very s t can will just don should now
   b c d e f g h j k l m n o p q r u v w x y z`.split(/\s+/),
);
const stemmer = newStemmer("english");

/** Matches words. HTML tags and entities match as a whole, and are not words. */
const parts = /<[^>]*>|&#?\w+;|[\p{L}\p{M}\d]+/gu;

/** The stem of a word; undefined for stop words, tags and entities. */
function lexeme(part: string): string | undefined {
  const lower = part.toLowerCase();
  return /^[<&]/.test(part) || stopWords.has(lower) ? undefined : stemmer.stem(lower);
}

const lexemes = (text: string) => new Set((text.match(parts) ?? []).flatMap((part) => lexeme(part) ?? []));

export class Search {
  readonly #words: ReadonlySet<string>;
  readonly #phrases: readonly string[];

  /** `operand` joins the operands of all search terms. */
  constructor(operand: string) {
    this.#words = lexemes(operand);
    this.#phrases = [...operand.matchAll(/"([^"]+)"/g)].map(([, phrase = ""]) => phrase.toLowerCase());
  }

  /** `content` is raw Markdown; `html` is its rendered form. */
  matches({ topic, content, html }: { topic: string; content: string; html: string }): boolean {
    const isFound = (phrase: string) => content.toLowerCase().includes(phrase) || topic.toLowerCase().includes(phrase);
    if (this.#words.size === 0 || !this.#phrases.every(isFound)) return false;
    const found = lexemes(`${topic} ${html}`);
    return [...this.#words].every((word) => found.has(word));
  }

  highlight(html: string): string {
    return html.replace(parts, (part) =>
      this.#words.has(lexeme(part) ?? "") ? `<span class="highlight">${part}</span>` : part,
    );
  }
}
