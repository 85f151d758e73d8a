/** Narrows: filters of messages, as typed into a search box or written in JSON. */
import type { NarrowTerm } from "../api/messages.ts";
import { Usage } from "../errors.ts";
import { didYouMean } from "../near.ts";
import { readJson } from "./json.ts";
import { elsewhere, type Operator, operators } from "./narrow-terms.ts";

/** Something that servers of a lower level do not know. */
export interface Need {
  /** As typed: `mentions:`. */
  what: string;
  level: number;
}

export interface Narrow {
  needs: Need[];
  /** True where a term speaks of `me`, whom the server does not know by that word. */
  me: boolean;
  /** Terms as they are sent, with the account's id for `me`. */
  terms(me?: number): NarrowTerm[];
}

const me = Symbol("me");
type Operand = string | number | (number | typeof me)[] | typeof me;

interface Term {
  operator: string;
  operand: Operand;
  negated: boolean;
}

const whole = (text: string): number | undefined =>
  /^[0-9]+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;

/** `place` is where it stands, for the message: `--narrow, column 3`. */
function known(operator: string, place: string): Operator {
  const found = Object.hasOwn(operators, operator) ? operators[operator] : undefined;
  if (found) return found;
  if (Object.hasOwn(elsewhere, operator)) throw new Usage(`${place}: ${operator}: ${elsewhere[operator]}`);
  throw new Usage(`${place}: unknown operator "${operator}"`, {
    hint: didYouMean(operator, Object.keys(operators)),
  });
}

function checkWord(operator: string, { words = [] }: Operator, operand: string, place: string): void {
  if (words.includes(operand)) return;
  throw new Usage(`${place}: ${operator}: must be one of ${words.join(", ")}, not "${operand}"`, {
    hint: didYouMean(operand, words),
  });
}

/** The operand that a person typed. Quoted, digits are text: `channel:"2026"` is a name. */
function typed(operator: string, rule: Operator, text: string, quoted: boolean, place: string): Operand {
  const id = quoted ? undefined : whole(text);
  const wrong = (expected: string) => new Usage(`${place}: ${operator}: must be ${expected}, not "${text}"`);
  switch (rule.operand) {
    case "word":
      checkWord(operator, rule, text, place);
      return text;
    case "channel":
      return id ?? text;
    case "message":
      // Text of digits, which servers of every level take.
      if (whole(text) === undefined) throw wrong("the number of a message");
      return text;
    case "address":
      if (!text.includes("@")) throw wrong("an e-mail address");
      return text;
    case "person":
      if (text === "me") return me;
      if (id === undefined && !text.includes("@")) throw wrong("an id, an e-mail address or me");
      return id ?? text;
    case "people":
      return people(
        text.split(",").map((item) => item.trim()),
        () => wrong("ids or e-mail addresses with commas between"),
      );
    default:
      return text;
  }
}

function people(items: readonly string[], wrong: () => Usage): Operand {
  const addresses = items.filter((item) => item.includes("@"));
  // The account itself is part of all its conversations, so beside others `me` adds nothing.
  if (addresses.length && items.every((item) => item === "me" || item.includes("@"))) return addresses.join(",");
  return items.map((item) => {
    const id = item === "me" ? me : whole(item);
    if (id === undefined) throw wrong();
    return id;
  });
}

function narrow(terms: readonly Term[]): Narrow {
  const own = (operand: Operand): boolean => operand === me || (Array.isArray(operand) && operand.includes(me));
  return {
    needs: terms.flatMap(({ operator }) => {
      const { since } = operators[operator]!;
      return since ? [{ what: `${operator}:`, level: since }] : [];
    }),
    me: terms.some(({ operand }) => own(operand)),
    terms: (id) =>
      terms.map(({ operator, operand, negated }) => {
        if (own(operand) && id === undefined) throw new TypeError("the account's own id is not known");
        const said =
          operand === me ? id : Array.isArray(operand) ? operand.map((one) => (one === me ? id! : one)) : operand;
        return { operator, operand: said, ...(negated && { negated }) };
      }),
  };
}

interface Token {
  negated: boolean;
  /** Undefined for bare words. */
  operator: string | undefined;
  /** Without the quotation marks; of bare words with them. */
  text: string;
  quoted: boolean;
  place: string;
}

const head = /(?<sign>-?)(?:(?<operator>[A-Za-z][\w-]*):(?!\/\/) ?)?/y;
const quotation = /"(?<inside>(?:\\"|[^"])*)"/y;

/** Parts at white space outside quotes; after an operator one blank may stand, as in the web app's search box. */
function* tokens(expression: string, flag: string): Generator<Token> {
  const stick = (pattern: RegExp, at: number) => {
    pattern.lastIndex = at;
    return pattern.exec(expression);
  };
  const place = (at: number) => `${flag}, column ${[...expression.slice(0, at)].length + 1}`;
  for (let at = stick(/\s*/y, 0)![0].length; at < expression.length; ) {
    const lead = stick(head, at)!;
    const { sign, operator } = lead.groups!;
    const begin = at;
    at += lead[0].length;
    const quoted = stick(quotation, at);
    if (!quoted && expression[at] === '"') throw new Usage(`${place(at)}: the quote is not closed`);
    const written = quoted?.[0] ?? stick(/\S*/y, at)![0];
    at += written.length;
    if (quoted && /\S/.test(expression.charAt(at)))
      throw new Usage(`${place(at)}: white space must follow the closing quote`);
    const token = { operator, quoted: Boolean(quoted), place: place(begin) };
    if (operator !== undefined) {
      const text = quoted ? quoted.groups!.inside!.replaceAll('\\"', '"') : written;
      yield { ...token, negated: sign === "-", text };
    }
    // A dash that no word follows is a dash.
    else if (sign && /^["\p{L}\p{N}]/u.test(written)) yield { ...token, negated: true, text: written };
    else yield { ...token, negated: false, text: sign + written };
    at += stick(/\s*/y, at)![0].length;
  }
}

/** An expression such as `channel:general topic:"release plan" -is:resolved hello`; throws `Usage` with the column. */
export function readNarrow(expression: string, flag = "--narrow"): Narrow {
  const terms: Term[] = [];
  const words: string[] = [];
  for (const { negated, operator = "search", text, quoted, place } of tokens(expression, flag)) {
    const rule = known(operator, place);
    if (!text && !quoted) throw new Usage(`${place}: missing value after ${operator}:`);
    if (negated && (rule.unsigned || (operator === "in" && text === "all"))) {
      const what = rule.operand === "search" ? "words that are searched for" : `${operator}:${text}`;
      throw new Usage(`${place}: the server cannot negate ${what}`);
    }
    if (rule.operand !== "search")
      terms.push({ operator, operand: typed(operator, rule, text, quoted, place), negated });
    else words.push(quoted && !text.startsWith('"') ? `"${text}"` : text);
  }
  // Curly quotation marks count as straight ones, as in the web app.
  const operand = words.join(" ").replace(/[“”]/g, '"');
  if (words.length) terms.push({ operator: "search", operand, negated: false });
  return narrow(terms);
}

const members = ["operator", "operand", "negated"];

const brief = (value: unknown): string => {
  if (typeof value === "object") return Array.isArray(value) ? "this list" : "an object";
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
};

/** The operand of a JSON term, which must have its type already. */
function stated(operator: string, rule: Operator, operand: unknown, place: string): Operand {
  const wrong = (expected: string) => new Usage(`${place}: ${operator} takes ${expected}, not ${brief(operand)}`);
  const isId = (value: unknown): value is number => Number.isSafeInteger(value);
  if (typeof operand === "string") {
    if (rule.operand === "people" || rule.operand === "person" || rule.operand === "address") {
      if (operand === "me" && rule.operand !== "address") return rule.operand === "people" ? [me] : me;
      if (!operand.includes("@"))
        throw wrong(rule.operand === "people" ? "e-mail addresses or a list of ids" : "an e-mail address or an id");
    }
    if (rule.operand === "word") checkWord(operator, rule, operand, place);
    if (rule.operand === "message" && whole(operand) === undefined) throw wrong("the number of a message");
    if (rule.operand === "search" && !operand) throw wrong("text");
    return operand;
  }
  if (rule.operand === "people") {
    if (Array.isArray(operand) && operand.every(isId)) return operand;
    throw wrong("e-mail addresses or a list of ids");
  }
  if (isId(operand) && ["channel", "person", "message"].includes(rule.operand)) return operand;
  throw wrong(
    { channel: "a name or an id", person: "an e-mail address or an id", message: "a number" }[rule.operand as string] ??
      "text",
  );
}

function term(value: unknown, place: string): Term {
  // The old form, which the server still reads.
  const pair = Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === "string");
  if ((Array.isArray(value) && !pair) || typeof value !== "object" || value === null)
    throw new Usage(`${place} must be an object or a list of two strings`);
  const object: Record<string, unknown> = pair
    ? { operator: (value as string[])[0], operand: (value as string[])[1] }
    : { ...value };
  const stray = Object.keys(object).find((name) => !members.includes(name));
  if (stray !== undefined)
    throw new Usage(`${place}: unknown member "${stray}" of a term`, { hint: didYouMean(stray, members) });
  const { operator, operand, negated = false } = object;
  if (typeof operator !== "string") throw new Usage(`${place}.operator must be text`);
  if (operand === undefined || operand === null) throw new Usage(`${place}.operand is missing`);
  if (typeof negated !== "boolean") throw new Usage(`${place}.negated must be true or false`);
  return { operator, operand: stated(operator, known(operator, place), operand, place), negated };
}

/** The narrow itself, a JSON list of terms; throws `Usage` with the term's index. */
export function readNarrowJson(text: string, flag = "--narrow-json"): Narrow {
  const read = readJson(text);
  if ("wrong" in read) throw new Usage(`${flag}, column ${read.column}: ${read.wrong}`);
  if (!Array.isArray(read.value)) throw new Usage(`${flag} must be a list of terms`);
  return narrow(read.value.map((value, n) => term(value, `${flag}[${n}]`)));
}
